"""Storage: buckets, objects and multipart uploads."""

from minato.migrate.sql_file import run_sql

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
