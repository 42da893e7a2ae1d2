"""What shape a car has."""

from minato.migrate.sql_file import run_sql

revision = "0073"
down_revision = "0072"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
