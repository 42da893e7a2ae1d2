"""What agents offer and importers ask for."""

from minato.migrate.sql_file import run_sql

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
