"""What the back office does; every action leaves an audit entry."""

from minato.migrate.sql_file import run_sql

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
