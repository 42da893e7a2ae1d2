"""The catalog queries behind the schema cache. Each returns JSON columns, so that one row is one object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from minato.database.wire.messages import Row
from minato.database.wire.session import Command

NOT_OURS = "('pg_catalog', 'information_schema', 'pg_toast')"

# What a domain stands for, through domains over domains.
BASE_TYPES = """
base_types(oid, base) as (
  with recursive chain(oid, base) as (
    select oid, typbasetype from pg_type where typtype = 'd'
    union all
    select c.oid, t.typbasetype from chain c join pg_type t on t.oid = c.base where t.typtype = 'd'
  )
  select c.oid, c.base from chain c join pg_type t on t.oid = c.base where t.typtype <> 'd'
)
"""

TABLES = f"""
with {BASE_TYPES}
select n.nspname as schema, c.relname as name, c.oid::int8 as oid, c.relkind in ('v', 'm') as is_view,
  c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, true) & 8 = 8) as insertable,
  c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, true) & 4 = 4) as updatable,
  c.relkind in ('r', 'p') or (c.relkind in ('v', 'f') and pg_relation_is_updatable(c.oid, true) & 16 = 16) as deletable,
  coalesce((
    select json_agg(json_build_array(
        a.attname,
        format_type(a.atttypid, -1),
        format_type(coalesce(b.base, a.atttypid), -1),
        not (a.attnotnull or t.typnotnull),
        case
          when a.attidentity <> '' then (
            -- pg_get_serial_sequence would want rights on the schema, which the login role need not have.
            select format('nextval(%L)', format('%I.%I', sn.nspname, s.relname))
            from pg_depend o join pg_class s on s.oid = o.objid join pg_namespace sn on sn.oid = s.relnamespace
            where o.classid = 'pg_class'::regclass and o.refclassid = 'pg_class'::regclass
              and o.refobjid = c.oid and o.refobjsubid = a.attnum and o.deptype = 'i' limit 1)
          when a.attgenerated <> '' then null
          else coalesce(pg_get_expr(d.adbin, d.adrelid), t.typdefault)
        end,
        a.attnum,
        a.attcollation = 100
      ) order by a.attnum)
    from pg_attribute a
    join pg_type t on t.oid = a.atttypid
    left join base_types b on b.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ), '[]')::text as columns,
  coalesce((
    select json_agg(a.attname order by k.position)
    from pg_constraint p, unnest(p.conkey) with ordinality k(attnum, position)
    join pg_attribute a on a.attnum = k.attnum
    where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid
  ), '[]')::text as primary_key,
  -- The numbers of indexed columns; 0 among them means any, NULL that there may be indexes elsewhere.
  case when c.relkind = 'r' and not c.relhassubclass then coalesce((
    select json_agg(distinct k.attnum)
    from pg_index i, unnest(case when i.indpred is null then i.indkey::int2[] else array[0]::int2[] end) k(attnum)
    where i.indrelid = c.oid
  ), '[]')::text end as indexed
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and n.nspname not in {NOT_OURS} and not pg_is_other_temp_schema(n.oid) and n.nspname not like 'pg\\_temp%'
"""

FOREIGN_KEYS = f"""
select f.conname as constraint, f.conrelid::int8 as table, f.confrelid::int8 as foreign_table,
  (select json_agg(json_build_array(a.attname, b.attname) order by k.position)::text
    from unnest(f.conkey, f.confkey) with ordinality k(ours, theirs, position)
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.ours
    join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.theirs) as columns,
  exists (
    select from pg_constraint u
    where u.conrelid = f.conrelid and u.contype in ('p', 'u') and u.conkey @> f.conkey and u.conkey <@ f.conkey
  ) as is_one_to_one
from pg_constraint f
join pg_class c on c.oid = f.conrelid
join pg_namespace n on n.oid = c.relnamespace
where f.contype = 'f' and f.conparentid = 0 and n.nspname not in {NOT_OURS}
order by f.conrelid, f.conname
"""

VIEWS = f"""
select c.oid::int8 as oid, r.ev_action::text as definition
from pg_rewrite r
join pg_class c on c.oid = r.ev_class
join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('v', 'm') and r.ev_type = '1' and n.nspname not in {NOT_OURS}
"""

ROUTINES = f"""
with {BASE_TYPES}
select n.nspname as schema, p.proname as name, p.proretset as returns_set, p.provolatile::text as volatility,
  p.oid::int8 as oid, obj_description(p.oid, 'pg_proc') as comment,
  rn.nspname as return_schema, coalesce(rc.relname, rt.typname) as return_name,
  rt.typtype = 'c' or coalesce(p.proargmodes::text[] && '{{t,b,o}}', false) as returns_composite,
  coalesce((
    select json_agg(json_build_array(
      coalesce(i.name, ''), format_type(i.type, -1), i.position <= p.pronargs - p.pronargdefaults, i.mode = 'v'
    ) order by i.position)
    from (
      select name, type, coalesce(mode, 'i') as mode,
        row_number() over (order by position) as position
      from unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes::text[])
        with ordinality as a(name, type, mode, position)
      where coalesce(mode, 'i') in ('i', 'b', 'v') and type is not null
    ) i
  ), '[]')::text as parameters,
  coalesce((
    select json_agg(json_build_array(a.name, format_type(coalesce(b.base, a.type), -1)))
    from unnest(p.proargnames, p.proallargtypes, p.proargmodes::text[]) as a(name, type, mode)
    left join base_types b on b.oid = a.type
    where a.mode in ('t', 'b', 'o')
  ), '[]')::text as out_columns,
  coalesce(to_json(p.proconfig), '[]')::text as settings,
  case when p.pronargs = 1 then at.typrelid::int8 else 0 end as row_argument,
  rt.typrelid::int8 as return_relation,
  p.prorows = 1 as returns_one_row,
  format_type(coalesce(rb.base, p.prorettype), -1) as return_type,
  case when dt.typtype = 'd' and dt.typname like '%/%' then dt.typname end as media_type
