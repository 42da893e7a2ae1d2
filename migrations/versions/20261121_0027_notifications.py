"""What members are told by mail or SMS, as far as they want it."""

from minato.migrate.sql_file import run_sql

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
