"""Realtime: messages, their partitions, and sending from SQL."""

from minato.migrate.sql_file import run_sql

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
