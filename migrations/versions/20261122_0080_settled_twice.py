"""Completing a request a second time changes nothing and refuses nothing."""

from minato.migrate.sql_file import run_sql

revision = "0080"
down_revision = "0079"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
