"""Reads who may do what: the privileges of objects and columns, and those that objects get when they are made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from minato.schema_diff.entity import Entity, Key, qualified, quoted
from minato.schema_diff.reader import Reader

# Whoever is to run the statements: projects own what they make.
CREATOR = "postgres"

# Who has a privilege, which, and whether they may pass it on.
Item = tuple[str, str, bool]
Items = frozenset[Item]

_EXPLODED = "aclexplode(coalesce({acl}, acldefault({kind}, {owner}))) x left join pg_roles g on g.oid = x.grantee"
_ITEMS = """coalesce(array_agg(coalesce(g.rolname, 'public') || ' ' || x.privilege_type || ' ' || x.is_grantable)
  filter (where x.grantee <> {owner}), '{{}}')"""
_SOURCES = (
    ("pg_class", "relacl", "relowner", "case relkind when 'S' then 's' else 'r' end::\"char\"", "relnamespace"),
    ("pg_proc", "proacl", "proowner", "'f'", "pronamespace"),
    ("pg_type", "typacl", "typowner", "'T'", "typnamespace"),
    ("pg_namespace", "nspacl", "nspowner", "'n'", "oid"),
)
_COLUMNS = """
select n.nspname, c.relname, a.attname, c.oid,
  array_agg(coalesce(g.rolname, 'public') || ' ' || x.privilege_type || ' ' || x.is_grantable)
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
cross join aclexplode(a.attacl) x left join pg_roles g on g.oid = x.grantee
where c.relnamespace = any(%s) and x.grantee <> c.relowner and not a.attisdropped group by 1, 2, 3, 4
"""
_DEFAULTS = """
select r.rolname, coalesce(n.nspname, ''), d.defaclobjtype,
  coalesce(array_agg(coalesce(g.rolname, 'public') || ' ' || x.privilege_type || ' ' || x.is_grantable)
    filter (where x.grantee <> d.defaclrole), '{}')
from pg_default_acl d join pg_roles r on r.oid = d.defaclrole left join pg_namespace n on n.oid = d.defaclnamespace
left join aclexplode(d.defaclacl) x on true left join pg_roles g on g.oid = x.grantee
where r.rolname !~ '^supabase_' group by 1, 2, 3
"""
# What everybody gets of a new object when nothing was said.
BUILT_IN: dict[str, Items] = {
    "f": frozenset({("public", "EXECUTE", False)}),
    "T": frozenset({("public", "USAGE", False)}),
}
_NOUNS = {"r": "tables", "S": "sequences", "f": "functions", "T": "types", "n": "schemas"}


@dataclass(frozen=True)
class Grants:
    """`place` is what stands after ON; `code` is pg_default_acl's letter of the kind, empty for columns."""

    items: Items
    place: str
    code: str
    column: str = ""

    def changed_from(self, before: Items) -> list[str]:
        """The statements that turn `before` into this."""
        gone, new = before - self.items, self.items - before
        return [*_statements(gone, "revoke", self, "from"), *_statements(new, "grant", self, "to")]


def read_privileges(reader: Reader) -> None:
    """One list for each object that is compared, and for each column that has one."""
    for catalogue, acl, owner, kind, schema in _SOURCES:
        exploded = _EXPLODED.format(acl=acl, kind=kind, owner=owner)
        items = _ITEMS.format(owner=owner)
        query = f"select c.oid, (select {items} from {exploded}) from {catalogue} c where {schema} = any(%s)"
        for oid, found in reader.rows(query, [reader.full]):
            parent = reader.addresses.get((catalogue, oid, 0))
            if parent is not None and (place := _place(reader, parent, catalogue)):
                _add(reader, parent, Grants(_items(found), *place))
    for schema, table, column, oid, found in reader.rows(_COLUMNS, [reader.full]):
        owner_key = reader.find(("pg_class", oid, 0))
        if owner_key is not None:
            parent = Key("column", schema, table, column)
            grants = Grants(_items(found), f"table {qualified(owner_key)}", "", column)
            _add(reader, parent, grants, parent if parent in reader.entities else owner_key)


