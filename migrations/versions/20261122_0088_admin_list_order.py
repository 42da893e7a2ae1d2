"""The back office's lists are ordered by any column over all rows, and a page goes on after the one before."""

from minato.migrate.sql_file import run_sql

revision = "0088"
down_revision = "0086"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
