"""A queued mail is claimed for some minutes and sent outside any transaction: a slow mail server holds nothing."""

from minato.migrate.sql_file import run_sql

revision = "0053"
down_revision = "0052"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