def _add(reader: Reader, of: Key, grants: Grants, parent: Key | None = None) -> None:
    key = Key("acl", of.schema, of.name, of.part, of.kind)
    nothing = Grants(frozenset(), grants.place, grants.code, grants.column)
    drop = tuple(nothing.changed_from(grants.items))
    reader.add(Entity(key, grants.items, (), drop, parent or of, facts=grants))


def _place(reader: Reader, key: Key, catalogue: str) -> tuple[str, str] | None:
    """How GRANT names a piece and the letter of its kind; None for what has no privileges of its own."""
    if catalogue == "pg_class" and key.kind in ("table", "view"):
        return f"table {qualified(key)}", "r"
    if catalogue == "pg_class" and key.kind == "sequence":
        return f"sequence {qualified(key)}", "S"
    if catalogue == "pg_proc" and key.kind == "function":
        is_procedure = reader.entities[key].drop[0].startswith("drop procedure")
        return f"{'procedure' if is_procedure else 'function'} {qualified(key)}({key.part})", "f"
    if catalogue == "pg_type" and key.kind == "type":
        return f"type {qualified(key)}", "T"
    if catalogue == "pg_namespace":
        return f"schema {quoted(key.name)}", "n"
    return None


def read_default_privileges(reader: Reader) -> dict[tuple[str, str], Items]:
    """ALTER DEFAULT PRIVILEGES; what comes back are those of the creator, by schema (or '') and kind."""
    given: dict[tuple[str, str], Items] = {}
    for role, schema, code, found in reader.rows(_DEFAULTS):
        items = _items(found)
        if role == CREATOR:
            given[schema, code] = items
        parent = Key("schema", "", schema)
        if (not schema and reader.scope.is_whole) or parent in reader.entities:
            key = Key("default acl", schema, role, code)
            reader.add(Entity(key, items, parent=parent if schema else None, facts=items))
    return given


def creation_items(given: dict[tuple[str, str], Items], schema: str, code: str) -> Items:
    """What an object has as soon as it is made."""
    return given.get(("", code), BUILT_IN.get(code, frozenset())) | given.get((schema, code), frozenset())


def default_privilege_changes(key: Key, before: Items | None, after: Items | None) -> list[str]:
    """The statements for one kind of object; None where nothing was said."""
    usual: Items = frozenset() if key.schema else BUILT_IN.get(key.part, frozenset())
    old, new = usual if before is None else before, usual if after is None else after
    inside = f" in schema {quoted(key.schema)}" if key.schema else ""
    head = f"alter default privileges for role {quoted(key.name)}{inside}"
    place = Grants(frozenset(), _NOUNS[key.part], key.part)
    revoked = _statements(old - new, "revoke", place, "from")
    return [f"{head} {text}" for text in [*revoked, *_statements(new - old, "grant", place, "to")]]


def _statements(items: Iterable[Item], verb: str, grants: Grants, preposition: str) -> list[str]:
    together: dict[tuple[str, bool], list[str]] = {}
    for role, privilege, may_pass_on in sorted(items):
        together.setdefault((role, may_pass_on), []).append(privilege.lower())
    column = f" ({quoted(grants.column)})" if grants.column else ""
    found = []
    for (role, may_pass_on), privileges in together.items():
        named = ", ".join(f"{privilege}{column}" for privilege in privileges)
        option = " with grant option" if may_pass_on and verb == "grant" else ""
        who = "public" if role == "public" else quoted(role)
        found.append(f"{verb} {named} on {grants.place} {preposition} {who}{option}")
    return found


def _items(texts: Iterable[str]) -> Items:
    """From `role PRIVILEGE t`; a role's name may hold spaces."""
    split = (text.rsplit(" ", 2) for text in texts)
    # MAINTAIN is of version 17; a privilege of two words there is none.
    return frozenset((role, privilege, passed_on in ("t", "true")) for role, privilege, passed_on in split)
