"""What writes to the tables of auth has the rights of auth, for triggers of the project's stand there."""

from minato.migrate.sql_file import run_sql

revision = "0131"
down_revision = "0130"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
