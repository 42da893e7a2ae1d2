"""Which migrations a database has run: `supabase_migrations.schema_migrations`, as the Supabase CLI keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
_UPSERT = _INSERT + " on conflict (version) do update set name = excluded.name, statements = excluded.statements"
_DELETE = "delete from supabase_migrations.schema_migrations where version = any(%s)"
_DELETE_UP_TO = """delete from supabase_migrations.schema_migrations where version collate "C" <= %s"""
_ALL = """
select version, coalesce(name, ''), coalesce(statements, '{}')
from supabase_migrations.schema_migrations order by version collate "C"
"""
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


@dataclass(frozen=True)
class Applied:
    """A line of the history."""

    version: str
    name: str
    statements: list[str]


def find_pending(files: Sequence[Migration], applied: Sequence[str], include_all: bool = False) -> list[Migration]:
    """What a command of the CLI has to run: the files after the last applied one, before them with `include_all` those
    that were left out so far. Raises `ProjectError` in the CLI's words."""
    unknown, left_out, rest = _walk(files, applied)
    if unknown:
        raise ProjectError("Remote migration versions not found in local migrations directory.", _revert(unknown))
    if left_out and not include_all:
        raise ProjectError(
            "Found local migration files to be inserted before the last migration on remote database.",
            _include_all([f"supabase/migrations/{file.path.name}" for file in left_out]),
        )
    return [*left_out, *rest]


def _walk(files: Sequence[Migration], applied: Sequence[str]) -> tuple[list[str], list[Migration], list[Migration]]:
    """Side by side: versions without a file, files older than one that was applied, and the files after them all."""
    unknown: list[str] = []
    left_out: list[Migration] = []
    at_file = at_version = 0
    while at_file < len(files) and at_version < len(applied):
        file, version = files[at_file], applied[at_version]
        if file.version == version:
            at_file, at_version = at_file + 1, at_version + 1
        elif version < file.version:
            unknown.append(version)
            at_version += 1
        else:
            left_out.append(file)
            at_file += 1
    return [*unknown, *applied[at_version:]], left_out, list(files[at_file:])


def _revert(versions: Sequence[str]) -> str:
    return (
        "\nMake sure your local git repo is up-to-date. If the error persists, try repairing the migration history "
        f"table:\nsupabase migration repair --status reverted {' '.join(versions)}\n"
        "\nAnd update local migrations to match remote database:\nsupabase db pull\n"
    )


def _include_all(paths: Sequence[str]) -> str:
    return "\nRerun the command with --include-all flag to apply these migrations:\n" + "\n".join(paths) + "\n"


def read_history(cursor: Cursor) -> list[Applied]:
    """Every line, oldest first. Raises psycopg2.Error where there is no history."""
    cursor.execute(_ALL)
    return [Applied(*row) for row in cursor.fetchall()]


def rewrite_history(cursor: Cursor, files: Sequence[tuple[Migration, list[Statement]]], whole: bool) -> None:
    """Note files as applied without running them; `whole`: and nothing else."""
    if whole:
        cursor.execute("truncate supabase_migrations.schema_migrations")
    for file, statements in files:
        cursor.execute(_UPSERT, (file.version, file.name, [statement.text for statement in statements]))


def forget_versions(cursor: Cursor, versions: Sequence[str]) -> None:
    cursor.execute(_DELETE, (list(versions),))


def baseline_history(cursor: Cursor, file: Migration, statements: list[Statement]) -> None:
    """One file in the place of everything up to its version."""
    cursor.execute(_DELETE_UP_TO, (file.version,))
    note_migration(cursor, file, statements)


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
