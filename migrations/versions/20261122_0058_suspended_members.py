"""A suspended member reads, and writes to the team; nothing else."""

from minato.migrate.sql_file import run_sql

revision = "0058"
down_revision = "0057"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
