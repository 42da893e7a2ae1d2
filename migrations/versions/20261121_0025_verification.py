"""How an agent earns the badge."""

from minato.migrate.sql_file import run_sql

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
