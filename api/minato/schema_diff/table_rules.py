"""Reads triggers and policies, also those that a project puts on the platform's tables."""

from __future__ import annotations

from minato.database.identifiers import quote_qualified
from minato.schema_diff.entity import Entity, Key, quoted
from minato.schema_diff.reader import Reader, Row

_TRIGGERS = """
select t.oid, n.nspname, c.relname, c.relkind, t.tgname, t.tgenabled, pg_get_triggerdef(t.oid)
from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
where c.relnamespace = any(%s) and not t.tgisinternal and t.tgparentid = 0
"""
_POLICIES = """
select p.oid, n.nspname, c.relname, p.polname, p.polcmd, p.polpermissive,
  array(select case r.oid when 0 then 'public' else quote_ident(a.rolname) end
    from unnest(p.polroles) r(oid) left join pg_roles a on a.oid = r.oid order by 1),
  pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
where c.relnamespace = any(%s)
"""
_COMMANDS = {"r": "select", "a": "insert", "w": "update", "d": "delete", "*": "all"}
_ENABLED = {"D": "disable trigger", "R": "enable replica trigger", "A": "enable always trigger"}


def read_triggers(reader: Reader) -> None:
    """Those of tables and views, with their state."""
    for oid, schema, table, kind, name, enabled, definition in reader.rows(
        _TRIGGERS, [[*reader.full, *reader.partial]]
    ):
        if reader.owned("pg_trigger", oid):
            continue
        place = quote_qualified(schema, table)
        create = (definition,)
        create += (f"alter table {place} {_ENABLED[enabled]} {quoted(name)}",) if enabled in _ENABLED else ()
        drop = (f"drop trigger {quoted(name)} on {place}",)
        key = Key("trigger", schema, table, name)
        parent = _parent(reader, schema, table, is_view=kind in "vm")
        reader.add(Entity(key, create, create, drop, parent), ("pg_trigger", oid, 0))


def read_policies(reader: Reader) -> None:
    """Row policies."""
    for row in reader.rows(_POLICIES, [[*reader.full, *reader.partial]]):
        oid, schema, table, name, *rest = row
        place = quote_qualified(schema, table)
        create = (_policy(name, place, tuple(rest)),)
        drop = (f"drop policy {quoted(name)} on {place}",)
        key = Key("policy", schema, table, name)
        parent = _parent(reader, schema, table, is_view=False)
        reader.add(Entity(key, create, create, drop, parent), ("pg_policy", oid, 0))


def _policy(name: str, place: str, rest: Row) -> str:
    command, is_permissive, roles, using, check = rest
    lines = [f"create policy {quoted(name)}", f"on {place}"]
    lines += ["as permissive" if is_permissive else "as restrictive", f"for {_COMMANDS[command]}"]
    lines += [f"to {', '.join(roles)}"]
    lines += [f"using ({using})"] if using is not None else []
    lines += [f"with check ({check})"] if check is not None else []
    return "\n".join(lines)


def _parent(reader: Reader, schema: str, table: str, *, is_view: bool) -> Key | None:
    """None on the platform's tables, which are not compared."""
    key = Key("view" if is_view else "table", schema, table)
    return key if key in reader.entities else None
