"""`migration up`, `list`, `repair`, `down` and `fetch`: a database's history and the project's files side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import typer
from psycopg2.extensions import cursor as Cursor

from minato.cli.local.database_target import DatabaseTarget, connected, session_role
from minato.cli.local.failures import CommandFailure, bold, named
from minato.cli.local.new_database import vault_secrets
from minato.cli.local.plan import say
from minato.cli.local.prompts import Console
from minato.project.folder import Migration, Project
from minato.project.history import (
    applied_versions,
    find_pending,
    forget_versions,
    read_history,
    rewrite_history,
)
from minato.project.migrate import make_history, run_migrations
from minato.project.script import at_work, read_sql, reset_session
from minato.project.seeds import keep_secrets, pending_seeds, run_seeds
from minato.project.statements import Statement, split_statements
from minato.project.user_objects import drop_user_objects, require_platform

FOLDER = "supabase/migrations"
_VERSION = re.compile(r"[+-]?[0-9]+")


@contextmanager
def at_database(target: DatabaseTarget) -> Iterator[Cursor]:
    """A session of the chosen database, alone at work on the project."""
    with connected(target) as connection, at_work(connection, session_role(target)) as cursor:
        yield cursor


def project_of(target: DatabaseTarget) -> Project:
    return Project(target.place.workdir.root)


def local_migrations(project: Project) -> list[Migration]:
    """The project's files; those that are none are told."""
    for sentence in project.skipped_migrations():
        say(sentence)
    return project.migrations()


def new_migration(root: Path, name: str, now: datetime, content: bytes) -> None:
    """Write `<version>_<name>.sql`. Raises `CommandFailure`."""
    shown = f"{FOLDER}/{now:%Y%m%d%H%M%S}_{name}.sql"
    try:
        (root / shown).parent.mkdir(parents=True, exist_ok=True)
        (root / shown).write_bytes(content)
    except OSError as error:
        raise CommandFailure(f"failed to open migration file: {error}") from None
    typer.echo(f"Created new migration at {bold(shown)}")


def migrate_up(target: DatabaseTarget, include_all: bool) -> None:
    """Run what is pending. Raises `ProjectError`."""
    with at_database(target) as cursor:
        pending = find_pending(local_migrations(project_of(target)), applied_versions(cursor), include_all)
        apply(cursor, target, pending)
    typer.echo("Local database is up to date.")


def apply(cursor: Cursor, target: DatabaseTarget, files: Sequence[Migration]) -> None:
    """Secrets, then the files, each whole or not at all. Raises `ProjectError`."""
    keep_secrets(cursor, vault_secrets(target.config), say)
    if files:
        make_history(cursor, project_of(target))
        run_migrations(cursor, files, lambda name: say(f"Applying migration {name}..."), session_role(target))


def list_migrations(target: DatabaseTarget) -> None:
    """Print both sides."""
    with connected(target) as connection, connection.cursor() as cursor:
        applied = applied_versions(cursor)
    files = [file.version for file in local_migrations(project_of(target))]
    typer.echo(version_table(files, applied), nl=False)


def version_table(files: Sequence[str], applied: Sequence[str]) -> str:
    """`Local | Remote | Time (UTC)`, a row a version, as the CLI's terminal renderer draws it."""
    versions = sorted({*files, *applied}, key=lambda version: (int(version) if version.isdigit() else -1, version))
    cells = [
        [f"`{version if version in side else ' '}`" for side in (files, applied)] + [f"`{_time(version)}`"]
        for version in versions
        if version.isdigit()
    ]
    rows = [["Local", "Remote", "Time (UTC)"], *cells]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = [f"   {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} " for row in rows]
    lines.insert(1, f"  {'|'.join('-' * (width + 2) for width in widths)}")
    return "\n  \n" + "".join(f"{line}\n" for line in lines)


def _time(version: str) -> str:
    try:
        return f"{datetime.strptime(version, '%Y%m%d%H%M%S'):%Y-%m-%d %H:%M:%S}" if len(version) == 14 else version
    except ValueError:
        return version


