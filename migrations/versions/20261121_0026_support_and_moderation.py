"""Tickets, reports, and the record of what administrators did."""

from minato.migrate.sql_file import run_sql

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
