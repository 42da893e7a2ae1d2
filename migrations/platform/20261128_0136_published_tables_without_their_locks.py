"""Which tables are published is asked of the catalogue alone, so that a locked one keeps nobody waiting."""

from minato.migrate.sql_file import run_sql

revision = "0136"
down_revision = "0135"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
