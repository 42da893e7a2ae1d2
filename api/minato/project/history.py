"""Which migrations a database has run: `supabase_migrations.schema_migrations`, as the Supabase CLI keeps it."""

from __future__ import annotations

from psycopg2.extensions import cursor as Cursor

from minato.project.errors import ProjectError
from minato.project.folder import Migration, Project
from minato.project.statements import Statement

_CREATE = """
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
alter table supabase_migrations.schema_migrations add column if not exists statements text[];
alter table supabase_migrations.schema_migrations add column if not exists name text;
"""
_EXISTS = "select to_regclass('supabase_migrations.schema_migrations') is not null"
_VERSIONS = 'select version from supabase_migrations.schema_migrations order by version collate "C"'
_INSERT = "insert into supabase_migrations.schema_migrations (version, name, statements) values (%s, %s, %s)"
_FORMER = "select to_regclass('minato.former_chain') is not null"
_FORMER_REVISION = "select revision from minato.former_chain"


def applied_versions(cursor: Cursor) -> list[str]:
    """The versions in the history, oldest first; none before there is one."""
    if not _scalar(cursor, _EXISTS):
        return []
    cursor.execute(_VERSIONS)
    return [version for (version,) in cursor.fetchall()]


def pending_migrations(project: Project, applied: list[str]) -> list[Migration]:
    """What is to be run, oldest first. Raises `ProjectError` where the history and the files are not one line."""
    files = project.migrations()
    unknown = sorted(set(applied) - {file.version for file in files})
    if unknown:
        raise ProjectError(
            f"The database ran migrations that are not in {project.migrations_folder}: {', '.join(unknown)}. "
            "It is newer than these files, or belongs to another project."
        )
    pending = [file for file in files if file.version not in applied]
    late = [file.path.name for file in pending if applied and file.version < applied[-1]]
    if late:
        raise ProjectError(
            "Found local migration files to be inserted before the last migration on the database: " + ", ".join(late)
        )
    return pending


def prepare_history(cursor: Cursor, project: Project) -> None:
    """Make the table; in a database of release 0.1, note what its one chain had run."""
    exists = _scalar(cursor, _EXISTS)
    cursor.execute(_CREATE)
    if exists or not _scalar(cursor, _FORMER):
        return
    revision = str(_scalar(cursor, _FORMER_REVISION))
    for file in project.migrations():
        # The one chain's numbers are the last four digits: 0020 became 20261121000020.
        if file.version < "20261123" and file.version[-4:] <= revision:
            cursor.execute(_INSERT, (file.version, file.name, None))


def note_migration(cursor: Cursor, file: Migration, statements: list[Statement]) -> None:
    """Add the file to the history, in the transaction that ran it."""
    cursor.execute(_INSERT, (file.version, file.name, [statement.text for statement in statements]))


def _scalar(cursor: Cursor, statement: str) -> object:
    cursor.execute(statement)
    row = cursor.fetchone()
    return row[0] if row else None
