"""The back office's lists are made by one function of the rows each of them brings; open disputes have a tab."""

from minato.migrate.sql_file import run_sql

revision = "0097"
down_revision = "0096"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
