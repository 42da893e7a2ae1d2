"""`db restore`: runs a dump, as one transaction that leaves nothing behind when it fails. The Supabase CLI has no such
command.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Final

import psycopg2

from minato.cli.db_tools.programs import find_program
from minato.cli.local.database_target import DatabaseTarget, open_session
from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.plan import say
from minato.entropy import Entropy
from minato.postgres.address import running_address
from minato.postgres.layout import Layout
from minato.postgres.programs import connection_variables

# How a dump in one of pg_dump's own formats begins.
_ARCHIVE: Final = b"PGDMP"
_RESTRICT: Final = re.compile(rb"\\(un)?restrict \w+\r?\n?")
# PostgreSQL's own comment, which pg_dump writes with quoted names; only the database's owner may repeat it.
_OWN_COMMENT: Final = b"COMMENT ON SCHEMA \"public\" IS 'standard public schema';\n"
_FIRST_WITH_RESTRICT: Final = 18


def restore(target: DatabaseTarget, file: str | None) -> None:
    """Run the file, or what comes by standard input. Raises `CommandFailure`."""
    connection = open_session(target)
    version = connection.server_version
    connection.close()
    if target.is_local:
        _allow_replica_role(target)
    place = "local" if target.is_local else "remote"
    name = file if file not in (None, "-") else None
    say(f"Restoring {bold(name) if name else 'standard input'} to {place} database...")
    with _opened(Path.cwd() / name if name else None) as source:
        first = source.readline()
        if first.startswith(_ARCHIVE):
            status = _restore_archive(target, version, first, source)
        else:
            status = _run_script(target, version, first, source)
    if status != 0:
        raise CommandFailure("failed to restore: nothing was changed", "What failed stands above.")
    say(f"Restored {bold(name) if name else 'standard input'}.")


def _allow_replica_role(target: DatabaseTarget) -> None:
    """Let `postgres` switch triggers off while rows come in, as a hosted project's may (supautils)."""
    address = running_address(Layout(target.place.folder.path))
    if address is None:
        # A database of somebody else's, who has granted it or not.
        return
    connection = psycopg2.connect(address.socket_url())
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("grant set on parameter session_replication_role to postgres")
    finally:
        connection.close()


def _opened(path: Path | None) -> IO[bytes]:
    if path is None:
        return sys.stdin.buffer
    try:
        return path.open("rb")
    except OSError as error:
        raise CommandFailure(f"failed to open dump file: open {path}: {(error.strerror or '').lower()}") from None


def _run_script(target: DatabaseTarget, version: int, first: bytes, source: IO[bytes]) -> int:
    program = find_program("psql", max(version, _FIRST_WITH_RESTRICT * 10000), target.environment)
    flags = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    # A dump is data: psql's own commands, which reach the shell, are switched off while it is read.
    key = Entropy().bytes(16).hex().encode()
    return _piped(
        [program, *flags, "--file=-"],
        target,
        guarded(first, source, key),
    )


def guarded(first: bytes, source: Iterable[bytes], key: bytes) -> Iterator[bytes]:
    """A script that psql reads as data: none of its own commands works in it, whatever the script says."""
    yield b"\\restrict " + key + b"\n"
    for line in (first, *source):
        # pg_dump's own pair would end ours.
        if line != _OWN_COMMENT and not _RESTRICT.fullmatch(line):
            yield line
    yield b"\n\\unrestrict " + key + b"\n"


def _restore_archive(target: DatabaseTarget, version: int, first: bytes, source: IO[bytes]) -> int:
    program = find_program("pg_restore", version, target.environment)
    database = connection_variables(target.dsn, {}).get("PGDATABASE", "postgres")
    flags = ["--no-owner", "--single-transaction", "--exit-on-error", f"--dbname={database}"]
    return _piped([program, *flags], target, (part for part in (first, *source)))


def _piped(command: list[str | Path], target: DatabaseTarget, parts: Iterator[bytes]) -> int:
    """Run a program on what is given to it; its exit status."""
    variables = connection_variables(target.dsn, {**target.environment, "PGCLIENTENCODING": "UTF8"})
    with subprocess.Popen(command, stdin=subprocess.PIPE, env=variables) as child:
        assert child.stdin is not None
        try:
            for part in parts:
                child.stdin.write(part)
            child.stdin.close()
        except BrokenPipeError:
            # It gave up, and has said why.
            pass
        return child.wait()
