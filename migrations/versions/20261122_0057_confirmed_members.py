"""Whoever never confirmed an address or a number is nobody to other members."""

from minato.migrate.sql_file import run_sql

revision = "0057"
down_revision = "0053"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
