"""PostgreSQL's own programs: those beside the embedded server, else those installed on this machine.

pg_dump refuses servers newer than itself, so a program counts only when it is at least of the server's version.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from psycopg2.extensions import make_dsn, parse_dsn

from minato.postgres.binaries import find_binaries
from minato.postgres.errors import PostgresError

INSTALL: Final = "Install PostgreSQL's client programs, or name the folder of theirs: MINATO_POSTGRES_BIN=/path/to/bin"
# Where packages of PostgreSQL put their programs, one folder a version.
USUAL: Final = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
# libpq's variables for the parts of a connection string.
_VARIABLES: Final = {
    "host": "PGHOST",
    "hostaddr": "PGHOSTADDR",
    "port": "PGPORT",
    "dbname": "PGDATABASE",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "sslmode": "PGSSLMODE",
    "sslcert": "PGSSLCERT",
    "sslkey": "PGSSLKEY",
    "sslrootcert": "PGSSLROOTCERT",
    "connect_timeout": "PGCONNECT_TIMEOUT",
    "options": "PGOPTIONS",
}


def find_program(name: str, server_version: int, environment: Mapping[str, str]) -> Path:
    """A program that understands a server of this version (as libpq numbers them: 180004). Raises `PostgresError`."""
    wanted = server_version // 10000
    seen = []
    for candidate in _candidates(name, environment):
        version = _major_version(candidate)
        if version is not None and version >= wanted:
            return candidate
        seen.append(f"{candidate} ({version})")
    found = f" Found are {', '.join(seen)}." if seen else ""
    raise PostgresError(f"There is no {name} of PostgreSQL {wanted} or newer on this machine.{found}")


def connection_variables(dsn: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program that connects to `dsn`: every user of the machine sees command lines, and the
    password is in none."""
    parts = parse_dsn(dsn)
    found = {_VARIABLES[name]: value for name, value in parts.items() if name in _VARIABLES and value}
    rest = {name: value for name, value in parts.items() if name not in _VARIABLES}
    if rest:
        # The rest has no variable: a whole connection string may stand for the database's name.
        found["PGDATABASE"] = str(make_dsn(**rest, dbname=parts.get("dbname", "")))
    # The wheel's readline looks for terminal descriptions where its builder had them.
    return {"TERMINFO_DIRS": "/etc/terminfo:/lib/terminfo:/usr/share/terminfo", **environment, **found}


def _candidates(name: str, environment: Mapping[str, str]) -> Iterator[Path]:
    named = environment.get("MINATO_POSTGRES_BIN")
    with suppress(PostgresError):
        yield from _existing(find_binaries(Path(named) if named else None).program(name))
    if named:
        yield from _existing(Path(named, name))
    for folder in environment.get("PATH", "").split(os.pathsep):
        if folder:
            yield from _existing(Path(folder, name))
    for pattern in USUAL:
        for place in sorted(Path("/").glob(pattern.lstrip("/")), reverse=True):
            yield from _existing(place / name)


def _existing(path: Path) -> Iterator[Path]:
    if path.is_file() and os.access(path, os.X_OK):
        yield path


def _major_version(program: Path) -> int | None:
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"\) (\d+)", answer.stdout)
    return int(match[1]) if match else None
