"""Who names an administrator by command ends the sessions that the account has."""

from minato.migrate.sql_file import run_sql

revision = "0132"
down_revision = "0131"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
