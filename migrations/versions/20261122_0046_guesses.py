"""Guesses are counted: tries of codes a person types in, and the last code an authenticator app was believed by."""

from minato.migrate.sql_file import run_sql

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
