"""Brings a database to the newest revision and sees to it that our roles can log in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg2

from minato.cli.errors import CommandError
from minato.cli.foreign_data import refuse_foreign_data
from minato.cli.logins import set_password, with_login
from minato.cli.progress import Progress
from minato.cli.target import Target, open_superuser
from minato.config import Settings
from minato.migrate.revisions import head
from minato.migrate.run import current, upgrade
from minato.project.errors import ProjectError
from minato.project.folder import Project
from minato.project.migrate import left_out_extensions, migrate_project, needs_migration


def migrate_if_needed(settings: Settings, target: Target, progress: Progress) -> Target:
    """Run what is missing of the platform and of the project; a database that is up to date costs two queries and no
    Alembic. Raises `CommandError`.

    What comes back is where requests log in from now on.
    """
    with answering():
        migrate_platform(target, progress)
        if settings.server.project is not None:
            _migrate_project(Project(settings.server.project), target, progress)
        # At every start: the JWT secret, which the password follows from, may be another one than last time.
        return with_login(target, progress)


@contextmanager
def answering() -> Iterator[None]:
    """Say in a sentence that there is no database. Raises `CommandError`."""
    try:
        yield
    except psycopg2.OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None


def migrate_platform(target: Target, progress: Progress) -> bool:
    """Bring the platform's schema up to date; whether there was none before. Raises `CommandError` for a database that
    is neither empty nor Minato's, before anything is written."""
    revision = current(target.address.admin)
    if revision == head():
        return False
    if revision is None and not target.embedded:
        refuse_foreign_data(target.address.admin)
    with progress.step("Migrating the database"):
        warnings = upgrade(target.address.admin)
    for warning in warnings:
        progress.warn(warning)
    if target.embedded:
        set_passwords(target)
        give_database(target)
    return revision is None


def _migrate_project(project: Project, target: Target, progress: Progress) -> None:
    try:
        if needs_migration(target.owner, project):
            with progress.step("Migrating the project"):
                migrate_project(target.owner, project)
            left_out = left_out_extensions(target.owner)
            if left_out:
                progress.warn(f"This PostgreSQL does not have, and leaves out: {', '.join(left_out)}")
    except ProjectError as error:
        raise CommandError(str(error)) from None


def give_database(target: Target) -> None:
    """A database of ours belongs to `postgres`, as a hosted project's does: it comments on the schema public and keeps
    settings of the database."""
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("select format('alter database %I owner to postgres', current_database())")
            row = cursor.fetchone()
            assert row is not None
            cursor.execute(row[0])
    finally:
        connection.close()


def set_passwords(target: Target) -> None:
    """Let people log in to a cluster of ours with the password we know."""
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            for role, password in target.passwords.items():
                set_password(cursor, role, password)
    finally:
        connection.close()
