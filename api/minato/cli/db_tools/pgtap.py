"""`test db`: runs a project's pgTAP files by psql and tells how they went."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg2
from psycopg2.extensions import connection as Connection

from minato.cli.db_tools.programs import find_program
from minato.cli.db_tools.prove import Outcome, Report, Times
from minato.cli.local.database_target import DatabaseTarget, connected
from minato.cli.local.failures import CommandFailure
from minato.postgres.programs import connection_variables

SUFFIXES: Final = (".pg", ".sql")
# As pg_prove starts it.
_FLAGS: Final = (
    *("--no-psqlrc", "--no-align", "--quiet", "--pset", "pager=off", "--pset", "tuples_only=true"),
    *("--set", "ON_ERROR_ROLLBACK=1", "--set", "ON_ERROR_STOP=1"),
)
_ENABLE: Final = "create extension if not exists pgtap with schema extensions"
_DISABLE: Final = "drop extension if exists pgtap"
_IS_THERE: Final = "select exists (select from pg_extension where extname = 'pgtap')"
# Its functions may have been loaded by a script instead.
_HAS_FUNCTIONS: Final = "select to_regprocedure('plan(integer)') is not null and to_regproc('finish') is not null"
_NEW_TEST: Final = """\
BEGIN;
SELECT plan(1);

-- What can be tested: https://pgtap.org/documentation.html

SELECT * FROM finish();
ROLLBACK;
"""


def run_tests(target: DatabaseTarget, paths: Sequence[str], current: Path, verbose: bool) -> bool:
    """Run them in order; whether all succeeded. Raises `CommandFailure`."""
    root = target.place.workdir.root
    places = [current / path for path in paths] or [target.place.workdir.supabase / "tests"]
    files = find_files(places)
    with connected(target) as connection, _pgtap(connection):
        program = find_program("psql", connection.server_version, target.environment)
        variables = connection_variables(target.dsn, target.environment)
        names = [_name(file, root) for file in files]
        report = Report(_write, names, verbose)
        before = _now()
        outcomes: list[Outcome] = []
        for file, name in zip(files, names, strict=True):
            outcomes.append(_run(program, file, variables, report, name, _folder(places[0])))
            if outcomes[-1].tap.bailed_out is not None:
                break
        return report.summary(outcomes, _since(before))


def find_files(places: Sequence[Path]) -> list[Path]:
    """Files as they are named, and below folders those with the suffixes of tests, sorted. Raises `CommandFailure`."""
    found: list[Path] = []
    for place in places:
        if place.is_dir():
            below = (path for path in place.rglob("*") if path.suffix in SUFFIXES and path.is_file())
            found += sorted(below, key=lambda path: os.fsencode(path))
        elif place.exists():
            found.append(place)
        else:
            raise CommandFailure(f"Cannot detect source of '{place}'!", "minato test new NAME begins a test.")
    return found


def new_test(supabase: Path, name: str) -> None:
    """`test new`: a file to begin with. Raises `CommandFailure` where there is one."""
    shown = Path("supabase", "tests", f"{name}_test.sql")
    path = supabase.parent / shown
    if path.exists():
        raise CommandFailure(f"{shown} already exists.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_NEW_TEST, encoding="utf-8")
    except OSError as error:
        raise CommandFailure(f"failed to write file: {error.strerror}") from None
    _write(f"Created new pgtap test at {shown}.\n")


@contextmanager
def _pgtap(connection: Connection) -> Iterator[None]:
    """The extension while the tests run; one that was there stays. Raises `CommandFailure`."""
    with connection.cursor() as cursor:
        cursor.execute(_IS_THERE)
        is_there = cursor.fetchone() == (True,)
        is_ours = not is_there and _enabled(connection)
        try:
            yield
        finally:
            if is_ours:
                cursor.execute(_DISABLE)


def _enabled(connection: Connection) -> bool:
    """Whether it was made; False where its functions are there without it."""
    with connection.cursor() as cursor:
        try:
            cursor.execute(_ENABLE)
            return True
        except psycopg2.Error as error:
            cursor.execute(_HAS_FUNCTIONS)
            if cursor.fetchone() == (True,):
                return False
            message, code = error.diag.message_primary, error.pgcode
        raise CommandFailure(
            f"failed to enable pgTAP: ERROR: {message} (SQLSTATE {code})",
            "test db needs the extension pgtap, which this PostgreSQL does not have: load pgTAP's functions into the "
            "database, or name a PostgreSQL that has it by --db-url or MINATO_POSTGRES_BIN.",
        )


def _folder(place: Path) -> Path:
    """Where `\\i` looks, as in the CLI: the folder that was asked for, or that of the first file."""
    return place if place.is_dir() else place.parent


def _run(program: Path, file: Path, variables: dict[str, str], report: Report, name: str, folder: Path) -> Outcome:
    with subprocess.Popen(
        [program, *_FLAGS, "--file", file],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        env=variables,
        cwd=folder,
    ) as child:
        assert child.stdout is not None
        lines = (line.rstrip("\n") for line in child.stdout)
        return report.run(name, lines, lambda: _ended(child))


def _ended(child: subprocess.Popen[str]) -> int:
    if child.stdout is not None:
        # What follows a bail-out is read by nobody.
        child.stdout.close()
    return abs(child.wait())


def _name(file: Path, root: Path) -> str:
    return str(file.relative_to(root)) if file.is_relative_to(root) else str(file)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _now() -> Times:
    spent = os.times()
    return Times(time.monotonic(), spent.user, spent.system, spent.children_user, spent.children_system)


def _since(before: Times) -> Times:
    now = _now()
    return Times(
        now.wall - before.wall,
        now.user - before.user,
        now.system - before.system,
        now.children_user - before.children_user,
        now.children_system - before.children_system,
    )
