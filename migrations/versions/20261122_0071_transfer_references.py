"""The reference of a transfer is bounded, and whoever adds a submission as the service may have it made."""

from minato.migrate.sql_file import run_sql

revision = "0071"
down_revision = "0070"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
