"""Runs a project's files of SQL as `postgres`, statement by statement."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg2
from psycopg2.extensions import TRANSACTION_STATUS_IDLE
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from minato.project.alone import is_within_own, runs_alone
from minato.project.errors import ProjectError, failed_statement
from minato.project.lent_rights import lent, run_as_lent
from minato.project.statements import Statement

OWNER = "postgres"
# One process at a time; the next one finds nothing left to do.
_LOCK = "select pg_try_advisory_lock(hashtext('minato project migrations'))"
_ASK_AGAIN_AFTER = 0.1
# A file gives up instead of queueing behind a long transaction, with everybody else behind it.
_LOCK_TIMEOUT = "set lock_timeout = '5s'"


@contextmanager
def owner(dsn: str) -> Iterator[Cursor]:
    """A session of `postgres`, alone at work on the project."""
    connection: Connection = psycopg2.connect(dsn)
    # Transactions are the files': psycopg2 begins none of its own.
    connection.autocommit = True
    try:
        with at_work(connection) as cursor:
            yield cursor
    finally:
        connection.close()


@contextmanager
def at_work(connection: Connection, role: str | None = OWNER) -> Iterator[Cursor]:
    """A session in autocommit as `role`, or as whoever logged in, alone at work on the project until it is closed."""
    with connection.cursor() as cursor:
        _take_turn(cursor)
        _become(cursor, role)
        yield cursor


def _take_turn(cursor: Cursor) -> None:
    """Asks again and again: who waits within PostgreSQL is a transaction, and a concurrent index would wait for its
    end."""
    cursor.execute(_LOCK)
    while cursor.fetchone() != (True,):
        time.sleep(_ASK_AGAIN_AFTER)
        cursor.execute(_LOCK)


def reset_session(cursor: Cursor, role: str | None = OWNER) -> None:
    """Forget what a file before set for its session."""
    cursor.execute("reset all")
    _become(cursor, role)


def _become(cursor: Cursor, role: str | None) -> None:
    if role is not None:
        cursor.execute(f"set role {role}")
    cursor.execute(_LOCK_TIMEOUT)


def read_sql(path: Path) -> str:
    """The text of a file, without a byte order mark. Raises `ProjectError`."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise ProjectError(f"failed to open migration file: {path.name}: {error}") from None


def run_statements(cursor: Cursor, place: str, statements: list[Statement]) -> None:
    """In a transaction that is left open, unless they end it or can't run in one. Raises `ProjectError`, all that was
    not committed rolled back."""
    is_own = False
    for index, statement in enumerate(statements):
        if statement.is_comment:
            continue
        is_own = is_within_own(statement.text, is_own)
        try:
            if runs_alone(statement.text) and not is_own:
                _commit_where_one_is_open(cursor)
            else:
                begin_where_none_is_open(cursor)
            run_as_lent(cursor, statement.text)
        except psycopg2.Error as error:
            if not cursor.closed and not cursor.connection.closed:
                cursor.execute("rollback")
            raise _failed(place, index, statement, error) from None


def _failed(place: str, index: int, statement: Statement, error: psycopg2.Error) -> ProjectError:
    said = error.diag
    # Within what stood in the statement's place, a position says nothing.
    is_own = said.statement_position and lent(statement.text) is None
    position = int(said.statement_position or 0) if is_own else None
    message, code = said.message_primary or str(error), said.sqlstate or "XX000"
    return failed_statement(place, index, statement, message, code, said.message_detail, position)


def begin_where_none_is_open(cursor: Cursor) -> None:
    """A COMMIT in the file ends its transaction; what follows has one of its own."""
    if cursor.connection.info.transaction_status == TRANSACTION_STATUS_IDLE:
        cursor.execute("begin")


def _commit_where_one_is_open(cursor: Cursor) -> None:
    if cursor.connection.info.transaction_status != TRANSACTION_STATUS_IDLE:
        cursor.execute("commit")
