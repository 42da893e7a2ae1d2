"""How an offer and a request meet: invitations, deals, and the case behind a request."""

from minato.migrate.sql_file import run_sql

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
