"""Receiving details that were never entered are shown to nobody outside a demonstration."""

from migrations.sql_file import run_sql

revision = "0040"
down_revision = "0034"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
