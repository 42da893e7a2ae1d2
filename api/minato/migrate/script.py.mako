"""${message}."""

from minato.migrate.sql_file import run_sql

revision = "${up_revision}"
down_revision = "${down_revision}"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
