"""Either side of a deal may dispute it, with a statement and evidence."""

from minato.migrate.sql_file import run_sql

revision = "0084"
down_revision = "0083"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
