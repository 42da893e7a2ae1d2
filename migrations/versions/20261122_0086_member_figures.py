"""What a public profile tells of an agent's work."""

from minato.migrate.sql_file import run_sql

revision = "0086"
down_revision = "0085"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
