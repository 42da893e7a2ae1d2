"""Who may invite, and how often."""

from minato.migrate.sql_file import run_sql

revision = "0078"
down_revision = "0077"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
