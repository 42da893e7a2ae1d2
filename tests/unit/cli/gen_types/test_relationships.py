"""Keys through views: a view that shows all of a key's columns embeds as its table does."""

from __future__ import annotations

from minato.cli.gen_types.model import Relationship
from minato.cli.gen_types.relationships import ViewEnd, view_ends, with_views
from minato.json_text import JsonObject

KEY = Relationship("fk", "s", "notes", ["author"], False, "s", "people", ["id"])


def ways(found: list[Relationship]) -> list[tuple[str, object, str, object]]:
    return [(one.relation, one.columns, one.referenced_relation, one.referenced_columns) for one in found]


def test_a_key_begins_and_leads_at_every_view_of_its_ends() -> None:
    ends = [
        ViewEnd("s", "notes", "f", "fk", "s", "my_notes", (("by", "author"),)),
        ViewEnd("s", "people", "f_ref", "fk", "s", "names", (("id",),)),
    ]
    assert ways(with_views([KEY], ends)) == [
        ("notes", ["author"], "people", ["id"]),
        ("my_notes", ("by",), "people", ["id"]),
        ("my_notes", ("author",), "people", ["id"]),
        ("notes", ["author"], "names", ("id",)),
        ("my_notes", ("by",), "names", ("id",)),
        ("my_notes", ("author",), "names", ("id",)),
    ]


def entry(number: int, relation: int, column: int) -> str:
    return f"{{TARGETENTRY :expr {{VAR}} :resno {number} :resname x :resorigtbl {relation} :resorigcol {column}}}"


def view(identity: int, columns: list[str], *entries: str) -> JsonObject:
    definition = f"({{QUERY :targetList ({' '.join(entries)}) :x 1}})"
    names = {str(number): name for number, name in enumerate(columns, start=1)}
    return {"id": identity, "schema": "s", "name": f"v{identity}", "definition": definition, "columns": names}


def key_column(at: int, number: int, width: int = 2) -> JsonObject:
    ends = {"kind": "f", "name": "fk", "width": width, "relation_id": 1, "schema": "s", "relation": "t"}
    return {**ends, "number": number, "at": at}


def test_only_a_view_that_shows_every_column_of_a_key_counts() -> None:
    both = view(10, ["b", "a", "a2"], entry(1, 1, 4), entry(2, 1, 3), entry(3, 1, 3))
    half = view(11, ["a"], entry(1, 1, 3))
    found = view_ends([both, half], [key_column(1, 3), key_column(2, 4)])
    assert [(end.view, end.columns) for end in found] == [("v10", (("a", "a2"), ("b",)))]


def test_a_view_of_a_view_shows_the_tables_columns() -> None:
    lower, upper = view(10, ["a"], entry(1, 1, 3)), view(11, ["again"], entry(1, 10, 1))
    found = view_ends([lower, upper], [key_column(1, 3, width=1)])
    assert [(end.view, end.columns) for end in found] == [("v10", (("a",),)), ("v11", (("again",),))]
