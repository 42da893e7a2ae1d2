"""`minato db new`: the next pair of migration files, ready for SQL."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import typer
from mako.template import Template  # type: ignore[import-untyped]

from minato.cli.errors import CommandError
from minato.migrate.run import TEMPLATE, VERSIONS, head


def begin_migration(message: str, now: datetime, folder: Path = VERSIONS) -> Path:
    """Write `<yyyymmdd>_<nnnn>_<slug>.py` and `.sql` into `folder`; returns the SQL file.

    Raises `CommandError` when the message holds nothing a file can be called after.
    """
    slug = re.sub(r"[^a-z0-9]+", "_", message.lower()).strip("_")
    if not slug:
        raise CommandError("Say in a few English words what the migration does.")
    previous = head()
    revision = f"{int(previous) + 1:04}"
    stem = folder / f"{now:%Y%m%d}_{revision}_{slug}"
    sentence = message.strip().rstrip(".")
    sentence = sentence[0].upper() + sentence[1:]
    template = Template(TEMPLATE.read_text())
    stem.with_suffix(".py").write_text(
        template.render(message=sentence, up_revision=revision, down_revision=previous).rstrip() + "\n"
    )
    stem.with_suffix(".sql").write_text(f"-- {sentence}.\n")
    return stem.with_suffix(".sql")


def new_migration(message: str, now: datetime) -> None:
    """Begin one and say where it is."""
    typer.echo(begin_migration(message, now))
