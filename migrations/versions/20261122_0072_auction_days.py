"""An auction is on a day, not at an instant."""

from migrations.sql_file import run_sql

revision = "0072"
down_revision = "0070"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
