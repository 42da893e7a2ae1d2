"""Schemas, extensions and default privileges."""

from minato.migrate.sql_file import run_sql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
