"""The back office follows the tables its figures come from."""

from minato.migrate.sql_file import run_sql

revision = "0091"
down_revision = "0090"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
