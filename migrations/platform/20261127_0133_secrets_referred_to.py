"""A project's tables may refer to secrets of the vault."""

from minato.migrate.sql_file import run_sql

revision = "0133"
down_revision = "0132"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
