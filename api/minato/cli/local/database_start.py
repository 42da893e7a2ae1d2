"""`db start`: the project's database without the other services; a later `minato stop` ends it as any other."""

from __future__ import annotations

from pathlib import Path

from minato.cli.local.backup_file import ARCHIVE, opened
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
        require_backup(place, backup)
    options = StartOptions(
        workdir=place.workdir.root,
        data=place.folder.path,
        services_off=list(SERVICES),
        database_only=True,
        backup=backup,
    )
    if Background(options).wait() is None:
        require_state(place.folder)
        say(RUNNING)


def require_backup(place: Place, backup: Path) -> None:
    """A new data folder, and a file that is a script. Raises `CommandFailure`."""
    if place.folder.has_data:
        raise CommandFailure(
            "backup volume already exists",
            f"Run {named('supabase stop --no-backup')} to remove existing docker volumes.",
        )
    try:
        with opened(backup) as source:
            is_archive = source.read(len(ARCHIVE)) == ARCHIVE
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandFailure(f"failed to open backup file: open {backup}: {reason.lower()}") from None
    if is_archive:
        raise CommandFailure(
            f"{backup.name} is an archive of pg_dump's, not the script that a hosted project's backup is.",
            f"Make a script of it: pg_restore --file={backup.stem}.sql {backup.name}",
        )
