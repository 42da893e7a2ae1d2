"""`minato admin`: who is administrator, decided by whoever runs the server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg2
import typer
from psycopg2.extensions import cursor as Cursor

from minato.cli.errors import CommandError
from minato.cli.options import load_settings
from minato.cli.progress import Progress
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import opened_target

ACCOUNT = "select id, email_confirmed_at is not null from auth.users where lower(email) = lower(%s) and not is_sso_user"
CONFIGURED = "select coalesce(minato.operator_setting('admin_email') #>> '{}', '')"
GRANT = "select minato.name_administrator(%s)"
REVOKE = "select minato.revoke_admin_role(%s)"
LIST = "select email from auth.users where raw_app_meta_data ->> 'role' = 'admin' order by email"


def grant(data_dir: Path | None, email: str) -> None:
    """Make the confirmed account of the configured address administrator, and end its sessions."""
    with _owner(data_dir) as cursor:
        configured = str(_value(cursor, CONFIGURED))
        if not configured:
            raise CommandError("No administrator is configured: set MINATO_ADMIN_EMAIL and start the server once.")
        if email.strip().lower() != configured.strip().lower():
            raise CommandError(f"The administrator's address is {configured} (MINATO_ADMIN_EMAIL), not {email}.")
        member, is_confirmed = _account(cursor, email)
        if not is_confirmed:
            raise CommandError(f"{email} has not confirmed the address yet.")
        _value(cursor, GRANT, member)
    typer.echo(f"{email} is administrator from the next sign-in on: whoever knows the account's password.")


def revoke(data_dir: Path | None, email: str) -> None:
    """Take the role from an account and end its sessions."""
    with _owner(data_dir) as cursor:
        if not _value(cursor, REVOKE, _account(cursor, email)[0]):
            raise CommandError(f"{email} is no administrator.")
    typer.echo(f"{email} is no administrator any more.")


def show(data_dir: Path | None) -> None:
    """Print who has the role, one address a line."""
    with _owner(data_dir) as cursor:
        cursor.execute(LIST)
        for row in cursor.fetchall():
            typer.echo(row[0])


@contextmanager
def _owner(data_dir: Path | None) -> Iterator[Cursor]:
    """A transaction of the database's owner on the newest schema."""
    from minato.cli.migrate import migrate_if_needed

    settings = load_settings(data_dir)
    with opened_target(settings, jwt_secret(settings.server)) as target:
        migrate_if_needed(settings, target, Progress())
        # Triggers of the project's run with the rights of this session.
        connection = psycopg2.connect(target.owner)
        try:
            with connection, connection.cursor() as cursor:
                yield cursor
        finally:
            connection.close()


def _account(cursor: Cursor, email: str) -> tuple[str, bool]:
    cursor.execute(ACCOUNT, (email.strip(),))
    found: tuple[str, bool] | None = cursor.fetchone()
    if found is None:
        raise CommandError(f"There is no account of {email}: sign up first.")
    return found


def _value(cursor: Cursor, statement: str, *values: str) -> object:
    cursor.execute(statement, values)
    row = cursor.fetchone()
    return row[0] if row else None
