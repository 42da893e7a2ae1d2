"""Change triggers are put on one table at a time, and tell what decoding the log would tell."""

from minato.migrate.sql_file import run_sql

revision = "0137"
down_revision = "0136"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
