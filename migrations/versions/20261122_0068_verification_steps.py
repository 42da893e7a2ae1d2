"""What happens to a submission step by step, and what each of its documents lacks."""

from minato.migrate.sql_file import run_sql

revision = "0068"
down_revision = "0066"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
