"""`db start`."""

from __future__ import annotations

from pathlib import Path

from minato.cli.local.failures import CommandFailure
from minato.cli.local.plan import Place


def start_database(place: Place, backup: Path | None) -> None:
    """Not there yet."""
    raise CommandFailure("not there yet")
