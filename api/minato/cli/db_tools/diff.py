"""`db diff`: what would turn the project's migrations into the database as it is, as SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

import typer

from minato.cli.db_tools.shadow import declared_files, shadow_of
from minato.cli.local.database_target import DatabaseTarget, open_session
from minato.cli.local.failures import CommandFailure, bold, named
from minato.cli.local.git_branch import git_branch
from minato.cli.local.plan import say
from minato.project.folder import Project
from minato.schema_diff.diff import compare, script
from minato.schema_diff.scope import Scope

_DROPS: Final = re.compile(r"drop\s+", re.IGNORECASE)
NOTHING: Final = "No schema changes found"


@dataclass(frozen=True)
class DiffOptions:
    """`file` is a migration's name, empty for standard output."""

    file: str = ""
    schemas: tuple[str, ...] = ()


def diff(target: DatabaseTarget, options: DiffOptions, now: datetime) -> None:
    """Print or write it. Raises `CommandFailure` and `ProjectError`."""
    statements = differences(target, options.schemas)
    branch = git_branch(target.place.workdir.root, target.environment)
    say(f"Finished {named('supabase db diff')} on branch {named(branch)}.\n")
    if not statements:
        say(NOTHING)
        return
    text = script(statements)
    if options.file:
        write_migration(target, options.file, text, now)
        say(
            "WARNING: Read the new migration before you keep it: what was renamed looks like something dropped and\n"
            f"something new. {named('supabase db reset')} tells whether it runs."
        )
    else:
        typer.echo(text)
    drops = [statement for statement in statements if _DROPS.search(statement)]
    if drops:
        say("Found drop statements in schema diff. Please double check if these are expected:")
        typer.secho("\n".join(drops), err=True, fg=typer.colors.YELLOW)


def differences(target: DatabaseTarget, schemas: Sequence[str]) -> list[str]:
    """The statements from the migrations to the database, or to the declarative files where the project has some."""
    project = Project(target.place.workdir.root)
    open_session(target).close()
    declared = declared_files(project, target.config) if target.is_local else []
    with shadow_of(project, target.config, target.environment, declared) as shadow:
        say(f"Diffing schemas: {','.join(schemas)}" if schemas else "Diffing schemas...")
        return compare(shadow.migrated, shadow.declared or target.dsn, Scope(tuple(schemas)))


def differences_between(target: DatabaseTarget, start: str, end: str, schemas: Sequence[str]) -> list[str]:
    """The statements between two of `local`, `migrations` and connection strings. Raises `CommandFailure`."""
    for place in (start, end):
        if place == "linked":
            raise CommandFailure("Hosted projects are reached by their connection string alone: name it instead.")
        if place not in ("local", "migrations") and not re.match(r"postgres(ql)?://", place):
            raise CommandFailure(
                f"unknown target \"{place}\": must be one of 'local', 'linked', 'migrations', or a postgres:// URL"
            )
    scope = Scope(tuple(schemas))

    def address(place: str, migrated: str) -> str:
        return {"local": target.dsn, "migrations": migrated}.get(place, place)

    if "local" in (start, end):
        open_session(target).close()
    if "migrations" not in (start, end):
        return compare(address(start, ""), address(end, ""), scope)
    project = Project(target.place.workdir.root)
    with shadow_of(project, target.config, target.environment, []) as shadow:
        return compare(address(start, shadow.migrated), address(end, shadow.migrated), scope)


def write_migration(target: DatabaseTarget, name: str, text: str, now: datetime) -> Path:
    """A new file of `supabase/migrations`, told by its path. Raises `CommandFailure`."""
    folder = Project(target.place.workdir.root).migrations_folder
    path = folder / f"{now:%Y%m%d%H%M%S}_{name}.sql"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandFailure(f"failed to write file: open {bold(str(path))}: {error.strerror}") from None
    return path
