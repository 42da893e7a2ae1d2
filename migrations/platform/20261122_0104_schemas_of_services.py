"""Schemas that dumps of a hosted project name."""

from minato.migrate.sql_file import run_sql

revision = "0104"
down_revision = "0103"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
