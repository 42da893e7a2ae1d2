"""An invitation the administrator made is marked as such, and the agent is told."""

from minato.migrate.sql_file import run_sql

revision = "0077"
down_revision = "0074"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
