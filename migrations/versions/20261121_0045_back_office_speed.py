"""The back office on a platform of years: days have an index, and a page of requests is only a page."""

from minato.migrate.sql_file import run_sql

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
