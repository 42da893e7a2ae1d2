"""`minato db new`: the project's next migration, ready for SQL, named as the Supabase CLI names one."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import typer

from minato.cli.errors import CommandError
from minato.config import Settings
from minato.project.folder import Project


def begin_migration(project: Project, message: str, now: datetime) -> Path:
    """Write `<yyyymmddhhmmss>_<slug>.sql` with the message as its first comment; returns the file.

    Raises `CommandError` when the message holds nothing a file can be called after.
    """
    slug = re.sub(r"[^a-z0-9]+", "_", message.lower()).strip("_")
    if not slug:
        raise CommandError("Say in a few English words what the migration does.")
    sentence = message.strip().rstrip(".")
    project.migrations_folder.mkdir(parents=True, exist_ok=True)
    file = project.migrations_folder / f"{now:%Y%m%d%H%M%S}_{slug}.sql"
    file.write_text(f"-- {sentence[0].upper()}{sentence[1:]}.\n")
    return file


def new_migration(settings: Settings, message: str, now: datetime) -> None:
    """Begin one and say where it is."""
    if settings.server.project is None:
        raise CommandError("There is no project here: set MINATO_PROJECT.")
    typer.echo(begin_migration(Project(settings.server.project), message, now))
