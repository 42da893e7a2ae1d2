"""Event triggers, publications of everything and foreign data wrappers, which `postgres` makes though a superuser's."""

from minato.migrate.sql_file import run_sql

revision = "0130"
down_revision = "0120"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
