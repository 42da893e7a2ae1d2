"""`migration squash`."""

from __future__ import annotations

from minato.cli.local.database_target import DatabaseTarget
from minato.cli.local.failures import CommandFailure
from minato.cli.local.prompts import Console


def squash_migrations(target: DatabaseTarget, version: str, console: Console) -> None:
    """Not there yet."""
    raise CommandFailure("not there yet")
