"""The back office's figures, computed from the rows."""

from minato.migrate.sql_file import run_sql

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
