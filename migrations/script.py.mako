"""${message}."""

from migrations.sql_file import run_sql

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
