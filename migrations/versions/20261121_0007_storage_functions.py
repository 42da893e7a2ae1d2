"""Storage: name functions, listings and permission probes."""

from minato.migrate.sql_file import run_sql

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
