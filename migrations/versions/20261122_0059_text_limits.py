"""Every text a member writes has a limit."""

from minato.migrate.sql_file import run_sql

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
