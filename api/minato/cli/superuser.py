"""Sessions of the login that owns the database, a superuser where the server is ours."""

from __future__ import annotations

import psycopg2
from psycopg2.extensions import connection as Connection

from minato.cli.target import Target


def open_superuser(target: Target) -> Connection:
    """A session that finds nothing of the project's: what has the name of a function that is meant, and fits better,
    would run with this session's rights. Raises psycopg2.Error."""
    connection: Connection = psycopg2.connect(target.address.admin)
    with connection.cursor() as cursor:
        cursor.execute("set search_path = pg_catalog, pg_temp")
    connection.commit()
    return connection
