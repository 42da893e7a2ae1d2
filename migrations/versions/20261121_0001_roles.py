"""Roles of a hosted project, and what they may log in to."""

from minato.migrate.sql_file import run_sql

revision = "0001"
down_revision = None


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
