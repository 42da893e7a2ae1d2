"""Brings a database to the newest revision and sees to it that our roles can log in."""

from __future__ import annotations

import psycopg2

from minato.cli.errors import CommandError
from minato.cli.logins import set_password, with_login
from minato.cli.progress import Progress
from minato.cli.target import Target
from minato.migrate.run import current, head, upgrade


def migrate_if_needed(target: Target, progress: Progress) -> Target:
    """Run what is missing; a database that is up to date costs one query and no Alembic. Raises `CommandError`.

    What comes back is where requests log in from now on.
    """
    try:
        if current(target.address.admin) != head():
            with progress.step("Migrating the database"):
                warnings = upgrade(target.address.admin)
            for warning in warnings:
                progress.warn(warning)
            if target.embedded:
                _set_passwords(target)
        # At every start: the JWT secret, which the password follows from, may be another one than last time.
        return with_login(target, progress)
    except psycopg2.OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None


def _set_passwords(target: Target) -> None:
    """Let people log in to a cluster of ours with the password we know."""
    connection = psycopg2.connect(target.address.admin)
    try:
        with connection, connection.cursor() as cursor:
            for role, password in target.passwords.items():
                set_password(cursor, role, password)
    finally:
        connection.close()
