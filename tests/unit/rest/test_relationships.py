"""What follows from foreign keys: inverses, junctions, views; and the nearest name to a wrong one."""

from __future__ import annotations

import pytest
from minato.rest.errors import RestError, SchemaMiss
from minato.rest.plan.relationship import find_relationship
from minato.rest.plan.suggestions import nearest
from minato.rest.schema_cache.model import Cardinality, QualifiedName, Relationship, SchemaCache, Table
from minato.rest.schema_cache.relationships import all_relationships


def name(table: str) -> QualifiedName:
    return QualifiedName("public", table)


def key(table: str, column: str, target: str, cardinality: Cardinality = Cardinality.MANY_TO_ONE) -> Relationship:
    return Relationship(name(table), name(target), cardinality, f"{table}_{column}_fkey", ((column, "id"),))


KEYS = [
    key("letters", "sender", "people"),
    key("letters", "receiver", "people"),
    key("members", "person", "people"),
    key("members", "team", "teams"),
    key("people", "mentor", "people"),
]
TABLES = {
    name(table): Table(name(table), {}, primary)
    for table, primary in [
        ("letters", ("id",)),
        ("members", ("person", "team")),
        ("people", ("id",)),
        ("teams", ("id",)),
    ]
}
VIEWS = {name("seniors"): {(name("people"), "id"): ("senior",)}}


def cache() -> SchemaCache:
    found: dict[QualifiedName, tuple[Relationship, ...]] = {}
    for each in all_relationships(KEYS, TABLES, VIEWS):
        found[each.table] = (*found.get(each.table, ()), each)
    return SchemaCache(tables=TABLES, relationships=found)


@pytest.mark.parametrize(
    ("origin", "target", "hint", "cardinality", "columns"),
    [
        ("letters", "people", "sender", Cardinality.MANY_TO_ONE, (("sender", "id"),)),
        ("letters", "people", "letters_receiver_fkey", Cardinality.MANY_TO_ONE, (("receiver", "id"),)),
        ("letters", "sender", None, Cardinality.MANY_TO_ONE, (("sender", "id"),)),
        ("letters", "letters_sender_fkey", None, Cardinality.MANY_TO_ONE, (("sender", "id"),)),
        ("people", "letters", "receiver", Cardinality.ONE_TO_MANY, (("id", "receiver"),)),
        ("people", "people", None, Cardinality.ONE_TO_MANY, (("id", "mentor"),)),
        ("people", "mentor", None, Cardinality.MANY_TO_ONE, (("mentor", "id"),)),
        ("teams", "people", None, Cardinality.MANY_TO_MANY, ()),
        ("letters", "seniors", "sender", Cardinality.MANY_TO_ONE, (("sender", "senior"),)),
    ],
)
def test_an_embed_is_found_by_table_constraint_column_and_hint(
    origin: str, target: str, hint: str | None, cardinality: Cardinality, columns: tuple[tuple[str, str], ...]
) -> None:
    found = find_relationship(cache(), name(origin), target, hint)
    assert (found.cardinality, found.columns) == (cardinality, columns)


def test_two_ways_without_a_hint_are_ambiguous() -> None:
    with pytest.raises(RestError) as refused:
        find_relationship(cache(), name("letters"), "people", None)
    assert (refused.value.status, refused.value.code) == (300, "PGRST201")


def test_an_unknown_target_is_a_miss() -> None:
    with pytest.raises(SchemaMiss) as refused:
        find_relationship(cache(), name("letters"), "peoples", None)
    assert refused.value.hint == "Perhaps you meant 'people' instead of 'peoples'."


@pytest.mark.parametrize(
    ("given", "known", "at_least", "found"),
    [
        ("itmes", ["items"], 0.5, "items"),
        ("clients", ["projects"], 0.75, None),
        ("", ["a"], 0.3, None),
        ("add_the", ["add_them", "adults"], 0.75, "add_them"),
    ],
)
def test_the_nearest_name_needs_a_score(given: str, known: list[str], at_least: float, found: str | None) -> None:
    assert nearest(given, known, at_least) == found
