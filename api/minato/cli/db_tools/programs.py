"""PostgreSQL's own programs, for commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from minato.cli.local.failures import CommandFailure
from minato.postgres import programs
from minato.postgres.errors import PostgresError


def find_program(name: str, server_version: int, environment: Mapping[str, str]) -> Path:
    """A program that understands a server of this version (as libpq numbers them: 180004). Raises `CommandFailure`."""
    try:
        return programs.find_program(name, server_version, environment)
    except PostgresError as error:
        raise CommandFailure(str(error), programs.INSTALL) from None
