"""What the catalogue says of a table and a role: row level security, privileges, policies, columns, triggers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.why.attempt import Attempt, SqlCommand, TableName

# Bits of pg_trigger.tgtype: 1 for each row, 2 before.
_FACTS = """
select pg_catalog.json_build_object(
  'kind', c.relkind,
  'version', pg_catalog.current_setting('server_version_num')::int,
  'secured', c.relrowsecurity,
  'exempt', r.rolsuper or r.rolbypassrls
    or (pg_catalog.pg_has_role(r.oid, c.relowner, 'USAGE') and not c.relforcerowsecurity),
  'usage', pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'USAGE'),
  'delete', pg_catalog.has_table_privilege(r.oid, c.oid, 'DELETE'),
  'columns', (
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', a.attname,
      'type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'default', pg_catalog.pg_get_expr(d.adbin, d.adrelid),
      'generated', a.attgenerated <> '',
      'select', pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT'),
      'insert', pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'INSERT'),
      'update', pg_catalog.has_column_privilege(r.oid, c.oid, a.attnum, 'UPDATE')) order by a.attnum)
    from pg_catalog.pg_attribute a
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
  'policies', (
    select pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', p.polname,
      'permissive', p.polpermissive,
      'command', case p.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE'
        when 'd' then 'DELETE' else 'ALL' end,
      'roles', (select pg_catalog.json_agg(coalesce(m.rolname, 'public'))
        from pg_catalog.unnest(p.polroles) as named(oid) left join pg_catalog.pg_roles m on m.oid = named.oid),
      'for_role', (select pg_catalog.bool_or(case named.oid when 0 then true
          else pg_catalog.pg_has_role(r.oid, named.oid, 'USAGE') end)
        from pg_catalog.unnest(p.polroles) as named(oid)),
      'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
      'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid)) order by p.polname)
    from pg_catalog.pg_policy p where p.polrelid = c.oid),
  'triggers', (
    select pg_catalog.json_agg(t.tgname order by t.tgname) from pg_catalog.pg_trigger t
    where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D' and t.tgtype & 3 = 3
      and t.tgtype & $4::int <> 0))
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join pg_catalog.pg_roles r
where n.nspname = $1::text and c.relname = $2::text and r.rolname = $3::text
"""
_TRIGGER_BITS: dict[SqlCommand, int] = {"SELECT": 0, "INSERT": 4, "DELETE": 8, "UPDATE": 16}
EVERYTHING_QUALIFIED = Command("select pg_catalog.set_config('search_path', '', true)")


@dataclass(frozen=True)
class Policy:
    """`using` and `check` are conditions as PostgreSQL prints them; `for_role`: it is one for the role that asks."""

    name: str
    permissive: bool
    command: str
    roles: tuple[str, ...]
    for_role: bool
    using: str | None
    check: str | None


@dataclass(frozen=True)
class Column:
    """`default` is an expression over the other columns where it is `generated`. `rights` are those of the role."""

    name: str
    type: str
    default: str | None
    generated: bool
    rights: frozenset[str]


@dataclass(frozen=True)
class Facts:
    """`secured`: the table has row level security; `exempt`: it does not count for this role.

    `triggers` run before each row of the command is written.
    """

    table: TableName
    kind: str
    version: int
    secured: bool
    exempt: bool
    usage: bool
    delete: bool
    columns: tuple[Column, ...]
    policies: tuple[Policy, ...]
    triggers: tuple[str, ...]

    @property
    def is_table(self) -> bool:
        """Whether it has rows and policies of its own."""
        return self.kind in "rp"


def facts_command(attempt: Attempt) -> Command:
    """Asks for the facts; its one row is what `facts_of` reads."""
    bits = str(_TRIGGER_BITS[attempt.command])
    return Command(_FACTS, (attempt.table.schema, attempt.table.name, attempt.role, bits), "why")


def facts_of(table: TableName, rows: list[Row]) -> Facts | None:
    """The facts; None where there is no such table or role."""
    if not rows:
        return None
    told: dict[str, Any] = orjson.loads(rows[0][0] or b"")
    plain = ("kind", "version", "secured", "exempt", "usage", "delete")
    return Facts(
        table=table,
        **{name: told[name] for name in plain},
        columns=tuple(_column(each) for each in told["columns"] or ()),
        policies=tuple(Policy(**{**each, "roles": tuple(each["roles"])}) for each in told["policies"] or ()),
        triggers=tuple(told["triggers"] or ()),
    )


def _column(told: dict[str, Any]) -> Column:
    rights = frozenset(right.upper() for right in ("select", "insert", "update") if told[right])
    return Column(told["name"], told["type"], told["default"], told["generated"], rights)
