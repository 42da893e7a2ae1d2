"""The record of what administrators did is a list of its own, and names who did it."""

from minato.migrate.sql_file import run_sql

revision = "0089"
down_revision = "0088"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
