"""Members learn which of their saved cars are gone."""

from minato.migrate.sql_file import run_sql

revision = "0074"
down_revision = "0073"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
