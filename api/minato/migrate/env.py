"""Alembic's entry point: one psycopg2 connection, one transaction per revision, one runner at a time.

Configured by `minato.migrate.run`, never by an ini file: `config.attributes` carries `dsn` and collects `warnings`.
"""

import psycopg2
from alembic import context
from sqlalchemy import Connection, NullPool, create_engine, text

from minato.migrate.former_chain import adopt_former_chain
from minato.migrate.revisions import VERSION_SCHEMA, VERSION_TABLE

_RUNNERS_LOCK = 0x6D696E61746F  # "minato"


def _hold_runners_lock(connection: Connection) -> None:
    """Let a second process wait here, and then find nothing left to do."""
    connection.execute(text("select pg_advisory_lock(:key)"), {"key": _RUNNERS_LOCK})
    connection.execute(text(f"create schema if not exists {VERSION_SCHEMA}"))
    connection.commit()


class _Warnings:
    """Stands in for a connection's list of notices: keeps the warnings, drops what is only of interest in psql."""

    def __init__(self, kept: list[str]) -> None:
        self._kept = kept

    def append(self, notice: str) -> None:
        severity, _, message = notice.partition(":")
        if severity == "WARNING":
            self._kept.append(message.strip())


def _connect(dsn: str, warnings: list[str]) -> object:
    connection = psycopg2.connect(dsn)
    connection.notices = _Warnings(warnings)
    with connection.cursor() as cursor:
        # In a database that a project had before, a function of its own may fit better than the one that is meant.
        cursor.execute("set search_path = pg_catalog, pg_temp")
    connection.commit()
    return connection


def run_migrations() -> None:
    """Run the revisions Alembic chose on a connection of their own."""
    asked = context.config.attributes
    engine = create_engine(
        "postgresql+psycopg2://", creator=lambda: _connect(asked["dsn"], asked["warnings"]), poolclass=NullPool
    )
    with engine.connect() as connection:
        _hold_runners_lock(connection)
        adopt_former_chain(connection)
        connection.commit()
        context.configure(
            connection=connection,
            transaction_per_migration=True,
            version_table=VERSION_TABLE,
            version_table_schema=VERSION_SCHEMA,
        )
        with context.begin_transaction():
            context.run_migrations()


run_migrations()
