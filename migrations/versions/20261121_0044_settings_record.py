"""What the administrator changes in the settings is in the record, too."""

from minato.migrate.sql_file import run_sql

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