def repair_history(target: DatabaseTarget, versions: Sequence[str], status: str, console: Console) -> None:
    """Note versions as applied or reverted; without versions all of the project's files instead of what is there.

    Raises `CommandFailure` and `Declined`.
    """
    for version in versions:
        if not _VERSION.fullmatch(version):
            raise CommandFailure(f"failed to parse {version}: invalid version number")
    project = project_of(target)
    whole = not versions
    if whole:
        question = "Do you want to repair the entire migration history table to match local migration files?"
        console.require(question, default=False)
        versions = [file.version for file in local_migrations(project)]
    files = [file_of(project, version) for version in versions] if status == "applied" else []
    with at_database(target) as cursor:
        make_history(cursor, project)
        cursor.execute("begin")
        rewrite_history(cursor, [(file, statements_of(file)) for file in files], whole)
        if status == "reverted":
            forget_versions(cursor, versions)
        cursor.execute("commit")
    if not whole:
        say(f"Repaired migration history: [{' '.join(versions)}] => {status}")
    typer.echo(f"Finished {named('supabase migration repair')}.")
    say(f"Run {named('supabase migration list')} to show the updated migration history.")


def note_versions(target: DatabaseTarget, versions: Sequence[str]) -> None:
    """Note files as run that a database already has the contents of. Raises `CommandFailure`."""
    project = project_of(target)
    files = [file_of(project, version) for version in versions]
    with at_database(target) as cursor:
        make_history(cursor, project)
        cursor.execute("begin")
        rewrite_history(cursor, [(file, statements_of(file)) for file in files], False)
        cursor.execute("commit")
    say(f"Repaired migration history: [{' '.join(versions)}] => applied")


def file_of(project: Project, version: str) -> Migration:
    """The file of a version. Raises `CommandFailure`."""
    file = project.migration_of(version)
    if file is None:
        raise CommandFailure(f"glob {FOLDER}/{version}_*.sql: file does not exist")
    return file


def require_version(project: Project, version: str) -> None:
    """Raises `CommandFailure` unless there is a file of this version."""
    if not _VERSION.fullmatch(version):
        raise CommandFailure("invalid version number")
    file_of(project, version)


def statements_of(file: Migration) -> list[Statement]:
    return split_statements(read_sql(file.path))


def migrate_down(target: DatabaseTarget, last: int, console: Console) -> None:
    """Begin anew without the last migrations. Raises `CommandFailure`, `Declined` and `ProjectError`."""
    if last == 0:
        raise CommandFailure("--last must be greater than 0")
    with at_database(target) as cursor:
        applied = applied_versions(cursor)
        if len(applied) <= last:
            raise CommandFailure(
                f"--last must be smaller than total applied migrations: {len(applied)}",
                f"Try {named('supabase db reset')} if you want to revert all migrations.",
            )
        require_platform(cursor)
        bullets = "".join(f" • {bold(version)}\n" for version in applied[-last:])
        warning = typer.style("WARNING:", fg=typer.colors.BRIGHT_YELLOW)
        question = f"Do you want to revert the following migrations?\n{bullets}{warning} you will lose all data in "
        console.require(f"{question}this database.", default=False)
        version = applied[-last - 1]
        say(f"Resetting database to version: {version}")
        begin_anew(cursor, target, version)


def begin_anew(cursor: Cursor, target: DatabaseTarget, version: str | None, seed: bool = True) -> None:
    """Drop what the project made, run its migrations up to a version, seed. Raises `ProjectError`."""
    project, config = project_of(target), target.config
    drop_user_objects(cursor, say)
    files = local_migrations(project) if config.flag("db.migrations.enabled") else []
    apply(cursor, target, [file for file in files if version is None or file.version <= version])
    reset_session(cursor, session_role(target))
    if seed and config.flag("db.seed.enabled"):
        run_seeds(cursor, pending_seeds(cursor, project, config.items("db.seed.sql_paths"), say), say)


def fetch_migrations(target: DatabaseTarget, console: Console) -> None:
    """Write the files of the history. Raises `CommandFailure` and `Declined`."""
    folder = project_of(target).migrations_folder
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        console.require(f"Do you want to overwrite existing files in {bold(FOLDER)} directory?", default=True)
    with connected(target) as connection, connection.cursor() as cursor:
        found = read_history(cursor)
    for line in found:
        # A name out of a database must not lead out of the folder.
        name = f"{line.version}_{line.name}.sql"
        if Path(name).name != name or "\0" in name:
            raise CommandFailure(f"failed to write migration: {name!r} is no name of a file")
        (folder / name).write_text(";\n".join(line.statements) + ";\n", encoding="utf-8")
