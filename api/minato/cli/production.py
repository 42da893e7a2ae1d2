"""What would be unsafe in production, all in one list: `serve` refuses by it, `doctor --production` prints it before.

Whether it is production is for `MINATO_ENVIRONMENT` alone to say, never for the address listened on: a server on
127.0.0.1 may stand behind a proxy that the whole world reaches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import typer

from minato.cli.errors import CommandError
from minato.cli.findings import Finding
from minato.cli.progress import Progress
from minato.cli.target import Target, opened_target
from minato.cli.unsafe_data import data_findings
from minato.cli.unsafe_settings import setting_findings
from minato.config import Settings
from minato.postgres.errors import PostgresError
from minato.postgres.initialize import is_initialized
from minato.postgres.layout import Layout


def refuse_unsafe_settings(settings: Settings) -> None:
    """Stop a start in production that the settings make unsafe. Raises `CommandError` with all that would be unsafe."""
    if settings.server.environment == "production" and any(one.is_refused for one in setting_findings(settings)):
        _refuse(all_findings(settings))


def refuse_unsafe_data(settings: Settings, target: Target, progress: Progress) -> None:
    """The same for what is in the database; says what else is advised. The settings were found safe."""
    if settings.server.environment != "production":
        return
    found = list(data_findings(settings, target))
    if any(one.is_refused for one in found):
        _refuse([*setting_findings(settings), *found])
    for one in itertools.chain(setting_findings(settings), found):
        progress.warn(str(one))


def examine_for_production(settings: Settings) -> None:
    """Print the list; exit status 1 when something in it keeps production from starting."""
    found = all_findings(settings)
    for one in found:
        mark, colour = ("✗", typer.colors.RED) if one.is_refused else ("!", typer.colors.YELLOW)
        typer.secho(f"  {mark} {one}", fg=colour)
    refused = [one for one in found if one.is_refused]
    typer.echo("  Production would not start." if refused else "  ✓ Production may start.")
    raise typer.Exit(1 if refused else 0)


def all_findings(settings: Settings) -> list[Finding]:
    """Of the settings and, where there already is a database, of what is in it; the refused ones first."""
    found = list(setting_findings(settings))
    if settings.database.database_url is not None or is_initialized(Layout(settings.server.data_dir)):
        try:
            with opened_target(settings, "") as target:
                found += data_findings(settings, target)
        except (CommandError, PostgresError) as error:
            found.append(Finding(f"The database can't be looked into: {error}", "Mend that first.", is_refused=True))
    return sorted(found, key=lambda one: not one.is_refused)


def _refuse(found: Iterable[Finding]) -> None:
    lines = [f"  {'✗' if one.is_refused else '!'} {one}" for one in found]
    raise CommandError("\n".join(["Production does not start like this (✗ refused, ! advised):", *lines]))
