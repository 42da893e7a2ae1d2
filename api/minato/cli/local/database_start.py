"""`db start`: the project's database without the other services; a later `minato stop` ends it as any other."""

from __future__ import annotations

from pathlib import Path

from minato.cli.local.failures import CommandFailure, named
from minato.cli.local.options import SERVICES, StartOptions
from minato.cli.local.plan import Place, say
from minato.cli.local.start import Background, require_state, running_state

RUNNING = "Postgres database is already running."


def start_database(place: Place, backup: Path | None) -> None:
    """Start it in the background and wait until it is there. Raises `CommandFailure` and typer.Exit."""
    if running_state(place.folder) is not None:
        say(RUNNING)
        return
    if backup is not None:
        refuse_backup(place, backup)
    options = StartOptions(
        workdir=place.workdir.root,
        data=place.folder.path,
        services_off=list(SERVICES),
        database_only=True,
    )
    if Background(options).wait() is None:
        require_state(place.folder)
        say(RUNNING)


def refuse_backup(place: Place, backup: Path) -> None:
    """A dump of a whole hosted server is of a platform with other owners. Raises `CommandFailure`."""
    if place.folder.has_data:
        raise CommandFailure(
            "backup volume already exists",
            f"Run {named('supabase stop --no-backup')} to remove existing docker volumes.",
        )
    raise CommandFailure(
        "--from-backup is not there: a dump of a whole server brings a platform of its own.",
        f"Start the database and restore the project's part into it: minato db start; minato db restore {backup.name}",
    )
