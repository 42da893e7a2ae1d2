"""Phone numbers are shown one at a time, to members, unless their owner says no."""

from minato.migrate.sql_file import run_sql

revision = "0060"
down_revision = "0059"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
