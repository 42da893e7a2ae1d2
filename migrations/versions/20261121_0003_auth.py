"""Auth: users, identities, sessions, refresh tokens and the functions policies call."""

from minato.migrate.sql_file import run_sql

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
