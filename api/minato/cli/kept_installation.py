"""Carries over a reset of the database whose files lie in the store: a running server goes on with the same place."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg2

from minato.cli.target import Target, open_superuser

HAS = "select to_regclass('minato.installation') is not null"
FIND = """
select id::text, prefix, previous::text, current::text, database, database = minato.database_identity()
from minato.installation
"""
KEEP = """
insert into minato.installation (id, prefix, previous, current, database)
values (%s, %s, %s, %s, case when %s then minato.database_identity() else %s end)
on conflict (only_one) do update set id = excluded.id, prefix = excluded.prefix,
    previous = excluded.previous, current = excluded.current, database = excluded.database
"""


def find_installation(target: Target) -> tuple[object, ...] | None:
    """What the database knows of its files; None when it was never migrated or knows nothing."""
    try:
        connection = open_superuser(target)
    except psycopg2.OperationalError:
        # There is no such database yet; whether there is a server, making one will tell.
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute(HAS)
            if cursor.fetchone() != (True,):
                return None
            cursor.execute(FIND)
            found: tuple[object, ...] | None = cursor.fetchone()
            return found
    finally:
        connection.close()


def keep_installation(target: Target, found: Sequence[object] | None) -> None:
    """Let the new database know the same; a copy that was not the owner of the files is none now."""
    if found is None:
        return
    *kept, database, original = found
    connection = open_superuser(target)
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute(KEEP, (*kept, original, database))
    finally:
        connection.close()
