"""`truncate auth.users cascade`, as seeds of projects say it, reaches the tables here that follow accounts."""

from minato.migrate.sql_file import run_sql

revision = "0101"
down_revision = "0100"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
