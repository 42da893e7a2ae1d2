"""What a car, a budget or a deal may come to at most, as the forms say."""

from minato.migrate.sql_file import run_sql

revision = "0062"
down_revision = "0061"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
