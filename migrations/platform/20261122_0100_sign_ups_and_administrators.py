"""What a sign-up asked for waits with its mail; the administrator's role is given to the operator's one address."""

from minato.migrate.sql_file import run_sql

revision = "0100"
down_revision = "0051"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
