"""How queued notifications become mails, and what is tidied by the hour."""

from minato.migrate.sql_file import run_sql

revision = "0043"
down_revision = "0040"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
