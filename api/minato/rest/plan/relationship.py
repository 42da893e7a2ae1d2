"""Which relationship an embed means: by table, by constraint, by column, with or without a hint."""

from __future__ import annotations

from collections.abc import Sequence

from minato.rest.errors import RestError, SchemaMiss
from minato.rest.plan.suggestions import nearest, ranked
from minato.rest.schema_cache.model import Cardinality, ColumnPairs, QualifiedName, Relationship, SchemaCache

AT_LEAST = 0.33


def find_relationship(cache: SchemaCache, origin: QualifiedName, target: str, hint: str | None) -> Relationship:
    """The one relationship from `origin` to `target`. Raises PGRST200 (none) or PGRST201 (several)."""
    found = [each for each in _related(cache, origin) if _matches(each, target, hint)]
    if not found:
        raise _no_relationship(cache, origin, target, hint)
    if len(found) > 1:
        raise _ambiguous(origin, target, found)
    return found[0]


def _related(cache: SchemaCache, origin: QualifiedName) -> list[Relationship]:
    """What can be embedded in `origin`: only what the schema of the request exposes."""
    return _in_schema(cache.relationships.get(origin, ()), origin.schema)


def _in_schema(known: Sequence[Relationship], schema: str) -> list[Relationship]:
    return [each for each in known if each.schema == schema]


def _matches(each: Relationship, target: str, hint: str | None) -> bool:
    if each.function is not None:
        return target == each.function.name
    if each.is_self:
        return _matches_self(each, target, hint)
    by_table = target == each.foreign_table.name
    if hint is not None:
        return by_table and _is_hinted(each, hint)
    # A constraint or a column as target means the table itself, never a view of it: PostgREST issue 2277.
    by_key = target == _constraint(each) or target == _single(each.columns, 0)
    return by_table or (by_key and not each.foreign_table_is_view)


def _matches_self(each: Relationship, target: str, hint: str | None) -> bool:
    """One foreign key of a table to itself reads two ways: children by the table's name, the parent by the column's."""
    children = target == each.foreign_table.name and each.cardinality is Cardinality.ONE_TO_MANY
    if hint is not None:
        return children and hint == _single(each.columns, 1)
    return children or (target == _single(each.columns, 0) and each.cardinality is Cardinality.MANY_TO_ONE)


def _is_hinted(each: Relationship, hint: str) -> bool:
    if each.junction is not None:
        return hint == each.junction.table.name
    return hint in (_constraint(each), _single(each.columns, 0), _single(each.columns, 1))


def _constraint(each: Relationship) -> str | None:
    return each.constraint or None


def _single(columns: ColumnPairs, side: int) -> str | None:
    return columns[0][side] if len(columns) == 1 else None


def _no_relationship(cache: SchemaCache, origin: QualifiedName, target: str, hint: str | None) -> SchemaMiss:
    using = f" using the hint '{hint}'" if hint else ""
    return SchemaMiss(
        400,
        "PGRST200",
        f"Could not find a relationship between '{origin.name}' and '{target}' in the schema cache",
        f"Searched for a foreign key relationship between '{origin.name}' and '{target}'{using} in the schema "
        f"'{origin.schema}', but no matches were found.",
        _suggestion(cache, origin, target),
    )


def _suggestion(cache: SchemaCache, origin: QualifiedName, target: str) -> str | None:
    """Parent unknown: the nearest parent; parent known: the nearest child, unless the child was right."""
    related = _related(cache, origin)
    if related or (origin, origin.schema) in cache.hidden:
        children = [each.foreign_table.name for each in related]
        best = (name for score, name in ranked(target, children, AT_LEAST) if score < 1)
        meant, instead = next(best, None), target
    else:
        related_here = (name for name, known in cache.relationships.items() if _in_schema(known, origin.schema))
        parents = [name.name for name in related_here]
        parents += [name.name for name, schema in cache.hidden if schema == origin.schema]
        meant, instead = nearest(origin.name, parents, AT_LEAST), origin.name
    return f"Perhaps you meant '{meant}' instead of '{instead}'." if meant else None


def _ambiguous(origin: QualifiedName, target: str, found: list[Relationship]) -> RestError:
    choices = ", ".join(f"'{each.foreign_table.name}!{_hint_of(each)}'" for each in found)
    return RestError(
        300,
        "PGRST201",
        f"Could not embed because more than one relationship was found for '{origin.name}' and '{target}'",
        [_description(each) for each in found],
        f"Try changing '{target}' to one of the following: {choices}. "
        "Find the desired relationship in the 'details' key.",
    )


def _hint_of(each: Relationship) -> str:
    if each.junction is not None:
        return each.junction.table.name
    return each.constraint or (each.function.name if each.function else "")


def _description(each: Relationship) -> dict[str, str]:
    embedding = f"{each.table.name} with {each.foreign_table.name}"
    return {"cardinality": each.cardinality.value, "embedding": embedding, "relationship": _path(each)}


def _path(each: Relationship) -> str:
    if each.junction is not None:
        via = each.junction
        near, far = _list(via.near, 1), _list(via.far, 0)
        return f"{via.table.name} using {via.near_constraint}({near}) and {via.far_constraint}({far})"
    ours, theirs = _list(each.columns, 0), _list(each.columns, 1)
    return f"{each.constraint} using {each.table.name}({ours}) and {each.foreign_table.name}({theirs})"


def _list(columns: ColumnPairs, side: int) -> str:
    return ", ".join(pair[side] for pair in columns)
