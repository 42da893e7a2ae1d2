"""What would be unsafe in production about Edge Functions, which run with the service key."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from minato.cli import published
from minato.cli.findings import Finding, advised, refused
from minato.config import Settings
from minato.functions.command import SENTENCE, find_deno
from minato.functions.discovery import Function, Functions
from minato.functions.folders import functions_folder

# So many names in one sentence.
_NAMED = 5


def function_findings(settings: Settings) -> Iterator[Finding]:
    """Of the settings, and of the files where functions lie; nothing where they are switched off."""
    if not settings.functions.enabled or "functions" in settings.server.services_off:
        return
    yield from _of_settings(settings)
    folder = functions_folder(settings)
    if folder is None:
        return
    functions = Functions(folder, settings.functions)
    found = [function for name in functions.names() if (function := functions.find(name)) is not None]
    if found:
        yield from _of_functions(settings, found)
        yield from _of_files(functions, found)


def _of_settings(settings: Settings) -> Iterator[Finding]:
    functions = settings.functions
    if functions.policy == "oneshot":
        yield refused(
            "MINATO_FUNCTIONS_POLICY=oneshot begins a process for each request: anybody could keep the machine busy.",
            "Set it to per_worker.",
        )
    if functions.inspect:
        yield refused("MINATO_FUNCTIONS_INSPECT lets whoever is on this machine into every function.", "Leave it out.")
    url = functions.db_url.get_secret_value() if functions.db_url is not None else ""
    if unquote(urlsplit(url).password or "") in published.PASSWORDS:
        yield refused("The password in MINATO_FUNCTIONS_DB_URL is a published example.", "Give the role another.")


def _of_functions(settings: Settings, functions: list[Function]) -> Iterator[Finding]:
    if find_deno(settings.functions.deno) is None:
        yield advised(f"There is no Deno, so {_names(functions)} will not be served.", f"{SENTENCE}.")
    open_to_all = [function for function in functions if not function.settings.verify_jwt]
    if open_to_all:
        yield advised(
            f"Anybody may call {_names(open_to_all)}: verify_jwt is false.",
            "Let such a function look itself at who calls.",
        )


def _of_files(functions: Functions, found: list[Function]) -> Iterator[Finding]:
    files = {Path(name) for function in found for name, _, _ in functions.version(function)}
    folders = {functions.folder, *(file.parent for file in files)}
    loose = sorted(str(path) for path in files | folders if _mode(path) & stat.S_IWOTH)
    if loose:
        yield refused(
            f"Everybody on this machine may change {loose[0]}, which runs with the service key.",
            f"Take that right away: chmod -R o-w {functions.folder}",
        )
    variables = functions.folder / ".env"
    if _mode(variables) & (stat.S_IROTH | stat.S_IWOTH):
        yield advised(f"Everybody on this machine may read {variables}.", "Keep it for its owner: chmod 600.")


def _names(functions: list[Function]) -> str:
    names = [function.name for function in functions]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _mode(path: Path) -> int:
    """0 where it can't be told; a link's own rights say nothing."""
    try:
        return os.stat(path).st_mode
    except OSError:
        return 0
