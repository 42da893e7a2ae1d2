"""Reads what the lints know, in one transaction that sees one moment and writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from psycopg2.extensions import connection as Connection
from psycopg2.extensions import cursor as Cursor

from minato.advisors.snapshot import (
    API_ROLES,
    Column,
    Extension,
    ForeignKey,
    Index,
    Policy,
    Relation,
    Routine,
    Snapshot,
)
from minato.advisors.snapshot import (
    Sequence as Counter,
)

# What a catalogue answers: each query knows its own columns.
Row = tuple[Any, ...]

# Every name outside pg_catalog is printed with its schema, as expressions and definitions are read here.
_BEGIN: Final = "begin isolation level repeatable read read only; set local search_path = ''"
# The platform's schemas, and those that extensions make; what a project puts there is theirs to look after.
_KEPT: Final = (
    *("pg\\_%", "information\\_schema", "auth", "storage", "realtime", "vault", "extensions", "minato%", "cron", "net"),
    *("\\_analytics", "\\_realtime", "\\_supavisor", "dbdev", "etl", "graphql", "graphql\\_public", "pgbouncer"),
    *("pgmq", "pgroonga", "pgsodium%", "pgtle", "repack", "supabase\\_functions", "supabase\\_migrations", "tiger%"),
    *("timescaledb\\_%", "\\_timescaledb\\_%", "topology", "storage\\_vectors"),
)
# Of these only the policies are read: they are the project's.
_WITH_POLICIES: Final = ("auth", "storage", "realtime")
_MEMBER: Final = (
    "exists (select from pg_depend d where d.classid = '{}'::regclass and d.objid = {}.oid and d.deptype = 'e')"
)
_SCHEMAS: Final = """
select coalesce(array_agg(n.oid) filter (where not n.nspname like any (%(kept)s)), '{}'),
  coalesce(array_agg(n.oid) filter (where n.nspname = any (%(with_policies)s)), '{}')
from pg_namespace n
"""
_EXPOSED: Final = """
select substr(setting, length('pgrst.db_schemas=') + 1)
from pg_db_role_setting s join pg_roles r on r.oid = s.setrole, unnest(s.setconfig) setting
where r.rolname = 'authenticator' and s.setdatabase = 0 and setting like 'pgrst.db\\_schemas=%%'
"""
_RELATIONS: Final = f"""
select c.oid, n.nspname, c.relname, c.relkind, c.relpersistence = 'u', c.relrowsecurity, c.relispartition,
  c.relreplident, coalesce(c.reloptions, '{{}}'),
  array(select r.rolname || ' ' || p from pg_roles r, unnest('{{SELECT,INSERT,UPDATE,DELETE}}'::text[]) p
    where r.rolname = any (%(roles)s) and has_schema_privilege(r.oid, n.oid, 'USAGE')
      and (has_table_privilege(r.oid, c.oid, p)
        or (p <> 'DELETE' and has_any_column_privilege(r.oid, c.oid, p))))
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relnamespace = any (%(schemas)s) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and not {_MEMBER.format("pg_class", "c")}
order by n.nspname, c.relname
"""
_COLUMNS: Final = """
select a.attrelid, a.attnum, a.attname, t.typname, a.attnotnull,
  array(select r.rolname from pg_roles r
    where r.rolname = any (%(roles)s) and has_column_privilege(r.oid, a.attrelid, a.attnum, 'SELECT'))
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
where c.relnamespace = any (%(schemas)s) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
order by a.attrelid, a.attnum
"""
_POLICIES: Final = """
select n.nspname, c.relname, c.oid, p.polname, p.polcmd, p.polpermissive,
  array(select coalesce(r.rolname, 'public') from unnest(p.polroles) o left join pg_roles r on r.oid = o order by 1),
  pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid),
  array(select distinct d.refobjid::int8 from pg_depend d
    where d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refclassid = 'pg_proc'::regclass)
from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
where c.relnamespace = any (%(schemas)s) or c.relnamespace = any (%(with_policies)s)
order by n.nspname, c.relname, p.polname
"""
_ROUTINES: Final = f"""
select p.oid, n.nspname, p.proname, pg_get_function_identity_arguments(p.oid), p.prosecdef, p.provolatile,
  coalesce(p.proconfig, '{{}}'), l.lanname, p.prorettype in ('trigger'::regtype, 'event_trigger'::regtype),
  p.prosqlbody is not null,
  array(select r.rolname from pg_roles r where r.rolname = any (%(roles)s)
    and has_schema_privilege(r.oid, n.oid, 'USAGE') and has_function_privilege(r.oid, p.oid, 'EXECUTE')),
  pg_get_functiondef(p.oid)
from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
where p.pronamespace = any (%(schemas)s) and p.prokind in ('f', 'p')
  and l.lanname not in ('c', 'internal') and not {_MEMBER.format("pg_proc", "p")}
