"""What the types need to know of a schema, read from pg_catalog in four queries."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg2
from psycopg2.extras import RealDictCursor

from minato.json_text import JsonObject

# `type` is the type's name, an array's element's; domains are seen through.
RELATIONS = """
select c.relname as name, c.relkind in ('v', 'm') as is_view,
       jsonb_agg(jsonb_build_object(
         'name', a.attname,
         'type', coalesce(e.typname, b.typname, t.typname),
         'is_array', coalesce(b.typcategory, t.typcategory) = 'A',
         'is_nullable', not (a.attnotnull or t.typnotnull),
         'is_optional', not (a.attnotnull or t.typnotnull) or a.atthasdef or a.attidentity <> '',
         'is_generated', a.attgenerated <> '' or a.attidentity = 'a',
         'is_writable', pg_column_is_updatable(c.oid, a.attnum, false)) order by a.attname) as columns
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join pg_type t on t.oid = a.atttypid
left join pg_type b on b.oid = t.typbasetype
left join pg_type e on e.oid = coalesce(b.typelem, t.typelem) and coalesce(b.typcategory, t.typcategory) = 'A'
where n.nspname = %s and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
group by c.oid order by c.relname
"""

FOREIGN_KEYS = """
select k.conname as name, c.relname as relation, f.relname as referenced,
       array(select a.attname::text from unnest(k.conkey) with ordinality as key(num, at)
             join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.num order by at) as columns,
       array(select a.attname::text from unnest(k.confkey) with ordinality as key(num, at)
             join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.num order by at) as referenced_columns,
       exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique and i.indpred is null
               and i.indkey::int2[] <@ k.conkey and k.conkey <@ i.indkey::int2[]) as is_one_to_one
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_class f on f.oid = k.confrelid
join pg_namespace n on n.oid = c.relnamespace
join pg_namespace fn on fn.oid = f.relnamespace
where k.contype = 'f' and n.nspname = %s and fn.nspname = n.nspname and k.conparentid = 0
order by c.relname, k.conname
"""

FUNCTIONS = """
select p.proname as name, p.proretset as returns_set, p.pronargdefaults as defaults, r.typname as returns,
       re.typname as returns_element, coalesce(p.proargnames, '{}')::text[] as names,
       coalesce(p.proargmodes, '{}')::text[] as modes,
       array(select coalesce(e.typname, t.typname)::text
             from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as arg(type, at)
             join pg_type t on t.oid = arg.type left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
             order by at) as types,
       array(select t.typcategory = 'A'
             from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as arg(type, at)
             join pg_type t on t.oid = arg.type order by at) as arrays
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_type r on r.oid = p.prorettype
left join pg_type re on re.oid = r.typelem and r.typcategory = 'A'
where n.nspname = %s and p.prokind = 'f' and r.typname not in ('trigger', 'event_trigger')
  and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
order by p.proname, p.oid
"""

ENUMS = """
select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
from pg_type t
join pg_namespace n on n.oid = t.typnamespace
join pg_enum e on e.enumtypid = t.oid
where n.nspname = %s
group by t.typname order by t.typname
"""

Rows = list[JsonObject]


@dataclass(frozen=True)
class Catalog:
    """One schema; the rows are as the queries above give them."""

    schema: str
    relations: Rows
    foreign_keys: Rows
    functions: Rows
    enums: Rows


def load_catalog(dsn: str, schema: str) -> Catalog:
    """Read `schema` of the database at `dsn`."""
    connection = psycopg2.connect(dsn)
    try:
        with connection, connection.cursor(cursor_factory=RealDictCursor) as cursor:
            answers: list[Rows] = []
            for query in (RELATIONS, FOREIGN_KEYS, FUNCTIONS, ENUMS):
                cursor.execute(query, (schema,))
                answers.append([dict(row) for row in cursor.fetchall()])
    finally:
        connection.close()
    return Catalog(schema, *answers)
