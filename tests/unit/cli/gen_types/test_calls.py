"""What PostgREST makes of functions, told from the catalogue alone."""

from __future__ import annotations

from minato.cli.gen_types.calls import Calls, SetofOptions
from minato.cli.gen_types.model import Argument, Catalog, Function, Kind, Relation, Type
from minato.cli.gen_types.order import sort_catalog
from minato.cli.gen_types.resolve import Resolver

INT, TEXT, PEOPLE_ROW, PEOPLE = 23, 25, 1001, 1000
TYPES = [
    Type(INT, "pg_catalog", "int4", "integer", [], [], None),
    Type(TEXT, "pg_catalog", "text", "text", [], [], None),
    Type(PEOPLE_ROW, "public", "people", "people", [], [], PEOPLE),
]
PEOPLE_TABLE = Relation(PEOPLE, "public", "people", Kind.TABLE, False, False, [])


def function(name: str, *arguments: Argument, returns: int = INT, is_set: bool = False, rows: float = 1000) -> Function:
    relation = PEOPLE if returns == PEOPLE_ROW else None
    shown = ", ".join(str(one.type_id) for one in arguments)
    return Function(
        id=hash((name, shown)),
        schema="public",
        name=name,
        arguments=arguments,
        argument_types=shown,
        identity_arguments=shown,
        return_type_id=returns,
        return_type="integer",
        return_relation_id=relation,
        returns_set=is_set,
        rows=rows if is_set else None,
    )


def given(name: str, type_id: int = INT, has_default: bool = False) -> Argument:
    return Argument("i", name, type_id, has_default)


def calls(*functions: Function) -> Calls:
    return Calls(Resolver(sort_catalog(Catalog(["public"], [PEOPLE_TABLE], [], functions, TYPES))))


def callable_names(*functions: Function) -> list[str]:
    return [one.name for one in calls(*functions).callable("public")]


def test_arguments_without_names_are_the_body_or_a_row() -> None:
    assert callable_names(function("none"), function("named", given("a"))) == ["named", "none"]
    assert callable_names(function("body", given("", TEXT)), function("row", given("", PEOPLE_ROW))) == ["body", "row"]
    assert callable_names(function("number", given("")), function("two", given("", TEXT), given("", TEXT))) == []


def test_a_function_of_one_row_is_a_field_of_its_table() -> None:
    unnamed, named = function("a", given("", PEOPLE_ROW)), function("b", given("person", PEOPLE_ROW))
    two = function("c", given("person", PEOPLE_ROW), given("n"))
    known = calls(unnamed, named, two)
    assert [known.is_computed(one, PEOPLE_TABLE) for one in (unnamed, named, two)] == [True, True, False]


def test_rows_that_come_back_can_be_embedded() -> None:
    many = function("a", returns=PEOPLE_ROW, is_set=True)
    one = function("b", returns=PEOPLE_ROW, is_set=True, rows=1)
    of_row = function("c", given("", PEOPLE_ROW), returns=PEOPLE_ROW)
    known = calls(many, one, of_row)
    assert known.setof_options(many) == SetofOptions("*", "people", False, True)
    assert known.setof_options(one) == SetofOptions("*", "people", True, True)
    assert known.setof_options(of_row) == SetofOptions("people", "people", True, False)
    assert known.setof_options(function("d", is_set=True)) is None
    assert [known.is_list(each) for each in (many, one, function("d", is_set=True, rows=1))] == [True, False, True]


def test_calls_that_no_request_can_make_say_why() -> None:
    number, text = function("f", given("a")), function("f", given("a", TEXT))
    refusal = calls(number, text).refusal(number, [number, text])
    assert refusal is not None
    assert "public.f(a => int4), public.f(a => text)" in refusal
    of_row = function("g", given("", PEOPLE_ROW))
    assert "public.g with parameter" in (calls(of_row).refusal(of_row, [of_row]) or "")
    nothing, optional = function("h"), function("h", given("", TEXT, has_default=True))
    assert "public.h(), public.h( => int4)" in (calls(nothing).refusal(nothing, [nothing, optional]) or "")
    assert calls(number).refusal(number, [number]) is None
