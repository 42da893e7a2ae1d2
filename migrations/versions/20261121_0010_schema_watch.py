"""Tell the API when the schema changes."""

from minato.migrate.sql_file import run_sql

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
