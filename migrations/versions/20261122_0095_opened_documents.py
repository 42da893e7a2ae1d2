"""An agent is approved only by somebody who opened the documents as they are now."""

from minato.migrate.sql_file import run_sql

revision = "0095"
down_revision = "0094"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
