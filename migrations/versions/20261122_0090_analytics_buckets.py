"""Short windows have days or weeks, and growth from nothing has no figure."""

from minato.migrate.sql_file import run_sql

revision = "0090"
down_revision = "0089"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
