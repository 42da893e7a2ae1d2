"""Notification mails say what they are about: the message, the request, the reason, and who sent it."""

from minato.migrate.sql_file import run_sql

revision = "0065"
down_revision = "0062"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
