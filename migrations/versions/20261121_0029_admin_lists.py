"""What the back office reads about members, requests and tickets."""

from minato.migrate.sql_file import run_sql

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    run_sql(__file__, lock_timeout="5s", role="postgres")
