"""What a sign-up asked for waits with its mail, so that only whoever answers that mail gets it."""

from minato.migrate.sql_file import run_sql

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
