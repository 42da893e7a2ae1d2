"""Realtime's publication has stored generated columns, as the reference's decoding does."""

from minato.migrate.sql_file import run_sql

revision = "0138"
down_revision = "0137"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
