"""Runs SQL as the project's files are run: as `postgres`, logged in as such, statement by statement."""

from __future__ import annotations

import asyncio

import psycopg2
from minato.database.address import DatabaseAddress
from minato.project.script import begin_where_none_is_open, owner, run_statements
from minato.project.statements import split_statements


def owner_url(address: DatabaseAddress) -> str:
    """The connection string of `postgres`."""
    return address.admin.replace("supabase_admin", "postgres", 1)


async def run_project_file(address: DatabaseAddress, script: str) -> None:
    """Run it in one transaction. Raises `ProjectError`."""
    await asyncio.to_thread(_run, owner_url(address), script)


def _run(dsn: str, script: str) -> None:
    with owner(dsn) as cursor:
        run_statements(cursor, "test.sql", split_statements(script))
        begin_where_none_is_open(cursor)
        cursor.execute("commit")


def open_owner(address: DatabaseAddress) -> psycopg2.extensions.connection:
    """A session of `postgres` in autocommit."""
    connection = psycopg2.connect(owner_url(address))
    connection.autocommit = True
    return connection
