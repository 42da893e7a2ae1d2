"""Alembic's entry point: one psycopg2 connection, one transaction per revision, one runner at a time.

Configured by `migrations.run`, never by an ini file: `config.attributes` carries `dsn` and collects `warnings`.
"""

import psycopg2
from alembic import context
from sqlalchemy import Connection, NullPool, create_engine, text

from migrations.run import VERSION_SCHEMA, VERSION_TABLE

_RUNNERS_LOCK = 0x6D696E61746F  # "minato"


def _hold_runners_lock(connection: Connection) -> None:
    """Let a second process wait here, and then find nothing left to do."""
    connection.execute(text("select pg_advisory_lock(:key)"), {"key": _RUNNERS_LOCK})
    connection.execute(text(f"create schema if not exists {VERSION_SCHEMA}"))
    connection.commit()


def _collect_warnings(connection: Connection) -> None:
    """Keep the warnings, the notices are only of interest in psql."""
    notices: list[str] = connection.connection.driver_connection.notices  # type: ignore[union-attr]
    warnings: list[str] = context.config.attributes["warnings"]
    warnings.extend(notice.split(":", 1)[1].strip() for notice in notices if notice.startswith("WARNING"))


def run_migrations() -> None:
    """Run the revisions Alembic chose on a connection of their own."""
    dsn = context.config.attributes["dsn"]
    engine = create_engine("postgresql+psycopg2://", creator=lambda: psycopg2.connect(dsn), poolclass=NullPool)
    with engine.connect() as connection:
        _hold_runners_lock(connection)
        context.configure(
            connection=connection,
            transaction_per_migration=True,
            version_table=VERSION_TABLE,
            version_table_schema=VERSION_SCHEMA,
        )
        with context.begin_transaction():
            context.run_migrations()
        _collect_warnings(connection)


run_migrations()
