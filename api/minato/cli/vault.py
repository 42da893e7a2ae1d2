"""`minato vault rotate-key`: a new root key for the vault, under which every secret of every database is put.

The new key stands first in `vault.key` before a secret is touched, and the former ones stay below it until all are
done: cut off anywhere, each secret still opens, and a second run goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg2
import typer
from psycopg2.extensions import connection as Connection

from minato.cli.errors import CommandError
from minato.cli.options import load_settings
from minato.cli.secrets_file import jwt_secret
from minato.cli.target import opened_target
from minato.postgres.account import choose_account
from minato.postgres.layout import Layout
from minato.postgres.vault_key import new_key, read_keys, write_keys

# One rotation at a time: the lock's number is "vault" in ASCII.
_ALONE: Final = f"select pg_advisory_lock({int.from_bytes(b'vault')})"
_DATABASES: Final = "select datname, datallowconn from pg_database where datname <> 'template0' order by datname"
# Whoever makes a database makes schemas in it: what only has the vault's name is not called as the superuser.
_HAS_VAULT: Final = """select exists (
    select from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_proc'::regclass and d.objid = to_regprocedure('vault._encrypt_again()')
        and d.refclassid = 'pg_catalog.pg_extension'::regclass and d.deptype = 'e' and e.extname = 'supabase_vault')"""
_ENCRYPT_AGAIN: Final = "select vault._encrypt_again()"


def rotate_key(data_dir: Path | None, forget: bool) -> None:
    """Make it; with `forget` the former keys go, when every database was reached. Raises `CommandError`."""
    settings = load_settings(data_dir)
    if settings.database.database_url is not None:
        raise CommandError("The server that DATABASE_URL names keeps the key of its own vault: rotate it there.")
    layout = Layout(settings.server.data_dir.absolute())
    account = choose_account(layout.cluster)
    with opened_target(settings, jwt_secret(settings.server)) as target, _session(target.address.admin) as session:
        _ask(session, _ALONE)
        keys = [new_key(), *read_keys(layout.vault_key)]
        write_keys(layout.vault_key, keys, account)
        counted, left_out = _encrypt_again(session, target.address.admin)
        if forget and not left_out:
            write_keys(layout.vault_key, keys[:1], account)
    typer.echo(f"{counted} secrets are under a new key, the first line of {layout.vault_key}.")
    if left_out:
        typer.echo(f"Not reached, so the former keys stay: {', '.join(left_out)}.", err=True)
    elif forget:
        typer.echo("The former keys are gone: dumps and backups from before open no more.")
    else:
        typer.echo("The former keys stay below it, for dumps and backups; --forget removes them.")


def _encrypt_again(session: Connection, url: str) -> tuple[int, list[str]]:
    """How many secrets there are in all databases, and the names of those that take no connections."""
    counted, left_out = 0, []
    with session.cursor() as cursor:
        cursor.execute(_DATABASES)
        databases = cursor.fetchall()
    for name, is_open in databases:
        if not is_open:
            left_out.append(name)
            continue
        with _session(urlunsplit(urlsplit(url)._replace(path=f"/{quote(name, safe='')}"))) as database:
            if _ask(database, _HAS_VAULT):
                counted += _ask(database, _ENCRYPT_AGAIN)
    return counted, left_out


@contextmanager
def _session(url: str) -> Iterator[Connection]:
    try:
        connection = psycopg2.connect(url)
    except psycopg2.OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None
    connection.autocommit = True
    try:
        yield connection
    finally:
        connection.close()


def _ask(session: Connection, statement: str) -> int:
    """The one value of an answer, as a number. Raises `CommandError` with PostgreSQL's words."""
    with session.cursor() as cursor:
        try:
            cursor.execute(statement)
        except psycopg2.DataError as error:
            raise CommandError(f"A secret could not be opened, so none was changed here: {error}") from None
        row = cursor.fetchone()
        return int(row[0]) if row and row[0] else 0
