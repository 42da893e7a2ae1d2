"""A publication that goes takes its triggers along on a busy database, too."""

from minato.migrate.sql_file import run_sql

revision = "0135"
down_revision = "0134"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
