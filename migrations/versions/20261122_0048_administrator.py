"""The administrator's role follows a password set by way of a mail to the address, no longer the address alone."""

from minato.migrate.sql_file import run_sql

revision = "0048"
down_revision = "0046"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
