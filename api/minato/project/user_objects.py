"""Removes what a project made in a database, and the accounts of its users, as the Supabase CLI does before it runs the
migrations anew. The platform's schemas, the roles and the stored files' rows stay.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import psycopg2
import psycopg2.errors
from psycopg2.extensions import cursor as Cursor

from minato.project.errors import ProjectError

Tell = Callable[[str], None]

# Of no project, whoever owns them: the reference's, its services' and ours.
KEPT_SCHEMAS: Final = (
    *("information_schema", "public", "extensions", "auth", "storage", "realtime", "vault", "minato", "minato_events"),
    *("_analytics", "_realtime", "_supavisor", "graphql", "graphql_public", "pgbouncer", "pgmq", "pgsodium", "pgtle"),
    *("supabase_functions", "supabase_migrations", "net", "cron", "storage_vectors"),
)
KEPT_EXTENSIONS: Final = (
    *("pg_graphql", "pg_net", "pg_stat_statements", "pgcrypto", "pgjwt", "pgsodium", "plpgsql", "supabase_vault"),
    "uuid-ossp",
)
_EMPTYING: Final = "truncating table"
# Each asks for the statements of one kind, in this order: what an earlier one takes along is not there any more.
_STEPS: Final = (
    (
        "dropping schema",
        """
        select n.nspname::text, format('drop schema if exists %%I cascade', n.nspname)
        from pg_namespace n left join pg_depend d on d.objid = n.oid and d.deptype = 'e'
        where d.objid is null and n.nspname <> all (%(schemas)s) and n.nspname !~ '^pg_'
        and n.nspowner::regrole::text <> 'supabase_admin' order by 1
        """,
    ),
    # They are made of an extension that goes with the next step. Buckets stay, as those of files do. What a hosted
    # project calls so is its own service's.
    (
        "dropping vectors",
        """
        select c.oid::regclass::text, format('drop table if exists %%s cascade', c.oid::regclass)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'storage_vectors' and c.relkind = 'r' and to_regnamespace('minato') is not null order by 1
        """,
    ),
    (
        "dropping extension",
        """
        select extname::text, format('drop extension if exists %%I cascade', extname)
        from pg_extension where extname <> all (%(extensions)s) order by 1
        """,
    ),
    (
        "dropping function",
        """
        select p.oid::regprocedure::text, format('drop routine if exists %%s cascade', p.oid::regprocedure)
        from pg_proc p left join pg_depend d on d.objid = p.oid and d.deptype = 'e'
        where d.objid is null and p.pronamespace = 'public'::regnamespace order by 1
        """,
    ),
    (
        "dropping relation",
        """
        select c.oid::regclass::text, format('drop %%s if exists public.%%I cascade', case c.relkind
            when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
            when 'f' then 'foreign table' else 'table' end, c.relname)
        from pg_class c left join pg_depend d on d.objid = c.oid and d.deptype in ('e', 'i', 'a')
            and d.classid = 'pg_class'::regclass
        where d.objid is null and c.relnamespace = 'public'::regnamespace
        and c.relkind in ('v', 'm', 'r', 'p', 'f', 'S')
        order by array_position(array['v', 'm', 'r', 'p', 'f', 'S'], c.relkind::text), 1
        """,
    ),
    (
        "dropping type",
        """
        select t.oid::regtype::text, format('drop type if exists public.%%I cascade', t.typname)
        from pg_type t left join pg_class c on c.oid = t.typrelid
        left join pg_depend d on d.objid = t.oid and d.deptype in ('e', 'i')
        where d.objid is null and t.typnamespace = 'public'::regnamespace
        and (c.relkind = 'c' or t.typtype in ('e', 'd', 'r', 'b')) and t.typelem = 0 order by 1
        """,
    ),
    (
        "dropping policy",
        """
        select policyname::text, format('drop policy if exists %%I on %%I.%%I', policyname, schemaname, tablename)
        from pg_policies where schemaname <> 'minato' order by 1
        """,
    ),
    (
        "dropping publication",
        """
        select pubname::text, format('drop publication if exists %%I', pubname) from pg_publication
        where pubname !~ '^(supabase_realtime|realtime_messages)' order by 1
        """,
    ),
    (
        _EMPTYING,
        """
        select c.oid::regclass::text, format('truncate %%s cascade', c.oid::regclass)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition and (
            (n.nspname = 'auth' and c.relname <> 'schema_migrations')
            or (n.nspname = 'storage' and c.relname = 'vector_indexes' and to_regnamespace('minato') is not null)
            or (n.nspname = 'supabase_functions' and c.relname <> 'migrations') or n.nspname = 'supabase_migrations')
        order by n.nspname, c.relname
        """,
    ),
)
_MARKS: Final = """
select to_regclass('auth.users') is not null and to_regclass('storage.objects') is not null
and (select count(*) from pg_roles where rolname in ('anon', 'authenticated', 'service_role')) = 3
"""


def require_platform(cursor: Cursor) -> None:
    """Raises `ProjectError` for a database that is neither Supabase's nor Minato's, before anything is touched."""
    cursor.execute(_MARKS)
    if cursor.fetchone() != (True,):
        raise ProjectError(
            "This database is neither Supabase's nor Minato's: it has no auth.users and storage.objects. "
            "Nothing was changed.",
            "Name a database that a project was pushed to, or empty this one yourself.",
        )


def drop_user_objects(cursor: Cursor, tell: Tell) -> None:
    """All of it or nothing. Raises psycopg2.Error."""
    cursor.execute("begin")
    try:
        for label, query in _STEPS:
            cursor.execute(query, {"schemas": list(KEPT_SCHEMAS), "extensions": list(KEPT_EXTENSIONS)})
            for name, statement in cursor.fetchall():
                tell(f"NOTICE (00000): {label}: {name}")
                _run(cursor, statement, f"delete from {name}" if label == _EMPTYING else None)
        cursor.execute("commit")
    except psycopg2.Error:
        if not cursor.connection.closed:
            cursor.execute("rollback")
        raise


def _run(cursor: Cursor, statement: str, instead: str | None) -> None:
    """A statement, and where one is not allowed on what hangs on a table, the other that leaves that to its owner."""
    cursor.execute("savepoint one_statement")
    try:
        cursor.execute(statement)
    except psycopg2.errors.InsufficientPrivilege:
        if instead is None:
            raise
        cursor.execute("rollback to savepoint one_statement")
        cursor.execute(instead)
    cursor.execute("release savepoint one_statement")
