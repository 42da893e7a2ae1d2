"""The marketplace's settings, its administrator, and the guards its tables share."""

from minato.migrate.sql_file import run_sql

revision = "0020"
down_revision = "0010"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
