"""Realtime: subscriptions to row changes, their filters, and the publications."""

from minato.migrate.sql_file import run_sql

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
