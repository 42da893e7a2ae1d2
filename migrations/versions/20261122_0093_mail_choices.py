"""A mail can be stopped without signing in: a signed link for its reader and its kind, and a press."""

from minato.migrate.sql_file import run_sql

revision = "0093"
down_revision = "0092"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
