"""A picture of a car has a type: one that nobody gave is no JPEG."""

from minato.migrate.sql_file import run_sql

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
