"""`functions serve`: the running server takes the flags over while this command lasts, and its functions' lines are
printed as they come.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from minato.cli.functions.logs import Wanted, follow_logs
from minato.cli.functions.project import FunctionsProject
from minato.cli.local.database_target import START_FIRST
from minato.cli.local.failures import CommandFailure, bold, named
from minato.cli.local.plan import say
from minato.config.functions import FunctionSettings
from minato.functions.attached import AlreadyAttached, Attachment, attached
from minato.functions.command import SENTENCE, find_deno

_EXAMPLES: Final = 5


@dataclass(frozen=True)
class Asked:
    """The flags; files are relative to the current folder, `inspect` is run, brk, wait or empty."""

    no_verify_jwt: bool
    env_file: str
    import_map: str
    inspect: str


def serve_functions(project: FunctionsProject, names: list[str], asked: Asked) -> None:
    """Until Ctrl-C, or the server ends. Raises `CommandFailure`."""
    _require_known(project, names)
    attachment = Attachment(
        variables=_file(asked.env_file, "failed to open env file"),
        import_map=_file(asked.import_map, "failed to read import map"),
        no_verify_jwt=asked.no_verify_jwt,
        inspect=asked.inspect,
        since=time.time_ns(),
    )
    deno = find_deno(project.settings.deno)
    if deno is None:
        raise CommandFailure(SENTENCE)
    say("Setting up Edge Functions runtime...")
    try:
        with attached(project.work, attachment):
            _announce(project, deno, asked.inspect)
            follow_logs(project.work, Wanted(names, lines=0), project.is_served)
    except AlreadyAttached:
        raise CommandFailure("Another functions serve of this project goes on: end it first.") from None
    except KeyboardInterrupt:
        typer.echo(f"Stopped serving {bold('supabase/functions')}")
        raise
    raise CommandFailure(f"{named('supabase start')} is not running.", START_FIRST)


def _require_known(project: FunctionsProject, names: list[str]) -> None:
    for name in names:
        if project.functions.find(name) is None:
            raise CommandFailure(f"Function not found: {name}", "minato functions list tells which there are.")


def _file(given: str, sentence: str) -> str:
    """Its whole path; empty where none was given."""
    if not given:
        return ""
    path = Path(os.path.abspath(given))
    if not path.is_file():
        raise CommandFailure(f"{sentence}: open {given}: no such file or directory")
    return str(path)


def _announce(project: FunctionsProject, deno: Path, inspect: str) -> None:
    for slug in project.config.below("functions"):
        if not project.settings.config.get(slug, FunctionSettings()).enabled:
            say(f"Skipped serving Function: {slug}")
    names = project.functions.names()
    lines = [f"Serving functions on {project.url}/<function-name>"]
    lines += [f" - {project.url}/{name}" for name in names[:_EXAMPLES]]
    if len(names) > _EXAMPLES:
        lines.append(f"... and {len(names) - _EXAMPLES} more functions")
    typer.echo("\n".join([*lines, f"Using {_version(deno)}"]))
    if inspect:
        say(f"A debugger finds functions at 127.0.0.1:{project.settings.inspector_port}, once one is called.")
    sys.stdout.flush()


def _version(deno: Path) -> str:
    try:
        told = subprocess.run([deno, "--version"], capture_output=True, text=True, timeout=10, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return "Deno"
    return (told.splitlines() or ["Deno"])[0]
