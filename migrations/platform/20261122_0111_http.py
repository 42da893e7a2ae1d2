"""The extension http, as ours is, brings pg_net, which sends for it."""

from minato.migrate.sql_file import run_sql

revision = "0111"
down_revision = "0110"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
