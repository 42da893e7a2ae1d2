"""Which tables screens follow live."""

from minato.migrate.sql_file import run_sql

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
