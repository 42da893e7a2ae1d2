"""Pictures no offer shows any more are deleted, and no offer takes one that is gone."""

from minato.migrate.sql_file import run_sql

revision = "0096"
down_revision = "0095"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
