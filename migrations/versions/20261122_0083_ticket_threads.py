"""Members follow and reopen their tickets, and read the answer in the mail."""

from minato.migrate.sql_file import run_sql

revision = "0083"
down_revision = "0082"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
