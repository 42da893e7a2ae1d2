"""The roles `postgres` hands on, and the parameters it sets though they are a superuser's."""

from minato.migrate.sql_file import run_sql

revision = "0103"
down_revision = "0102"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
