"""Buckets, and who may put what where."""

from minato.migrate.sql_file import run_sql

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
