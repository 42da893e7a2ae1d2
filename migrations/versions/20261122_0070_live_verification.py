"""Agents follow their submission live."""

from minato.migrate.sql_file import run_sql

revision = "0070"
down_revision = "0069"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
