"""Foreign keys → every way to get from one relation to another: inverse, through views, through junctions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product

from minato.rest.schema_cache.model import Cardinality, ColumnPairs, Junction, QualifiedName, Relationship, Table

ViewColumns = Mapping[QualifiedName, Mapping[tuple[QualifiedName, str], tuple[str, ...]]]
"""For each view: (base table, column) → the names under which the view shows it."""

End = tuple[QualifiedName, tuple[tuple[str, ...], ...], bool]
"""One end of a key: the relation, the readings of its columns, whether it is a view."""

INVERSE = {
    Cardinality.MANY_TO_ONE: Cardinality.ONE_TO_MANY,
    Cardinality.ONE_TO_MANY: Cardinality.MANY_TO_ONE,
    Cardinality.ONE_TO_ONE: Cardinality.ONE_TO_ONE,
}
TOLD_FIRST = (Cardinality.ONE_TO_MANY, Cardinality.MANY_TO_ONE, Cardinality.ONE_TO_ONE, Cardinality.MANY_TO_MANY)
MAX_COMBINATIONS = 64


def all_relationships(
    keys: Iterable[Relationship], tables: Mapping[QualifiedName, Table], views: ViewColumns
) -> list[Relationship]:
    """Everything that follows from the foreign keys `keys` (each to-one)."""
    to_one = through_views(list(keys), views)
    return [*to_one, *(inverse(key) for key in to_one), *junctions(to_one, tables)]


def inverse(relationship: Relationship) -> Relationship:
    return replace(
        relationship,
        table=relationship.foreign_table,
        foreign_table=relationship.table,
        cardinality=INVERSE[relationship.cardinality],
        columns=tuple((theirs, ours) for ours, theirs in relationship.columns),
        table_is_view=relationship.foreign_table_is_view,
        foreign_table_is_view=relationship.table_is_view,
        is_inverse=not relationship.is_inverse,
    )


def through_views(keys: list[Relationship], views: ViewColumns) -> list[Relationship]:
    """The keys, and for each the same key seen from views of its table, to views of its target, and both."""
    showing: dict[QualifiedName, list[QualifiedName]] = defaultdict(list)
    for view, columns in views.items():
        for table in dict.fromkeys(table for table, _ in columns):
            showing[table].append(view)
    found: list[Relationship] = []
    for key in keys:
        ours = _ends(key.table, tuple(column for column, _ in key.columns), views, showing[key.table])
        theirs = _ends(key.foreign_table, tuple(column for _, column in key.columns), views, showing[key.foreign_table])
        found += _combined(key, ours, theirs)
    return found


def _ends(
    table: QualifiedName, columns: tuple[str, ...], views: ViewColumns, showing: list[QualifiedName]
) -> list[End]:
    """The table itself and every view of it, with the names `columns` have there."""
    own: End = (table, (columns,), False)
    return [own, *((view, _shown(views[view], table, columns), True) for view in showing)]


def _combined(
    key: Relationship,
    ours: list[End],
    theirs: list[End],
) -> list[Relationship]:
    return [
        replace(
            key,
            table=table,
            foreign_table=foreign,
            columns=tuple(zip(near, far, strict=True)),
            table_is_view=is_view,
            foreign_table_is_view=foreign_is_view,
        )
        for table, near_choices, is_view in ours
        for foreign, far_choices, foreign_is_view in theirs
        for near in near_choices
        for far in far_choices
    ]


def _shown(
    view: Mapping[tuple[QualifiedName, str], tuple[str, ...]], table: QualifiedName, columns: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """The names the view gives to all of `columns`; a column shown twice gives two readings."""
    choices = [view.get((table, column), ()) for column in columns]
    return tuple(product(*choices))[:MAX_COMBINATIONS]


def junctions(to_one: list[Relationship], tables: Mapping[QualifiedName, Table]) -> list[Relationship]:
    """Many-to-many through tables whose primary key contains two foreign keys."""
    by_table: dict[QualifiedName, list[Relationship]] = defaultdict(list)
    for key in to_one:
        table = tables.get(key.table)
        is_key = key.cardinality is Cardinality.MANY_TO_ONE
        if is_key and table and key.columns and {ours for ours, _ in key.columns} <= set(table.primary_key):
            by_table[key.table].append(key)
    return [
        _many_to_many(near, far)
        for keys in by_table.values()
        for near in keys
        for far in keys
        if near.constraint != far.constraint
    ]


def _many_to_many(near: Relationship, far: Relationship) -> Relationship:
    swapped: ColumnPairs = tuple((theirs, ours) for ours, theirs in near.columns)
    return Relationship(
        table=near.foreign_table,
        foreign_table=far.foreign_table,
        cardinality=Cardinality.MANY_TO_MANY,
        junction=Junction(near.table, near.constraint, far.constraint, swapped, far.columns),
        table_is_view=near.foreign_table_is_view,
        foreign_table_is_view=far.foreign_table_is_view,
    )


def told_order(each: Relationship) -> tuple[object, ...]:
    """The order in which relationships are found, and told where they are ambiguous."""
    via = each.junction
    junction = (via.table, via.near_constraint, via.far_constraint) if via else ()
    rank = TOLD_FIRST.index(each.cardinality)
    key = (each.foreign_table, each.is_self, rank, each.constraint or "", junction, each.columns)
    return each.function is not None, each.function or key
