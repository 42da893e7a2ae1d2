"""A database that knows nothing but the project's migrations, on a PostgreSQL of its own that goes when it was read.

Not beside the real database: roles, their settings and those of databases belong to the whole server, and a migration
that makes or changes them would fail there, or change what people use.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg2
from psycopg2 import sql

from minato.cli.interrupts import heeded_termination
from minato.cli.local.new_database import fill_new_database, keep_database_settings
from minato.cli.local.plan import say
from minato.cli.migrate import migrate_platform
from minato.cli.progress import Progress
from minato.cli.published import CLI_JWT_SECRET
from minato.cli.target import Target, embedded_target
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.project.config_file import ProjectConfig
from minato.project.folder import Project
from minato.project.script import begin_where_none_is_open, owner, run_statements
from minato.project.statements import split_statements

DATABASE: Final = "postgres"
DECLARED: Final = "contrib_regression"


@dataclass(frozen=True)
class Shadow:
    """`migrated` and, with declarative files, `declared` are connection strings of a superuser."""

    migrated: str
    declared: str | None


@contextmanager
def shadow_of(
    project: Project, config: ProjectConfig, environment: Mapping[str, str], declared: Sequence[Path]
) -> Iterator[Shadow]:
    """A database with the migrations run, and one with the declarative files instead. Raises `ProjectError`."""
    with shadow_server(config, environment) as target:
        yield _filled(target, project, config, declared)


@contextmanager
def shadow_server(config: ProjectConfig, environment: Mapping[str, str]) -> Iterator[Target]:
    """A new database as a project's start finds it before the first migration; its PostgreSQL goes with the block."""
    say("Creating shadow database...")
    with (
        heeded_termination(),
        tempfile.TemporaryDirectory(prefix="minato-shadow-", ignore_cleanup_errors=True) as folder,
    ):
        given = environment.get("MINATO_POSTGRES_BIN")
        options = EmbeddedOptions(
            Path(folder, "data"),
            Path(given) if given else None,
            durable=False,
            environment=environment,
            # What the project's own server leaves out must not stop the comparison with it.
            leave_out_extensions=True,
        )
        postgres = EmbeddedPostgres(options)
        try:
            target = embedded_target(postgres.start_now())
            say("Initialising schema...")
            migrate_platform(target, Progress(quiet=True, warn=say))
            secret = config.text("auth.jwt_secret") or CLI_JWT_SECRET
            keep_database_settings(target, secret, config.number("auth.jwt_expiry"))
            yield target
        finally:
            postgres.stop_now()


def declared_files(project: Project, config: ProjectConfig) -> list[Path]:
    """The files that say what the schema is to be: those of `db.migrations.schema_paths`, else all below
    `supabase/schemas`."""
    patterns = config.items("db.migrations.schema_paths")
    if not patterns:
        return sorted((project.folder / "schemas").rglob("*.sql"), key=lambda path: str(path))
    found: dict[Path, None] = {}
    for pattern in patterns:
        for path in sorted(project.folder.glob(pattern.removeprefix("./"))):
            found.setdefault(path)
    return [path for path in found if path.is_file()]


def _filled(target: Target, project: Project, config: ProjectConfig, declared: Sequence[Path]) -> Shadow:
    other = None
    if declared:
        other = cloned(target)
    fill_new_database(target, _without_seeds(config), project, say)
    if other is not None:
        say("Creating local database from declarative schemas:")
        for path in declared:
            say(f" • {path.relative_to(project.root)}")
        _run_files(other, project, declared)
    return Shadow(target.address.admin, other.address.admin if other else None)


def _without_seeds(config: ProjectConfig) -> ProjectConfig:
    return ProjectConfig(config.project_id, {**config.values, ("db", "seed", "enabled"): False}, config.given, [])


def cloned(target: Target) -> Target:
    """The same database before the migrations, under another name."""
    connection = psycopg2.connect(_at(target.address.admin, "template1"))
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            statement = sql.SQL("create database {} template {} owner postgres")
            cursor.execute(statement.format(sql.Identifier(DECLARED), sql.Identifier(DATABASE)))
    finally:
        connection.close()
    address = type(target.address)(_at(target.address.admin, DECLARED), _at(target.address.authenticator, DECLARED))
    return Target(address, target.url, _at(target.owner, DECLARED), target.embedded, {})


def _at(url: str, database: str) -> str:
    return url.replace(f"/{DATABASE}?", f"/{database}?", 1)


def _run_files(target: Target, project: Project, files: Sequence[Path]) -> None:
    with owner(target.owner) as cursor:
        for path in files:
            begin_where_none_is_open(cursor)
            statements = split_statements(path.read_text(encoding="utf-8"))
            run_statements(cursor, str(path.relative_to(project.root)), statements)
            cursor.execute("commit")
