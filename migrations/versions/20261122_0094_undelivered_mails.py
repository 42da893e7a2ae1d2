"""The back office lists the mails that could not be delivered, sends them again or gives them up."""

from minato.migrate.sql_file import run_sql

revision = "0094"
down_revision = "0093"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
