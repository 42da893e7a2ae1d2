"""Drops the database and creates it again, empty. Works under a running server: its connections come back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote, urlsplit, urlunsplit

import psycopg2
from psycopg2 import sql
from psycopg2.extensions import cursor as Cursor

from minato.cli.errors import CommandError
from minato.cli.target import Target

# Where to be while the database itself is away.
MAINTENANCE = "template1"

# Waits for each to be gone, up to five seconds: until then it holds its replication slot.
TERMINATE = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s"
DATABASES = "select datname from pg_database where not datistemplate"
# Who logs in for us is the one that initdb made.
ROLES = "select rolname from pg_roles where rolname !~ '^pg_' and oid <> 10"
DROP_SLOTS = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s and not active"


def recreate_database(target: Target) -> None:
    """An empty database in place of the old one, with the same name. Raises `CommandError`."""
    with _maintenance(target) as (cursor, name):
        _drop(cursor, name)
        _create(cursor, name)


def recreate_cluster(target: Target) -> None:
    """The same on a server that is ours alone: its other databases go, too, and every role but the superuser, so that
    what comes next finds what a new server has. Raises `CommandError`."""
    with _maintenance(target) as (cursor, name):
        cursor.execute(DATABASES)
        for database in {name, *(found for (found,) in cursor.fetchall())}:
            _drop(cursor, database)
        cursor.execute(ROLES)
        roles = [role for (role,) in cursor.fetchall()]
        for role in roles:
            cursor.execute(sql.SQL("drop owned by {} cascade").format(sql.Identifier(role)))
        if roles:
            cursor.execute(sql.SQL("drop role {}").format(sql.SQL(", ").join(map(sql.Identifier, roles))))
        _create(cursor, name)


@contextmanager
def _maintenance(target: Target) -> Iterator[tuple[Cursor, str]]:
    """A session beside the database, and the database's name."""
    parts = urlsplit(target.address.admin)
    try:
        connection = psycopg2.connect(urlunsplit(parts._replace(path=f"/{MAINTENANCE}")))
    except psycopg2.OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            yield cursor, unquote(parts.path.lstrip("/"))
    finally:
        connection.close()


def _create(cursor: Cursor, name: str) -> None:
    cursor.execute(sql.SQL("create database {} template template0").format(sql.Identifier(name)))


def _drop(cursor: Cursor, name: str) -> None:
    """Nobody may come back between the end of the sessions and the drop: a new replication slot would prevent it."""
    database = sql.Identifier(name)
    cursor.execute("select 1 from pg_database where datname = %s", (name,))
    if cursor.fetchone() is None:
        return
    cursor.execute(sql.SQL("alter database {} with allow_connections false").format(database))
    cursor.execute(TERMINATE, (name,))
    cursor.execute(DROP_SLOTS, (name,))
    cursor.execute(sql.SQL("drop database {} with (force)").format(database))
