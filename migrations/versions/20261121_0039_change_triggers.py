"""Row changes without logical decoding: triggers that tell of them by NOTIFY, made only where they are needed."""

from minato.migrate.sql_file import run_sql

revision = "0039"
down_revision = "0034"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
