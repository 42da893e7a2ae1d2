"""Changes a piece in its place, where PostgreSQL can: None says that it must be made anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeGuard

from minato.schema_diff.entity import Entity, Key, literal, qualified, quoted
from minato.schema_diff.relations import Column, Table
from minato.schema_diff.routines import Signature, View
from minato.schema_diff.types import Composite, Domain, Enum

Statements = list[str] | None


def changed(old: Entity, new: Entity) -> Statements:
    """The statements that make `old` like `new`; their definitions differ."""
    how = _WAYS.get(new.key.kind)
    return how(old, new) if how else None


def changes_type(old: Entity, new: Entity) -> bool:
    """Whether the values of a column are of another type afterwards: what reads them must be away meanwhile."""
    before, after = old.facts, new.facts
    if not (isinstance(before, Column) and isinstance(after, Column)):
        return False
    return (before.type, before.collation) != (after.type, after.collation)


def _extension(old: Entity, new: Entity) -> Statements:
    return [f"alter extension {quoted(new.key.name)} set schema {quoted(str(new.definition))}"] if new.facts else []


def _type(old: Entity, new: Entity) -> Statements:
    before, after = old.facts, new.facts
    if isinstance(before, Enum) and isinstance(after, Enum):
        return _added_labels(qualified(new.key), before.labels, after.labels)
    if isinstance(before, Domain) and isinstance(after, Domain):
        return _domain(qualified(new.key), before, after)
    if isinstance(before, Composite) and isinstance(after, Composite):
        kept = len(before.attributes)
        if after.attributes[:kept] == before.attributes:
            added = (f"add attribute {quoted(name)} {kind}" for name, kind in after.attributes[kept:])
            return [f"alter type {qualified(new.key)} {', '.join(added)}"]
    return None


def _added_labels(name: str, before: Sequence[str], after: Sequence[str]) -> Statements:
    """
    >>> _added_labels("mood", ["sad"], ["glum", "sad"])
    ["alter type mood add value 'glum' before 'sad'"]
    """
    if [label for label in after if label in before] != list(before):
        return None
    found = []
    for place, label in enumerate(after):
        if label in before:
            continue
        where = f"after {literal(after[place - 1])}" if place else f"before {literal(before[0])}" if before else ""
        found.append(f"alter type {name} add value {literal(label)} {where}".rstrip())
    return found


def _domain(name: str, before: Domain, after: Domain) -> Statements:
    if (before.base, before.collation) != (after.base, after.collation):
        return None
    change, found = f"alter domain {name}", []
    if before.default != after.default:
        found.append(f"{change} set default {after.default}" if after.default else f"{change} drop default")
    old, new = dict(before.checks), dict(after.checks)
    found += [f"{change} drop constraint {quoted(check)}" for check in old if old[check] != new.get(check)]
    found += [f"{change} add constraint {quoted(check)} {new[check]}" for check in new if new[check] != old.get(check)]
    if before.is_not_null != after.is_not_null:
        found.append(f"{change} {'set' if after.is_not_null else 'drop'} not null")
    return found


def _sequence(old: Entity, new: Entity) -> Statements:
    found = []
    # The definitions are pairs of options and whether it is unlogged.
    if old.facts != new.facts:
        found.append(f"alter sequence {qualified(new.key)} {new.facts}")
    if _second(old.definition) != _second(new.definition):
        found.append(f"alter sequence {qualified(new.key)} set {'unlogged' if _second(new.definition) else 'logged'}")
    return found


def _second(definition: object) -> object:
    return definition[1] if isinstance(definition, tuple) else None


def _table(old: Entity, new: Entity) -> Statements:
    before, after = old.facts, new.facts
    assert isinstance(before, Table)
    assert isinstance(after, Table)
    if before.partition_key != after.partition_key or (before.bound is None) != (after.bound is None):
        return None
    change, found = f"alter table {qualified(new.key)}", []
    if before.is_unlogged != after.is_unlogged:
        found.append(f"{change} set {'unlogged' if after.is_unlogged else 'logged'}")
    names = [option.partition("=")[0] for option in before.options if option not in after.options]
    found += [f"{change} reset ({', '.join(names)})"] if names else []
    added = [option for option in after.options if option not in before.options]
    found += [f"{change} set ({', '.join(added)})"] if added else []
    return found + _parents(change, qualified(new.key), before, after)


def _parents(change: str, name: str, before: Table, after: Table) -> list[str]:
    if after.bound is not None:
        if (before.parents, before.bound) == (after.parents, after.bound):
            return []
        left = [f"alter table {parent} detach partition {name}" for parent in before.parents]
        return left + [f"alter table {parent} attach partition {name} {after.bound}" for parent in after.parents]
    left = [f"{change} no inherit {parent}" for parent in before.parents if parent not in after.parents]
    return left + [f"{change} inherit {parent}" for parent in after.parents if parent not in before.parents]


def _column(old: Entity, new: Entity) -> Statements:
    before, after = old.facts, new.facts
    assert isinstance(before, Column)
    assert isinstance(after, Column)
    if before.generated != after.generated:
        return None
    name = quoted(new.key.part)
    change = f"alter table {qualified(new.key)} alter column {name}"
    found = []
    if before.identity and not after.identity:
        found.append(f"{change} drop identity")
    if changes_type(old, new):
        collation = f" collate {after.collation}" if after.collation else ""
        found.append(f"{change} set data type {after.type}{collation} using {before.cast(name, after)}")
    if before.is_not_null != after.is_not_null:
        found.append(f"{change} {'set' if after.is_not_null else 'drop'} not null")
    return found + _identity(change, before, after)


def _identity(change: str, before: Column, after: Column) -> list[str]:
    if before.identity == after.identity or not after.identity:
        return []
    if not before.identity:
        return [f"{change} add {after.identity}"]
    if before.sequence != after.sequence:
        # Its options have defaults of their own, which a change would have to spell out.
        return [f"{change} drop identity", f"{change} add {after.identity}"]
    kind = "always" if after.identity.startswith("generated always") else "by default"
    return [f"{change} set generated {kind}"]


def _function(old: Entity, new: Entity) -> Statements:
    before, after = old.facts, new.facts
    assert isinstance(before, Signature)
    assert isinstance(after, Signature)
    fixed = ("kind", "result", "names", "modes")
    same = all(getattr(before, name) == getattr(after, name) for name in fixed)
    return list(new.create) if same and after.kind != "a" and after.defaults >= before.defaults else None


def _view(old: Entity, new: Entity) -> Statements:
    before, after = old.facts, new.facts
    assert isinstance(before, View)
    assert isinstance(after, View)
    if before.is_materialized or after.is_materialized or after.columns[: len(before.columns)] != before.columns:
        return None
    return list(new.create)


def _rls(old: Entity, new: Entity) -> Statements:
    change, found = f"alter table {qualified(new.key)}", []
    if _first(old.facts) != _first(new.facts):
        found.append(f"{change} {'enable' if _first(new.facts) else 'disable'} row level security")
    if _second(old.facts) != _second(new.facts):
        found.append(f"{change} {'force' if _second(new.facts) else 'no force'} row level security")
    return found


def _first(facts: object) -> object:
    return facts[0] if isinstance(facts, tuple) else None


def _publication(old: Entity, new: Entity) -> Statements:
    return [str(_second(new.facts))] if _first(old.facts) == _first(new.facts) else None


def _as_made(old: Entity, new: Entity) -> Statements:
    return list(new.create)


def _as_told(old: Entity, new: Entity) -> Statements:
    return [str(new.facts)]


_WAYS: dict[str, Callable[[Entity, Entity], Statements]] = {
    "extension": _extension,
    "type": _type,
    "sequence": _sequence,
    "sequence owner": _as_made,
    "table": _table,
    "column": _column,
    "default": _as_made,
    "function": _function,
    "view": _view,
    "rls": _rls,
    "replica identity": _as_told,
    "publication": _publication,
    "comment": _as_made,
}


def is_generated(entity: Entity) -> bool:
    """Whether a column's values are computed from others."""
    return isinstance(entity.facts, Column) and bool(entity.facts.generated)


def is_enum_growth(old: Entity, new: Entity) -> TypeGuard[bool]:
    """Whether labels are added to an enum; they can't be used before the transaction ends."""
    return isinstance(old.facts, Enum) and isinstance(new.facts, Enum) and changed(old, new) is not None


def new_labels(old: Entity, new: Entity) -> list[str]:
    """The labels that only the new enum has."""
    if not (isinstance(old.facts, Enum) and isinstance(new.facts, Enum)):
        return []
    return [label for label in new.facts.labels if label not in old.facts.labels]


def place_in_namespace(key: Key, entity: Entity) -> tuple[str, str, str] | None:
    """Which name a piece takes away from others of its schema, whatever their kinds."""
    if key.kind in ("table", "view", "sequence", "index"):
        return ("relation", key.schema, key.name)
    if key.kind == "type" and isinstance(entity.facts, Composite):
        return ("relation", key.schema, key.name)
    if key.kind == "constraint" and entity.facts in ("p", "u", "x"):
        return ("relation", key.schema, key.part)
    return None
