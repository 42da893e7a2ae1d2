"""What follows on `create extension`, and pg_stat_statements where the server has come to have it."""

from minato.migrate.sql_file import run_sql

revision = "0102"
down_revision = "0101"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
