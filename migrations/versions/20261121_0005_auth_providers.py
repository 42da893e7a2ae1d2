"""Auth: signing in through others, and being the provider others sign in through."""

from minato.migrate.sql_file import run_sql

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
