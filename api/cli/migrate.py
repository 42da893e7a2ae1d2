"""Brings a database to the newest revision and gives our roles their passwords."""

from __future__ import annotations

import psycopg2
from psycopg2 import sql

from api.cli.errors import CommandError
from api.cli.progress import Progress
from api.cli.target import Target
from migrations.run import current, head, upgrade


def migrate_if_needed(target: Target, progress: Progress) -> None:
    """Run what is missing; a database that is up to date costs one query and no Alembic. Raises `CommandError`."""
    try:
        if current(target.address.admin) != head():
            with progress.step("Migrating the database"):
                warnings = upgrade(target.address.admin)
            for warning in warnings:
                progress.warn(warning)
            set_passwords(target)
        elif not target.embedded:
            # The JWT secret, which the password follows from, may be another one than last time.
            set_passwords(target)
    except psycopg2.OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None


def set_passwords(target: Target) -> None:
    """Let the roles of `target` log in with the passwords we know."""
    connection = psycopg2.connect(target.address.admin)
    try:
        with connection, connection.cursor() as cursor:
            for role, password in target.passwords.items():
                statement = sql.SQL("alter role {} with login password {}")
                cursor.execute(statement.format(sql.Identifier(role), sql.Literal(password)))
    except psycopg2.errors.InsufficientPrivilege as error:
        raise CommandError(f"{str(error).strip()}: set AUTHENTICATOR_URL to a login of that role.") from None
    finally:
        connection.close()
