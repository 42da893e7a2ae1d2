"""What members call: the directory, completing a request, leaving."""

from minato.migrate.sql_file import run_sql

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
