"""The administrator's role is given for a password chosen on a mail to that address, no longer for the address alone."""

from migrations.sql_file import run_sql

revision = "0048"
down_revision = "0046"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
