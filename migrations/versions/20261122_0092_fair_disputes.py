"""A suspended member chooses mails and disputes deals; a completed deal can be disputed for ninety days."""

from minato.migrate.sql_file import run_sql

revision = "0092"
down_revision = "0091"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
