"""Says what the owner of a foreign PostgreSQL could not give our roles, for want of rights of its own."""

from __future__ import annotations

from contextlib import closing

import psycopg2

from minato.cli.progress import Progress
from minato.cli.target import Target

NOT_EXEMPT = (
    "service_role is subject to row-level security, so most of what a service key asks is refused or hidden, storage's "
    "buckets among it: before PostgreSQL 16 only a superuser gives that right. Let one run "
    "`alter role service_role bypassrls`."
)


def tell_of_rights(target: Target, progress: Progress) -> None:
    """Warn where service keys are not what they are elsewhere. Who can't be reached is told of elsewhere."""
    if target.embedded:
        return
    try:
        with closing(psycopg2.connect(target.address.admin)) as connection, connection.cursor() as cursor:
            cursor.execute(
                "select from pg_catalog.pg_roles where rolname = 'service_role' and not (rolbypassrls or rolsuper)"
            )
            is_missing = cursor.rowcount > 0
    except psycopg2.Error:
        return
    if is_missing:
        progress.warn(NOT_EXEMPT)
