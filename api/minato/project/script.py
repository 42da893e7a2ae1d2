"""Runs a project's files of SQL as `postgres`, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg2
from psycopg2.extensions import TRANSACTION_STATUS_IDLE
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from minato.project.errors import failed_statement
from minato.project.statements import Statement

OWNER = "postgres"
# One process at a time; the next one finds nothing left to do.
_LOCK = "select pg_advisory_lock(hashtext('minato project migrations'))"
# A file gives up instead of queueing behind a long transaction, with everybody else behind it.
_LOCK_TIMEOUT = "set lock_timeout = '5s'"


@contextmanager
def owner(dsn: str) -> Iterator[Cursor]:
    """A session of `postgres`, alone at work on the project."""
    connection: Connection = psycopg2.connect(dsn)
    # Transactions are the files': psycopg2 begins none of its own.
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            cursor.execute(_LOCK)
            cursor.execute(f"set role {OWNER}")
            cursor.execute(_LOCK_TIMEOUT)
            yield cursor
    finally:
        connection.close()


def reset_session(cursor: Cursor) -> None:
    """Forget what a file before set for its session."""
    cursor.execute("reset all")
    cursor.execute(f"set role {OWNER}")
    cursor.execute(_LOCK_TIMEOUT)


def run_statements(cursor: Cursor, place: str, statements: list[Statement]) -> None:
    """In a transaction that is left open, unless they end it. Raises `ProjectError`, all of it rolled back."""
    for index, statement in enumerate(statements):
        if statement.is_comment:
            continue
        begin_where_none_is_open(cursor)
        try:
            cursor.execute(statement.text)
        except psycopg2.Error as error:
            said = error.diag
            position = int(said.statement_position) if said.statement_position else None
            message, code = said.message_primary or str(error), said.sqlstate or "XX000"
            if not cursor.closed and not cursor.connection.closed:
                cursor.execute("rollback")
            raise failed_statement(place, index, statement, message, code, said.message_detail, position) from None


def begin_where_none_is_open(cursor: Cursor) -> None:
    """A COMMIT in the file ends its transaction; what follows has one of its own."""
    if cursor.connection.info.transaction_status == TRANSACTION_STATUS_IDLE:
        cursor.execute("begin")
