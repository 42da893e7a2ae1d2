"""Auth: second factors, passkeys and one-time tokens."""

from minato.migrate.sql_file import run_sql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
