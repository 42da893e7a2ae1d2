"""GoTrue's own migrations count as done: its `auth migrate` on this database begins behind them."""

from minato.migrate.sql_file import run_sql

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
