"""What in the database would be unsafe in production: accounts that anybody opens, a login that may all."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg2
from psycopg2.extensions import cursor as Cursor

from minato.auth.people.loading import MARK
from minato.cli.errors import CommandError
from minato.cli.findings import Finding, advised, refused
from minato.cli.published import DEMO_PASSWORD
from minato.cli.seed import available_seeds, is_seeded
from minato.cli.target import Target, open_superuser
from minato.config import Settings
from minato.saml.stand_in import PREFIX

EXISTS = "select to_regclass(%s) is not null"
HASHES = "select distinct encrypted_password from auth.users where email = any(%s) and encrypted_password like '$2%%'"
FILE_PEOPLE = "select exists (select from auth.users where encrypted_password like %s)"
ORGANISATIONS = "select exists (select from auth.saml_providers where starts_with(entity_id, %s))"
IS_SUPERUSER = "select rolsuper from pg_roles where rolname = current_user"


def data_findings(settings: Settings, target: Target) -> Iterator[Finding]:
    """Everything. Raises `CommandError` when the database does not answer."""
    try:
        connection = open_superuser(target)
    except psycopg2.OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None
    try:
        with connection.cursor() as cursor:
            yield from _demo_data(settings, target, cursor)
            # An empty database has neither: the first start is examined, too.
            if _exists(cursor, "auth.users"):
                yield from _file_people(cursor)
            if _exists(cursor, "auth.saml_providers"):
                yield from _organisations(cursor)
            if not target.embedded:
                yield from _login(cursor)
    finally:
        connection.close()


def _exists(cursor: Cursor, table: str) -> bool:
    cursor.execute(EXISTS, (table,))
    return bool(cursor.fetchone() == (True,))


def _demo_data(settings: Settings, target: Target, cursor: Cursor) -> Iterator[Finding]:
    seeds = [seed for seed in available_seeds(settings).values() if is_seeded(target, seed)]
    if not seeds:
        return
    emails = [settings.server.admin_email, *(account["email"] for seed in seeds for account in seed.accounts)]
    cursor.execute(HASHES, (emails,))
    if any(_opens(DEMO_PASSWORD, hashed) for (hashed,) in cursor.fetchall()):
        yield refused(
            "Accounts of the demo data in the database have the published password.",
            "Take another database, delete those accounts, or load the data anew with DEMO_PASSWORD set.",
        )
    elif settings.server.demo_password is None:
        yield refused(
            "The demo data is in the database.", "Take another database, or set DEMO_PASSWORD to show that it is meant."
        )


def _file_people(cursor: Cursor) -> Iterator[Finding]:
    """Their passwords stand in a file, and their hashes say so."""
    cursor.execute(FILE_PEOPLE, (f"{MARK}%",))
    if cursor.fetchone() == (True,):
        yield refused(
            "Accounts of a developer's users.toml are in the database: their passwords stand in that file.",
            "Take another database, or delete those accounts.",
        )


def _organisations(cursor: Cursor) -> Iterator[Finding]:
    """Nobody but a developer's server answers for them, and whoever had its secret could."""
    cursor.execute(ORGANISATIONS, (PREFIX,))
    if cursor.fetchone() == (True,):
        yield refused(
            "A developer's organisations are in the database: anybody is one of their people, who says so.",
            "Take another database, or delete those providers of single sign-on.",
        )


def _opens(password: str, hashed: str) -> bool:
    import bcrypt

    try:
        return bcrypt.checkpw(password.encode(), hashed.encode())
    except ValueError:
        return False


def _login(cursor: Cursor) -> Iterator[Finding]:
    cursor.execute(IS_SUPERUSER)
    if cursor.fetchone() == (True,):
        yield advised("DATABASE_URL logs in as a superuser.", "Use a role that owns the database and may create roles.")
