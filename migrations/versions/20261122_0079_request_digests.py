"""Agents hear of the requests that suit them, in a digest."""

from minato.migrate.sql_file import run_sql

revision = "0079"
down_revision = "0078"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
