"""What members say to and about each other."""

from minato.migrate.sql_file import run_sql

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
