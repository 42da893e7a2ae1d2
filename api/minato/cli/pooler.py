"""Says what a connection pooler in front of PostgreSQL can't carry."""

from __future__ import annotations

from contextlib import closing

import psycopg2

from minato.cli.progress import Progress
from minato.cli.target import Target
from minato.config import Settings

NEEDS_DIRECT = (
    "{name} leads to a connection pooler: migrations, LISTEN, logical decoding, the locks of leaders and the sessions "
    "of auth, storage and realtime need PostgreSQL itself. Set DATABASE_DIRECT_URL to its own address."
)


def tell_of_pooler(settings: Settings, target: Target, progress: Progress) -> None:
    """Warn where the owner's connections are not PostgreSQL's own. Who can't be reached is told of elsewhere."""
    if target.embedded:
        return
    try:
        with closing(psycopg2.connect(target.url)) as connection, connection.cursor() as cursor:
            cursor.execute("select pg_catalog.pg_backend_pid()")
            # A pooler makes up the process that it tells its clients.
            direct = cursor.fetchone() == (connection.info.backend_pid,)
    except psycopg2.Error:
        return
    if not direct:
        name = "DATABASE_URL" if settings.database.direct_url is None else "DATABASE_DIRECT_URL"
        progress.warn(NEEDS_DIRECT.format(name=name))
