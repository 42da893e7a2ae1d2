"""Receiving details that were never entered are shown to nobody outside a demonstration."""

from minato.migrate.sql_file import run_sql

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
