"""`migration squash`: one file with the schema that a project's migrations make, in the place of them all.

They are run on a PostgreSQL of its own, as for `db diff`. What they did to rows is lost, as in the reference.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from minato.cli.db_tools.dump import DumpOptions, dumped, planned
from minato.cli.db_tools.shadow import cloned, shadow_server
from minato.cli.local.database_target import DatabaseTarget
from minato.cli.local.failures import CommandFailure, bold, named
from minato.cli.local.migrations import (
    FOLDER,
    at_database,
    local_migrations,
    project_of,
    require_version,
    statements_of,
)
from minato.cli.local.new_database import fill_new_database, run_migrations
from minato.cli.local.plan import say
from minato.cli.local.prompts import Console
from minato.cli.target import Target
from minato.project.errors import ProjectError
from minato.project.folder import Migration, Project
from minato.project.history import baseline_history
from minato.project.migrate import make_history
from minato.project.script import begin_where_none_is_open, owner, run_statements
from minato.project.statements import split_statements
from minato.schema_diff.diff import compare, script
from minato.schema_diff.scope import Scope

# Below every version: the database before the first migration.
NOTHING = "-"
MANAGED = ("auth", "storage")
SEPARATOR = "\n--\n-- Dumped schema changes for auth and storage\n--\n\n"
REST = "\n--\n-- What a dump does not say\n--\n\n"


def squash_migrations(target: DatabaseTarget, version: str, console: Console) -> None:
    """Squash the files up to a version, then let another database's history know. Raises `CommandFailure` and
    `ProjectError`."""
    project = project_of(target)
    if version:
        require_version(project, version)
    files = [file for file in local_migrations(project) if not version or file.version <= version]
    if not files:
        raise CommandFailure("version not found")
    last = files[-1]
    shown = bold(f"{FOLDER}/{last.path.name}")
    if len(files) == 1:
        say(f"{shown} is already the earliest migration.")
    else:
        _replace(files, _schema(target, project, last.version))
        say(f"Squashed local migrations to {shown}")
    if not target.is_local and console.confirm("Update remote migration history table?", True):
        _baseline(target, project, last)
    typer.echo(f"Finished {named('supabase migration squash')}.")
    if target.is_local:
        repair = named("supabase migration repair --status applied")
        say(f"Run {repair} to update your remote migration history table.")


def _replace(files: Sequence[Migration], text: str) -> None:
    """Write the newest one whole, then remove the others."""
    last = files[-1].path
    descriptor, draft = tempfile.mkstemp(prefix=f".{last.name}.", dir=last.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as written:
            written.write(text)
        os.chmod(draft, last.stat().st_mode & 0o777)
        os.replace(draft, last)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    for file in files[:-1]:
        file.path.unlink(missing_ok=True)


def _schema(target: DatabaseTarget, project: Project, version: str) -> str:
    """What the migrations up to a version make: all but the managed schemas, and the lines that are new in those."""
    with shadow_server(target.config, target.environment) as shadow:
        fill_new_database(shadow, target.config, project, say, through=NOTHING, seed=False)
        at_shadow = replace(target, dsn=shadow.owner, is_local=False, state=None)
        before, empty = _dump(at_shadow, MANAGED), cloned(shadow)
        run_migrations(shadow, project, say, version)
        after, schema = _dump(at_shadow, MANAGED), _dump(at_shadow, ())
        text = schema + SEPARATOR + "".join(f"{line}\n" for line in added_lines(before, after))
        return text + _rest(empty, shadow, text)


def _rest(empty: Target, shadow: Target, text: str) -> str:
    """What the text does not make of a new database: a dump says who may do what, and not who may no longer do what the
    platform lets everybody do."""
    try:
        with owner(empty.owner) as cursor:
            begin_where_none_is_open(cursor)
            run_statements(cursor, "the squashed file", split_statements(text))
            cursor.execute("commit")
    except ProjectError as error:
        say(f"WARN: the squashed file does not run on a new database: {error}")
        return ""
    statements = compare(empty.address.admin, shadow.address.admin, Scope())
    return f"{REST}{script(statements)}" if statements else ""


def _dump(target: DatabaseTarget, schemas: tuple[str, ...]) -> str:
    return "".join(dumped(target, planned(DumpOptions(schemas=schemas))))


def added_lines(before: str, after: str) -> list[str]:
    """The lines that came, where none went away.

    >>> added_lines("a\\nb\\n", "a\\nnew\\nb\\nlast\\n")
    ['new', 'last']
    """
    known, found = iter(before.splitlines()), []
    anchor = next(known, None)
    for line in after.splitlines():
        if line == anchor:
            anchor = next(known, None)
        else:
            found.append(line)
    return found


def _baseline(target: DatabaseTarget, project: Project, file: Migration) -> None:
    say(f"Baselining migration history to {file.version}")
    with at_database(target) as cursor:
        make_history(cursor, project)
        cursor.execute("begin")
        baseline_history(cursor, file, statements_of(file))
        cursor.execute("commit")
