"""Vector buckets: the schema in which an index has its table."""

from minato.migrate.sql_file import run_sql

revision = "0134"
down_revision = "0133"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
