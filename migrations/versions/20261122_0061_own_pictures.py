"""Pictures of members and offers are files of this server."""

from migrations.sql_file import run_sql

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
