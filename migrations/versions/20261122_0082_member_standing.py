"""A suspension is told to the member, and to every open page."""

from minato.migrate.sql_file import run_sql

revision = "0082"
down_revision = "0080"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