order by n.nspname, p.proname, 4
"""
_FOREIGN_KEYS: Final = """
select k.conrelid, k.conname, k.conkey, k.confrelid, k.confkey, coalesce(i.indisprimary, false)
from pg_constraint k join pg_class c on c.oid = k.conrelid left join pg_index i on i.indexrelid = k.conindid
where k.contype = 'f' and k.conparentid = 0 and c.relnamespace = any (%(schemas)s)
order by k.conrelid, k.conname
"""
# Two with the same method, keys, operator classes, collations, order, contents and condition are alike.
_INDEXES: Final = """
select i.indexrelid, i.indrelid, n.nspname, x.relname, i.indisunique, i.indisprimary, i.indisvalid,
  (i.indkey::int2[])[0:i.indnkeyatts - 1], pg_get_expr(i.indpred, i.indrelid),
  concat_ws('/', x.relam, i.indnkeyatts, i.indkey, i.indclass, i.indcollation, i.indoption, i.indnullsnotdistinct,
    pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid), x.reloptions),
  (select k.conname from pg_constraint k where k.conindid = x.oid and k.contype in ('p', 'u', 'x')),
  i.indisreplident or i.indisexclusion or x.relispartition
    or exists (select from pg_constraint k where k.conindid = x.oid and k.contype = 'f')
from pg_index i join pg_class x on x.oid = i.indexrelid join pg_namespace n on n.oid = x.relnamespace
where x.relnamespace = any (%(schemas)s)
order by n.nspname, x.relname
"""
_EXTENSIONS: Final = """
select e.extname, n.nspname, e.extrelocatable, e.extversion, a.default_version
from pg_extension e join pg_namespace n on n.oid = e.extnamespace
left join pg_available_extensions a on a.name = e.extname
order by e.extname
"""
_SEQUENCES: Final = """
select n.nspname, c.relname, t.typname, s.seqmin, s.seqmax, s.seqincrement, s.seqcycle,
  case when has_sequence_privilege(c.oid, 'SELECT,USAGE') then pg_sequence_last_value(c.oid) end,
  d.refobjid::int8, d.refobjsubid
from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
join pg_type t on t.oid = s.seqtypid
left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid
  and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
where c.relnamespace = any (%(schemas)s)
order by n.nspname, c.relname
"""
_READS: Final = """
select distinct r.ev_class::int8, d.refobjid::int8
from pg_rewrite r join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
  and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class
join pg_class c on c.oid = d.refobjid and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relnamespace <> 'pg_catalog'::regnamespace
"""
_PUBLISHED: Final = """
select distinct c.oid::int8
from pg_publication p join pg_publication_tables t on t.pubname = p.pubname
join pg_class c on c.relname = t.tablename
join pg_namespace n on n.oid = c.relnamespace and n.nspname = t.schemaname
where p.pubupdate or p.pubdelete
"""
_QUEUES: Final = """
select n.nspname, c.relname, c.relrowsecurity
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'pgmq' and c.relkind in ('r', 'p') and c.relname ~ '^[qa]_'
order by c.relname
"""
_BUCKETS: Final = "select id from storage.buckets where public"
_ACCOUNTS: Final = "select to_regclass('auth.users')::oid::int8, to_regclass('storage.buckets') is not null"


def read_snapshot(connection: Connection, exposed: Sequence[str]) -> Snapshot:
    """What is there now; `exposed` are the schemas of the data API where the database does not say itself. The session
    is in autocommit. Raises psycopg2.Error."""
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN)
        try:
            return _Reading(cursor).read(exposed)
        finally:
            cursor.execute("rollback")


class _Reading:
    """`parameters` are those of every query: the schemas that are read, and the roles of the data API."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        kept = {"kept": list(_KEPT), "with_policies": list(_WITH_POLICIES)}
        cursor.execute(_SCHEMAS, kept)
        schemas, with_policies = cursor.fetchall()[0]
        self._parameters = {"schemas": schemas, "with_policies": with_policies, "roles": list(API_ROLES)}

    def read(self, exposed: Sequence[str]) -> Snapshot:
        (accounts, has_buckets), *_ = self._rows(_ACCOUNTS)
        relations = [Relation(*_plain(row)) for row in self._rows(_RELATIONS)]
        routines = [Routine(*_plain(row)) for row in self._rows(_ROUTINES)]
        return Snapshot(
            exposed=self._exposed() or tuple(exposed),
            relations={relation.oid: relation for relation in relations},
            columns=tuple(Column(*_plain(row)) for row in self._rows(_COLUMNS)),
            policies=tuple(Policy(*_plain(row)) for row in self._rows(_POLICIES)),
            routines={routine.oid: routine for routine in routines},
            foreign_keys=tuple(ForeignKey(*_plain(row)) for row in self._rows(_FOREIGN_KEYS)),
            indexes=tuple(Index(*_plain(row)) for row in self._rows(_INDEXES)),
            extensions=tuple(Extension(*row) for row in self._rows(_EXTENSIONS)),
            sequences=tuple(Counter(*row) for row in self._rows(_SEQUENCES)),
            reads=tuple((view, read) for view, read in self._rows(_READS)),
            published=frozenset(oid for (oid,) in self._rows(_PUBLISHED)),
            public_buckets=frozenset(name for (name,) in self._rows(_BUCKETS)) if has_buckets else frozenset(),
            queues=tuple((schema, name, guarded) for schema, name, guarded in self._rows(_QUEUES)),
            accounts=accounts,
        )

    def _exposed(self) -> tuple[str, ...]:
        """The schemas that the API's own login says, as PostgREST reads them."""
        rows = self._rows(_EXPOSED)
        return tuple(name.strip() for name in rows[0][0].split(",")) if rows else ()

    def _rows(self, query: str) -> list[Row]:
        self._cursor.execute(query, self._parameters)
        return list(self._cursor.fetchall())


def _plain(row: Row) -> Row:
    return tuple(tuple(value) if isinstance(value, list) else value for value in row)
