"""`db push`: roles, migrations and seeds that a database has not seen, asked one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import typer
from psycopg2.extensions import cursor as Cursor

from minato.cli.local.database_target import DatabaseTarget, session_role
from minato.cli.local.failures import bold, named
from minato.cli.local.migrations import apply, at_database, local_migrations, project_of
from minato.cli.local.plan import say
from minato.cli.local.prompts import Console
from minato.project.folder import Migration
from minato.project.history import applied_versions, find_pending
from minato.project.script import reset_session
from minato.project.seeds import SeedFile, pending_seeds, run_roles, run_seeds

ROLES = "supabase/roles.sql"


@dataclass(frozen=True)
class Wanted:
    """What was asked for."""

    dry_run: bool = False
    include_all: bool = False
    include_roles: bool = False
    include_seed: bool = False


@dataclass(frozen=True)
class Pending:
    """What the database has not seen."""

    roles: bool
    migrations: list[Migration]
    seeds: list[SeedFile]

    def __bool__(self) -> bool:
        return self.roles or bool(self.migrations) or bool(self.seeds)


def push_database(target: DatabaseTarget, wanted: Wanted, console: Console) -> None:
    """Raises `Declined` and `ProjectError`."""
    if wanted.dry_run:
        say("DRY RUN: migrations will *not* be pushed to the database.")
    with at_database(target) as cursor:
        pending = _find(cursor, target, wanted)
        if not pending:
            typer.echo(f"{'Local' if target.is_local else 'Remote'} database is up to date.")
            return
        if wanted.dry_run:
            _show(pending)
        else:
            _push(cursor, target, pending, wanted, console)
    typer.echo(f"Finished {named('supabase db push')}.")


def _find(cursor: Cursor, target: DatabaseTarget, wanted: Wanted) -> Pending:
    project, config = project_of(target), target.config
    migrations: list[Migration] = []
    seeds: list[SeedFile] = []
    if config.flag("db.migrations.enabled"):
        migrations = find_pending(local_migrations(project), applied_versions(cursor), wanted.include_all)
    else:
        say("Skipping migrations because it is disabled in config.toml for project: ")
    if wanted.include_seed and config.flag("db.seed.enabled"):
        seeds = pending_seeds(cursor, project, config.items("db.seed.sql_paths"), say)
    elif wanted.include_seed:
        say("Skipping seed because it is disabled in config.toml for project: ")
    return Pending(wanted.include_roles and (project.folder / "roles.sql").is_file(), migrations, seeds)


def _show(pending: Pending) -> None:
    if pending.roles:
        say(f"Would create custom roles {bold(ROLES)}...")
    if pending.migrations:
        say("Would push these migrations:")
        say(_bullets(_names(pending.migrations)))
    if pending.seeds:
        say("Would seed these files:")
        say(_bullets(_paths(pending.seeds)))


def _push(cursor: Cursor, target: DatabaseTarget, pending: Pending, wanted: Wanted, console: Console) -> None:
    place, role = "local database" if target.is_local else "remote database", session_role(target)
    if pending.roles:
        console.require("Do you want to create custom roles in the database cluster?", default=True)
        run_roles(cursor, project_of(target), say)
    if pending.migrations:
        asked = f"Do you want to push these migrations to the {place}?\n{_bullets(_names(pending.migrations))}\n\n"
        console.require(asked, default=True)
        apply(cursor, target, pending.migrations)
    else:
        say("Schema migrations are up to date.")
    if pending.seeds:
        asked = f"Do you want to seed the {place} with these files?\n{_bullets(_paths(pending.seeds))}\n\n"
        console.require(asked, default=True)
        reset_session(cursor, role)
        run_seeds(cursor, pending.seeds, say)
    elif wanted.include_seed:
        say("Seed files are up to date.")


def _names(files: Sequence[Migration]) -> list[str]:
    return [file.path.name for file in files]


def _paths(seeds: Sequence[SeedFile]) -> list[str]:
    return [f"{seed.path} (hash update)" if seed.is_changed else seed.path for seed in seeds]


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f" • {bold(line)}" for line in lines)
