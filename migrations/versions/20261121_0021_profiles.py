"""Profiles: made at sign-up, read by everybody signed in, changed by their owner."""

from minato.migrate.sql_file import run_sql

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
