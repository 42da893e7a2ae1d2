"""Who has left keeps a place: conversations stay apart, deals stay counted."""

from minato.migrate.sql_file import run_sql

revision = "0085"
down_revision = "0084"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