from pg_proc p
join pg_namespace n on n.oid = p.pronamespace
left join base_types rb on rb.oid = p.prorettype
join pg_type dt on dt.oid = p.prorettype
join pg_type rt on rt.oid = coalesce(rb.base, p.prorettype)
join pg_namespace rn on rn.oid = rt.typnamespace
left join pg_class rc on rc.oid = rt.typrelid
left join pg_type at on at.oid = p.proargtypes[0]
where p.prokind = 'f' and p.prorettype <> 'trigger'::regtype and p.prorettype <> 'event_trigger'::regtype
  and n.nspname not in {NOT_OURS}
  and (n.nspname = any ($1::text[]) or (p.pronargs = 1 and at.typrelid <> 0))
"""

# Aggregates whose result is a domain named like a media type, by the rows they take: a relation's, or anybody's.
HANDLERS = f"""
with {BASE_TYPES}
select n.nspname as schema, p.proname as name, d.typname as media_type, b.base = 'bytea'::regtype as is_bytes,
  tn.nspname as target_schema, tc.relname as target_name
from pg_aggregate g
join pg_proc p on p.oid = g.aggfnoid
join pg_namespace n on n.oid = p.pronamespace
join pg_type d on d.oid = p.prorettype
join base_types b on b.oid = d.oid
join pg_type a on a.oid = p.proargtypes[0]
left join pg_class tc on tc.oid = a.typrelid and tc.relkind in ('r', 'v', 'm', 'f', 'p')
left join pg_namespace tn on tn.oid = tc.relnamespace
where n.nspname = any ($1::text[]) and p.pronargs = 1 and (tc.oid is not null or a.typname = 'anyelement')
  and (d.typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$' or d.typname = '*/*')
"""

# Implicit casts by function between a domain and what the API speaks.
REPRESENTATIONS = """
select format_type(c.castsource, -1) as source, format_type(c.casttarget, -1) as target,
  format('%I.%I', n.nspname, p.proname) as function
from pg_cast c
join pg_type s on s.oid = c.castsource
join pg_type t on t.oid = c.casttarget
join pg_proc p on p.oid = c.castfunc
join pg_namespace n on n.oid = p.pronamespace
where c.castcontext = 'i' and c.castmethod = 'f'
  and ((s.typtype = 'd' and t.typname in ('json', 'text')) or (t.typtype = 'd' and s.typname in ('json', 'text')))
"""

# Only roles the login role may become, only settings it may make; what is said for this database alone comes last.
ROLES = """
select r.rolname as role, json_agg(s.setting order by d.setdatabase)::text as settings
from pg_db_role_setting d
join pg_roles r on r.oid = d.setrole
cross join unnest(d.setconfig) s(setting)
left join pg_settings p on p.name = lower(split_part(s.setting, '=', 1))
where pg_has_role(current_user, r.oid, 'member') and d.setdatabase in (0, (
    select oid from pg_database where datname = current_database()))
  and (p.context is null or p.context = 'user')
group by r.rolname
"""

# What ALTER ROLE says about the data API itself; what is said for this database alone comes last.
CONFIGURATION = """
select split_part(s.setting, '=', 1) as name, substr(s.setting, strpos(s.setting, '=') + 1) as value
from pg_db_role_setting d
cross join unnest(d.setconfig) s(setting)
where d.setrole = (select oid from pg_roles where rolname = current_user) and s.setting like 'pgrst.%'
  and d.setdatabase in (0, (select oid from pg_database where datname = current_database()))
order by d.setdatabase
"""

# What a function of the operator's has set, by setting.
PRE_CONFIGURED = """
select name, current_setting(name, true) as value from unnest($1::text[]) name
where current_setting(name, true) is not null
"""

# Counts and sums of row versions: any DDL changes one of them. Cheap enough to ask on every miss.
VERSION = """
select concat_ws(':',
  (select count(*)::text || '/' || sum(xmin::text::int8)::text from pg_class),
  (select count(*)::text || '/' || sum(xmin::text::int8)::text from pg_attribute where attnum > 0),
  (select count(*)::text || '/' || sum(xmin::text::int8)::text from pg_proc),
  (select count(*)::text || '/' || sum(xmin::text::int8)::text from pg_constraint),
  (select count(*)::text || '/' || sum(xmin::text::int8)::text from pg_namespace))
"""


def as_json(query: str, *values: str) -> Command:
    """`query`, answered in one row as JSON: sessions bring bytes, and know neither names nor types of columns."""
    return Command(f"select coalesce(pg_catalog.json_agg(told), '[]')::text from ({query}) told", values)


def rows(answer: Sequence[Row]) -> list[dict[str, Any]]:
    """The rows that `as_json` asked for."""
    ((text,),) = answer
    found: list[dict[str, Any]] = orjson.loads(text or b"[]")
    return found
