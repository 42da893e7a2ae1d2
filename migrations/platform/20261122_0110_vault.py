"""The vault, which hosted projects have from the start, where the server has the extension."""

from minato.migrate.sql_file import run_sql

revision = "0110"
down_revision = "0104"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
