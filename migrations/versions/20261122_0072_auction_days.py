"""An auction is on a day, not at an instant."""

from minato.migrate.sql_file import run_sql

revision = "0072"
down_revision = "0071"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
