"""Runs a project's migrations as `postgres`: one transaction a file, with its line in the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg2
from psycopg2.extensions import TRANSACTION_STATUS_IDLE
from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from minato.project.errors import failed_statement
from minato.project.folder import Migration, Project
from minato.project.history import applied_versions, note_migration, pending_migrations, prepare_history
from minato.project.statements import split_statements

OWNER = "postgres"
# One process at a time; the next one finds nothing left to do.
_LOCK = "select pg_advisory_lock(hashtext('minato project migrations'))"
# A file gives up instead of queueing behind a long transaction, with everybody else behind it.
_LOCK_TIMEOUT = "set lock_timeout = '5s'"


def needs_migration(dsn: str, project: Project) -> bool:
    """Whether any file is not in the history."""
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            applied = applied_versions(cursor)
    finally:
        connection.close()
    return {file.version for file in project.migrations()} != set(applied)


def migrate_project(
    dsn: str, project: Project, through: str | None = None, tell: Callable[[str], None] = lambda name: None
) -> list[str]:
    """Run what is pending, up to the version `through`; the versions that were run. `tell` hears each file's name.

    Raises `ProjectError`: the file that failed leaves nothing behind, the ones before it stay.
    """
    with _owner(dsn) as cursor:
        # As one: half a history taken over would run again what ran before.
        cursor.execute("begin")
        prepare_history(cursor, project)
        cursor.execute("commit")
        pending = pending_migrations(project, applied_versions(cursor))
        wanted = [file for file in pending if through is None or file.version <= through]
        for file in wanted:
            tell(file.path.name)
            _run(cursor, file)
        return [file.version for file in wanted]


@contextmanager
def _owner(dsn: str) -> Iterator[Cursor]:
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


def _run(cursor: Cursor, file: Migration) -> None:
    statements = split_statements(file.path.read_text(encoding="utf-8"))
    cursor.execute("reset all")
    cursor.execute(f"set role {OWNER}")
    cursor.execute(_LOCK_TIMEOUT)
    for index, statement in enumerate(statements):
        if statement.is_comment:
            continue
        _begin_where_none_is_open(cursor)
        try:
            cursor.execute(statement.text)
        except psycopg2.Error as error:
            said = error.diag
            position = int(said.statement_position) if said.statement_position else None
            message, code = said.message_primary or str(error), said.sqlstate or "XX000"
            cursor.execute("rollback")
            raise failed_statement(
                file.path.name, index, statement, message, code, said.message_detail, position
            ) from None
    _begin_where_none_is_open(cursor)
    note_migration(cursor, file, statements)
    cursor.execute("commit")


def _begin_where_none_is_open(cursor: Cursor) -> None:
    """A COMMIT in the file ends its transaction; what follows has one of its own."""
    if cursor.connection.info.transaction_status == TRANSACTION_STATUS_IDLE:
        cursor.execute("begin")
