"""The review judges each document, and approves nobody whose fee is open."""

from minato.migrate.sql_file import run_sql

revision = "0069"
down_revision = "0068"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
