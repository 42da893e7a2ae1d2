"""The questions to pg_catalog. `schemas` is a list of names; what another role's rights hide stays out, as there."""

from __future__ import annotations

from typing import Final

SCHEMAS: Final = """
select n.nspname as name
from pg_namespace n join pg_roles r on r.oid = n.nspowner
where n.nspname = any(%(schemas)s) and left(n.nspname, 3) <> 'pg_'
  and (pg_has_role(n.nspowner, 'usage') or has_schema_privilege(n.oid, 'create, usage'))
"""

RELATIONS: Final = """
select c.oid::int8 as id, n.nspname as schema, c.relname as name,
       case c.relkind when 'p' then 'r' else c.relkind::text end as kind,
       c.relkind = 'v' and pg_relation_is_updatable(c.oid, true) & 8 = 8 as is_insertable,
       c.relkind = 'v' and pg_relation_is_updatable(c.oid, true) & 4 = 4 as is_updatable
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any(%(schemas)s) and c.relkind in ('r', 'p', 'f', 'v', 'm')
  and (c.relkind not in ('r', 'p') or pg_has_role(c.relowner, 'usage')
       or has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger')
       or has_any_column_privilege(c.oid, 'select, insert, update, references'))
"""

# A trigger or a rule that acts instead of a statement makes every column of a view writable: of tgtype, 64 says INSTEAD
# OF, 4 INSERT and 16 UPDATE; of rules, '2' is UPDATE and '3' INSERT, and one with a condition doesn't count.
COLUMNS: Final = """
select a.attrelid::int8 as relation_id, a.attname as name, coalesce(b.typname, t.typname) as type_name,
       coalesce(bn.nspname, tn.nspname) as type_schema,
       not (a.attnotnull or t.typtype = 'd' and t.typnotnull) as is_nullable,
       a.attidentity in ('a', 'd') as is_identity, a.attidentity = 'a' as is_always_identity,
       a.attgenerated in ('s', 'v') as is_generated, a.atthasdef as has_default,
       c.relkind in ('r', 'p') or c.relkind = 'v' and (
         pg_column_is_updatable(c.oid, a.attnum, false)
         or exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal
                    and g.tgtype & 64 <> 0 and g.tgtype & 20 <> 0)
         or exists (select from pg_rewrite r where r.ev_class = c.oid and r.is_instead
                    and r.ev_type in ('2', '3') and r.ev_qual::text = '<>')) as is_updatable
from pg_attribute a
join pg_class c on c.oid = a.attrelid
join pg_namespace n on n.oid = c.relnamespace
join pg_type t on t.oid = a.atttypid
join pg_namespace tn on tn.oid = t.typnamespace
left join pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
left join pg_namespace bn on bn.oid = b.typnamespace
where n.nspname = any(%(schemas)s) and c.relkind in ('r', 'p', 'f', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  and (pg_has_role(c.relowner, 'usage')
       or has_column_privilege(c.oid, a.attnum, 'select, insert, update, references'))
"""

TYPES: Final = """
select t.oid::int8 as id, n.nspname as schema, t.typname as name, format_type(t.oid, null) as format,
       array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder) as enums,
       coalesce((select json_agg(json_build_array(a.attname, a.atttypid::int8) order by a.attnum) from pg_attribute a
                 where a.attrelid = c.oid and c.relkind = 'c' and not a.attisdropped), '[]') as attributes,
       c.oid::int8 as relation_id
from pg_type t
left join pg_namespace n on n.oid = t.typnamespace
left join pg_class c on c.oid = t.typrelid
where t.typrelid = 0 or c.relkind in ('c', 'r', 'p', 'f', 'v', 'm')
"""

FUNCTIONS: Final = """
select p.oid::int8 as id, n.nspname as schema, p.proname as name,
       coalesce(p.proargmodes::text[], array_fill('i'::text, array[p.pronargs::int])) as modes,
       coalesce(p.proargnames, '{}') as names, p.pronargs as inputs, p.pronargdefaults as defaults,
       array(select unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]))::int8) as type_ids,
       pg_get_function_arguments(p.oid) as argument_types,
       pg_get_function_identity_arguments(p.oid) as identity_arguments,
       p.prorettype::int8 as return_type_id, pg_get_function_result(p.oid) as return_type,
       nullif(r.typrelid, 0)::int8 as return_relation_id, p.proretset as returns_set,
       case when p.proretset then nullif(p.prorows, 0) end as rows
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
join pg_type r on r.oid = p.prorettype
where n.nspname = any(%(schemas)s) and p.prokind = 'f'
"""

# The keys of a schema whose name is shown in quotes have no columns here: the reference compares the shown name.
FOREIGN_KEYS: Final = """
select k.conname as foreign_key, n.nspname as schema, c.relname as relation,
       fn.nspname as referenced_schema, f.relname as referenced_relation,
       case when k.connamespace::regnamespace::text = any(%(schemas)s) then
         array(select a.attname::text from unnest(k.conkey) with ordinality as key(number, at)
               join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.number order by at) end as columns,
       case when k.connamespace::regnamespace::text = any(%(schemas)s) then
         array(select a.attname::text from unnest(k.confkey) with ordinality as key(number, at)
               join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.number order by at)
       end as referenced_columns,
       -- A unique constraint's columns count in the table's order, the key's in its own.
       k.connamespace::regnamespace::text = any(%(schemas)s) and exists (
         select from pg_constraint u
               where u.conrelid = k.conrelid and u.connamespace = k.connamespace and u.contype in ('p', 'u')
                 and array(select unnest(u.conkey) order by 1) = k.conkey) as is_one_to_one
from pg_constraint k
join pg_class c on c.oid = k.conrelid
join pg_class f on f.oid = k.confrelid
join pg_namespace n on n.oid = k.connamespace
join pg_namespace fn on fn.oid = f.relnamespace
where k.contype = 'f' and k.conparentid = 0 and n.nspname = any(%(schemas)s)
order by k.oid
"""

# Both ends of every key, one row a column: `f` where it begins, `f_ref` where it leads.
KEY_COLUMNS: Final = """
select 'f' as kind, k.conname as name, cardinality(k.conkey) as width, k.conrelid::int8 as relation_id,
       n.nspname as schema, c.relname as relation, key.number, key.at
from pg_constraint k, unnest(k.conkey) with ordinality as key(number, at), pg_class c, pg_namespace n
where k.contype = 'f' and c.oid = k.conrelid and n.oid = c.relnamespace
union
select 'f_ref', k.conname, cardinality(k.confkey), k.confrelid::int8, n.nspname, c.relname, key.number, key.at
from pg_constraint k, unnest(k.confkey) with ordinality as key(number, at), pg_class c, pg_namespace n
where k.contype = 'f' and c.oid = k.confrelid and n.oid = c.relnamespace
  and k.connamespace::regnamespace::text = any(%(schemas)s)
"""

VIEWS: Final = """
select c.oid::int8 as id, n.nspname as schema, c.relname as name, r.ev_action::text as definition,
       (select json_object_agg(a.attnum, a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0) as columns
from pg_rewrite r
join pg_class c on c.oid = r.ev_class
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and r.ev_type = '1' and n.nspname = any(%(schemas)s)
order by c.oid
"""
