"""Mails about the fee and about suggested agents say that the team sent them."""

from minato.migrate.sql_file import run_sql

revision = "0066"
down_revision = "0065"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
