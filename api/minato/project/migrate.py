"""Runs a project's migrations as `postgres`: one transaction a file, with its line in the history."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import psycopg2
from psycopg2.extensions import cursor as Cursor

from minato.project.folder import Migration, Project
from minato.project.history import applied_versions, note_migration, pending_migrations, prepare_history
from minato.project.script import OWNER, begin_where_none_is_open, owner, read_sql, reset_session, run_statements
from minato.project.statements import split_statements

# The version of an extension that is nothing but a name.
LEFT_OUT = "left-out"


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

    `dsn` logs in as `postgres` where that may be had: else RESET ROLE in a file would give it the rights of who logged
    in. Raises `ProjectError`: the file that failed leaves nothing behind, the ones before it stay.
    """
    with owner(dsn) as cursor:
        make_history(cursor, project)
        pending = pending_migrations(project, applied_versions(cursor))
        wanted = [file for file in pending if through is None or file.version <= through]
        return run_migrations(cursor, wanted, tell)


def left_out_extensions(dsn: str) -> list[str]:
    """The extensions that are empty, because the server does not have them (`missing_extensions = "skip"`)."""
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("select extname::text from pg_extension where extversion = %s order by 1", (LEFT_OUT,))
            return [name for (name,) in cursor.fetchall()]
    finally:
        connection.close()


def make_history(cursor: Cursor, project: Project) -> None:
    """See to it that there is a table of what was run."""
    # As one: half a history taken over would run again what ran before.
    cursor.execute("begin")
    prepare_history(cursor, project)
    cursor.execute("commit")


def run_migrations(
    cursor: Cursor, files: Sequence[Migration], tell: Callable[[str], None], role: str | None = OWNER
) -> list[str]:
    """Run files, each whole or not at all; their versions. Raises `ProjectError`."""
    for file in files:
        tell(file.path.name)
        _run(cursor, file, role)
    return [file.version for file in files]


def _run(cursor: Cursor, file: Migration, role: str | None) -> None:
    statements = split_statements(read_sql(file.path))
    reset_session(cursor, role)
    run_statements(cursor, file.path.name, statements)
    begin_where_none_is_open(cursor)
    note_migration(cursor, file, statements)
    cursor.execute("commit")
