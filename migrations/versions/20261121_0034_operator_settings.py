"""How the server tells the database what its operator configured."""

from minato.migrate.sql_file import run_sql

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
