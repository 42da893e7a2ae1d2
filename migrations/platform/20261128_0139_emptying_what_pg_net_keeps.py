"""pg_net's tables may be emptied by truncate, also where the extension was created before that was so."""

from minato.migrate.sql_file import run_sql

revision = "0139"
down_revision = "0138"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
