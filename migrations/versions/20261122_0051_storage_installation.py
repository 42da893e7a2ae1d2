"""Storage: whose files lie in the store, and whether the user of a token is still there."""

from minato.migrate.sql_file import run_sql

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
