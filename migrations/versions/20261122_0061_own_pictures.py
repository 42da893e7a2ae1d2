"""Pictures of members are files of this server; those of offers are, too, or lie at a web address."""

from minato.migrate.sql_file import run_sql

revision = "0061"
down_revision = "0060"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
