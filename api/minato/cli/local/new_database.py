"""What a project puts into a database: everything into a new one, in an old one nothing but what is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psycopg2
from psycopg2 import sql

from minato.cli.logins import set_password
from minato.cli.target import Target, open_superuser
from minato.project.config_file import ProjectConfig
from minato.project.folder import Project
from minato.project.history import applied_versions
from minato.project.migrate import left_out_extensions, migrate_project
from minato.project.script import owner
from minato.project.seeds import keep_secrets, pending_seeds, run_roles, run_seeds

Tell = Callable[[str], None]

# Whom tools and test suites log in as, with the password everybody knows.
LOGINS = ("postgres", "authenticator")
# As the CLI sets them; SQL of older projects reads them.
DATABASE_SETTINGS = ("app.settings.jwt_secret", "app.settings.jwt_exp")
# What a hosted project has from the start besides, as the CLI's database has: a project's files may drop it.
_BROUGHT = {"pg_net": "extensions", "pg_graphql": "graphql"}
_BRING = """
select minato.attempt(format('create extension if not exists %%I with schema %%I', name, %(schema)s))
from pg_catalog.pg_available_extensions where name = %(name)s;
select minato.give_extension(%(name)s, 'postgres')
"""
_REVOKE = """
alter default privileges for role postgres in schema public
    revoke select, insert, update, delete on tables from anon, authenticated, service_role;
alter default privileges for role postgres in schema public
    revoke usage, select on sequences from anon, authenticated, service_role;
alter default privileges for role postgres in schema public
    revoke execute on functions from anon, authenticated, service_role
"""


def fill_new_database(
    target: Target,
    config: ProjectConfig,
    project: Project,
    tell: Tell,
    through: str | None = None,
    *,
    seed: bool = True,
    roles: bool = True,
) -> None:
    """Secrets, roles, migrations and seeds, in the CLI's order; of the migrations those up to a version. Raises
    `ProjectError`."""
    if config.values.get(("api", "auto_expose_new_tables")) is False:
        _run(target.owner, _REVOKE)
    with owner(target.owner) as cursor:
        keep_secrets(cursor, vault_secrets(config), tell)
        if roles:
            run_roles(cursor, project, tell)
    if config.flag("db.migrations.enabled"):
        run_migrations(target, project, tell, through)
    if seed and config.flag("db.seed.enabled") and _has_folder(project):
        with owner(target.owner) as cursor:
            run_seeds(cursor, pending_seeds(cursor, project, config.items("db.seed.sql_paths"), tell), tell)


def vault_secrets(config: ProjectConfig) -> dict[str, str]:
    """What `[db.vault]` says, without what is empty."""
    found = {name: table.get("") for name, table in config.below("db.vault").items()}
    return {name: value for name, value in found.items() if isinstance(value, str) and value}


def run_migrations(target: Target, project: Project, tell: Tell, through: str | None = None) -> None:
    """Whatever the database has not run, up to a version. Raises `ProjectError`."""
    for sentence in project.skipped_migrations():
        tell(sentence)
    migrate_project(target.owner, project, through, tell=lambda name: tell(f"Applying migration {name}..."))
    left_out = left_out_extensions(target.owner)
    if left_out:
        tell(f"WARN: this PostgreSQL does not have, and missing_extensions leaves out: {', '.join(left_out)}")


def pending(target: Target, project: Project) -> list[str]:
    """The migrations that the database has not run; an old database gets them by `--migrate` alone."""
    connection = psycopg2.connect(target.owner)
    try:
        with connection.cursor() as cursor:
            applied = applied_versions(cursor)
    finally:
        connection.close()
    return [file.path.name for file in project.migrations() if file.version not in applied]


def let_log_in(target: Target, url: str, password: str) -> None:
    """See to it that `url` opens the database: a password is changed only when it is wrong, on a server of ours."""
    try:
        psycopg2.connect(url, connect_timeout=5).close()
    except psycopg2.OperationalError:
        connection = open_superuser(target)
        try:
            with connection, connection.cursor() as cursor:
                for role in LOGINS:
                    set_password(cursor, role, password)
        finally:
            connection.close()


def keep_database_settings(target: Target, jwt_secret: str, jwt_expiry: int) -> None:
    """`app.settings.jwt_secret` and `app.settings.jwt_exp`, as every session of the database then has them.

    A database of ours belongs to `postgres`, as the CLI's does: dumps of a project comment on the schema public. It has
    the extensions that that one has.
    """
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("select current_database()")
            row = cursor.fetchone()
            assert row is not None
            for name, value in zip(DATABASE_SETTINGS, (jwt_secret, str(jwt_expiry)), strict=True):
                setting = sql.SQL(".").join(map(sql.Identifier, name.split(".")))
                statement = sql.SQL("alter database {} set {} to {}")
                cursor.execute(statement.format(sql.Identifier(row[0]), setting, sql.Literal(value)))
            if target.embedded:
                cursor.execute(sql.SQL("alter database {} owner to postgres").format(sql.Identifier(row[0])))
                for name, schema in _BROUGHT.items():
                    cursor.execute(_BRING, {"name": name, "schema": schema})
    finally:
        connection.close()


def _has_folder(project: Project) -> bool:
    """A folder without `supabase/config.toml` and migrations has no seeds that could be missing."""
    folder = Path(project.folder)
    return folder.is_dir() and any(path.name != ".minato" for path in folder.iterdir())


def _run(dsn: str, script: str) -> None:
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("set role postgres")
            cursor.execute(script)
    finally:
        connection.close()
