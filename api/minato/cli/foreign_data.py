"""Keeps Minato out of databases that are somebody else's: what is neither empty nor ours is not touched."""

from __future__ import annotations

import psycopg2

from minato.cli.errors import CommandError

# What an empty database has, and what stays in one that was ours: extensions and their schemas are nobody's data.
_FOUND = """
select coalesce(
    (select 'the schema ' || quote_ident(n.nspname) from pg_namespace n
     where n.nspname not in ('public', 'extensions', 'information_schema', 'minato') and n.nspname !~ '^pg_'
     and not exists (select from pg_depend d where d.classid = 'pg_namespace'::regclass and d.objid = n.oid
                     and d.deptype = 'e')
     and not exists (select from pg_extension e where e.extnamespace = n.oid)
     order by n.nspname limit 1),
    (select 'public.' || quote_ident(c.relname) from pg_class c
     where c.relnamespace = to_regnamespace('public')
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                     and d.deptype = 'e')
     order by c.relname limit 1),
    (select 'public.' || quote_ident(p.proname) || '()' from pg_proc p
     where p.pronamespace = to_regnamespace('public')
     and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid
                     and d.deptype = 'e')
     order by p.proname limit 1))
"""


def refuse_foreign_data(dsn: str) -> None:
    """Look before the first statement that writes. Raises `CommandError`."""
    connection = psycopg2.connect(dsn)
    try:
        with connection.cursor() as cursor:
            cursor.execute(_FOUND)
            row = cursor.fetchone()
    finally:
        connection.close()
    if row and row[0] is not None:
        raise CommandError(
            f"DATABASE_URL names a database that is neither empty nor Minato's (it has {row[0]}): nothing was changed; "
            "name an empty database."
        )
