"""`supabase_functions.http_request()`, which the triggers of database webhooks call."""

from minato.migrate.sql_file import run_sql

revision = "0120"
down_revision = "0111"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s")
