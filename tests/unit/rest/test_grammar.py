"""The query language: what each text means, and what a wrong one is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from minato.rest.errors import RestError
from minato.rest.parse.api_request import Target, TargetKind, parse_target
from minato.rest.parse.filters import parse_filter, parse_logic
from minato.rest.parse.media_type import MediaKind, parse_accept
from minato.rest.parse.preferences import parse_preferences
from minato.rest.parse.query_string import canonical_query, parse_order, parse_query_string
from minato.rest.parse.ranges import NEGATIVE_LIMIT, RowRange, top_window
from minato.rest.parse.select import parse_columns, parse_select
from minato.rest.parse.syntax import (
    Comparison,
    Field,
    Filter,
    FullText,
    InList,
    IsTest,
    JsonStep,
    LogicGroup,
    Operation,
    OrderTerm,
    Quantifier,
    SelectField,
    SelectRelation,
)

ID = Field("id")


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("*", SelectField(Field("*"))),
        ("id", SelectField(ID)),
        (" id ", SelectField(ID)),
        ("first name", SelectField(Field("first name"))),
        ("a-b", SelectField(Field("a-b"))),
        ('"a,b"', SelectField(Field("a,b"))),
        (r'"a\"b"', SelectField(Field('a"b'))),
        ("n:id", SelectField(ID, "n")),
        ("id::text", SelectField(ID, None, "text")),
        ("n:id::double precision", SelectField(ID, "n", "double precision")),
        ("d->a->>0", SelectField(Field("d", (JsonStep("a", False), JsonStep("0", True, True))))),
        ("d->-1", SelectField(Field("d", (JsonStep("-1", False, True),)))),
        ("d->1a", SelectField(Field("d", (JsonStep("1a", False),)))),
        ('d->"a.b"', SelectField(Field("d", (JsonStep("a.b", False),)))),
        ("count()", SelectField(Field("*"), None, None, "count")),
        ("n:count()::text", SelectField(Field("*"), "n", None, "count", "text")),
        ("age::int.sum()::text", SelectField(Field("age"), None, "int", "sum", "text")),
        ("count", SelectField(Field("count"))),
        ("cars()", SelectRelation("cars")),
        ("c:cars!fk!inner()", SelectRelation("cars", "c", "fk", True)),
        ("cars!inner!fk()", SelectRelation("cars", None, "fk", True)),
        ("cars!left()", SelectRelation("cars")),
        ("cars!left_fk()", SelectRelation("cars", None, "left_fk")),
        ("...cars(id)", SelectRelation("cars", None, None, False, True, (SelectField(ID),))),
        ("a(b(id))", SelectRelation("a", items=(SelectRelation("b", items=(SelectField(ID),)),))),
    ],
)
def test_select_items(text: str, item: object) -> None:
    assert parse_select(text) == (item,)


@pytest.mark.parametrize(
    ("text", "message", "details"),
    [
        ("id,", "(id,)", 'unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"'),
        (
            "id,clients(name[])",
            "(id,clients(name[]))",
            'unexpected \'[\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
        ),
    ],
)
def test_wrong_selects_say_what_came_and_what_could_have(text: str, message: str, details: str) -> None:
    with pytest.raises(RestError) as refused:
        parse_select(text)
    assert refused.value.code == "PGRST100"
    assert refused.value.message.startswith(f'"failed to parse select parameter {message}"')
    assert refused.value.details == details


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("eq.1", Comparison("eq", "1")),
        ("eq.", Comparison("eq", "")),
        ("eq.a.b,c", Comparison("eq", "a.b,c")),
        ("neq.1", Comparison("neq", "1")),
        ("gte.1", Comparison("gte", "1")),
        ("like(any).{a,b}", Comparison("like", "{a,b}", Quantifier.ANY)),
        ("imatch(all).x", Comparison("imatch", "x", Quantifier.ALL)),
        ("isdistinct.x", Comparison("isdistinct", "x")),
        ("in.(1,2)", InList(("1", "2"))),
        ("in.()", InList(("",))),
        ('in.("a,b",c"d)', InList(("a,b", 'c"d'))),
        ("is.NULL", IsTest("null")),
        ("is.not_null", IsTest("not_null")),
        ("fts.x", FullText("fts", "x")),
        ("wfts(german).x y", FullText("wfts", "x y", "german")),
        ("adj.[1,2)", Comparison("adj", "[1,2)")),
    ],
)
def test_filters_and_their_negation(text: str, operation: Operation) -> None:
    assert parse_filter(ID, text) == Filter(ID, operation)
    assert parse_filter(ID, f"not.{text}") == Filter(ID, operation, True)


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("0", 'unexpected "0" expecting "not" or operator (eq, gt, ...)'),
        ("is.maybe", 'unexpected "m" expecting isVal: (null, not_null, true, false, unknown)'),
        ("in.1", 'unexpected "1" expecting "("'),
        ("", 'unexpected end of input expecting "not" or operator (eq, gt, ...)'),
    ],
)
def test_wrong_filters_say_what_was_expected(text: str, details: str) -> None:
    with pytest.raises(RestError) as refused:
        parse_filter(ID, text)
    assert refused.value.details == details


def test_logic_trees_nest_and_quote() -> None:
    tree = parse_logic("or", True, '(a.eq."x,)y",not.and(b.not.is.null,c.in.(1,2)),d.cs.{1,2})')
    assert tree == LogicGroup(
        "or",
        (
            Filter(Field("a"), Comparison("eq", "x,)y")),
            LogicGroup("and", (Filter(Field("b"), IsTest("null"), True), Filter(Field("c"), InList(("1", "2")))), True),
            Filter(Field("d"), Comparison("cs", "{1,2}")),
        ),
        True,
    )


@pytest.mark.parametrize("text", ["()", "(a)", "(a.eq.1", "(a.eq.1,)"])
def test_broken_logic_is_refused(text: str) -> None:
    with pytest.raises(RestError):
        parse_logic("or", False, text)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("id", OrderTerm(ID)),
        ("id.desc", OrderTerm(ID, "DESC")),
        ("id.nullsfirst", OrderTerm(ID, "", "NULLS FIRST")),
        ("id.asc.nullslast", OrderTerm(ID, "ASC", "NULLS LAST")),
        ("d->>a.desc", OrderTerm(Field("d", (JsonStep("a", True),)), "DESC")),
        ("rel(id).desc", OrderTerm(ID, "DESC", "", "rel")),
    ],
)
def test_order_terms(text: str, term: OrderTerm) -> None:
    assert parse_order(text) == (term,)


def test_the_paths_of_a_query_string_name_embeds() -> None:
    query = parse_query_string(b"a.b.c=eq.1&a.or=(x.eq.1)&a.not.and=(x.eq.1)&a.b.order=c&a.limit=3&a.offset=1&z")
    assert query.filters[0][0] == ("a", "b")
    assert [path for path, _ in query.logic] == [("a",), ("a",)]
    assert query.order[0][0] == ("a", "b")
    assert (query.limits, query.offsets) == ({("a",): "3"}, {("a",): "1"})


def test_the_canonical_query_is_sorted_and_encoded() -> None:
    assert canonical_query(b"b=eq.1&a=eq.x+y") == "a=eq.x%20y&b=eq.1"


@pytest.mark.parametrize(("text", "names"), [("a,b", ("a", "b")), ('a , "b c"', ("a", "b c")), ("a,a", ("a",))])
def test_lists_of_columns(text: str, names: tuple[str, ...]) -> None:
    assert parse_columns(text, "columns parameter") == names


def test_an_empty_list_of_columns_is_refused_as_the_reference_does() -> None:
    with pytest.raises(RestError) as refused:
        parse_columns("", "columns parameter")
    assert refused.value.message == '"failed to parse columns parameter ()" (line 1, column 1)'
    assert refused.value.details == "unexpected end of input expecting field name (* or [a..z0..9_$])"


@pytest.mark.parametrize(
    ("limit", "offset", "header", "expected"),
    [
        (None, None, None, RowRange(0, None)),
        ("5", None, None, RowRange(0, 5)),
        ("5", "2", "0-3", RowRange(2, 2)),
        (None, "-3", None, RowRange(0, None)),
        ("2", "-1", None, RowRange(0, 1)),
        ("1.5", None, None, RowRange(0, None)),
        ("0x2", " 1 ", None, RowRange(1, 2)),
        ("0", "0", None, RowRange(0, 0)),
        (None, None, "-5", RowRange(0, None)),
        (None, None, "3-", RowRange(3, None)),
        (None, None, "bytes", RowRange(0, None)),
    ],
)
def test_limit_offset_and_range_meet_in_the_narrower_window(
    limit: str | None, offset: str | None, header: str | None, expected: RowRange
) -> None:
    assert top_window(limit, offset, header) == expected


@pytest.mark.parametrize(
    ("limit", "offset", "header"), [("-1", None, None), ("0", "1", None), ("x", "1", None), ("2", None, "5-9")]
)
def test_a_window_in_which_no_row_can_lie_is_refused(limit: str, offset: str | None, header: str | None) -> None:
    with pytest.raises(RestError) as refused:
        top_window(limit, offset, header)
    assert (refused.value.code, refused.value.details) == ("PGRST103", NEGATIVE_LIMIT)


def test_the_first_preference_of_a_kind_wins() -> None:
    given = parse_preferences(["return=minimal", "return=representation,count=exact", "max-affected=3"])
    assert (given.representation, given.count, given.max_affected) == ("minimal", "exact", None)
    assert parse_preferences(["handling=strict, max-affected=3"]).max_affected == 3


@pytest.mark.parametrize(
    ("accept", "kinds"),
    [
        (None, [MediaKind.ANY]),
        ("text/csv, */*;q=0.1", [MediaKind.CSV, MediaKind.ANY]),
        ("", []),
        ('application/vnd.pgrst.plan+json; for="text/csv"; options=analyze', [MediaKind.PLAN]),
        ("*/*, text/csv", [MediaKind.CSV, MediaKind.ANY]),
        ("text/html;level=1, application/json~broken", [MediaKind.OTHER, MediaKind.JSON]),
        ("Application/JSON;charset=utf-8", [MediaKind.JSON]),
    ],
)
def test_accept_is_read_best_first(accept: str | None, kinds: list[MediaKind]) -> None:
    assert [media.kind for media in parse_accept(accept)] == kinds


@pytest.mark.parametrize(
    ("path", "target"),
    [
        (b"/", Target(TargetKind.ROOT)),
        (b"/a%20b", Target(TargetKind.RELATION, "a b")),
        (b"/a%2Fb", Target(TargetKind.RELATION, "a/b")),
        (b"/rpc", Target(TargetKind.RELATION, "rpc")),
        (b"/rpc/f", Target(TargetKind.FUNCTION, "f")),
    ],
)
def test_paths_name_a_target(path: bytes, target: Target) -> None:
    assert parse_target(path) == target


@pytest.mark.parametrize("path", [b"/a/b", b"/rpc/f/g", b"//a", b"/a/"])
def test_other_paths_are_refused(path: bytes) -> None:
    with pytest.raises(RestError) as refused:
        parse_target(path)
    assert refused.value.code == "PGRST125"


@given(st.text(max_size=80))
def test_every_parser_is_total(text: str) -> None:
    attempts: list[Callable[[], object]] = [
        lambda: parse_select(text),
        lambda: parse_filter(ID, text),
        lambda: parse_logic("or", False, text),
        lambda: parse_order(text),
        lambda: parse_columns(text, "columns parameter"),
        lambda: parse_query_string(text.encode("utf-8", "replace")),
    ]
    for attempt in attempts:
        assert refusal(attempt) in (None, "PGRST100")


def refusal(attempt: Callable[[], object]) -> str | None:
    try:
        attempt()
    except RestError as refused:
        return refused.code
    return None


@pytest.mark.parametrize(
    ("query", "message", "details"),
    [
        (b"or=", '"failed to parse logic tree ()" (line 1, column 3)', 'unexpected end of input expecting "("'),
        (
            b"id=is.nil",
            '"failed to parse filter (is.nil)" (line 1, column 5)',
            'unexpected "i" expecting isVal: (null, not_null, true, false, unknown)',
        ),
        (
            b"id=eq(some).1",
            '"failed to parse filter (eq(some).1)" (line 1, column 4)',
            'unexpected "s" expecting operator (eq, gt, ...)',
        ),
        (
            b"order=id.descc",
            '"failed to parse order (id.descc)" (line 1, column 8)',
            "unexpected 'c' expecting delimiter (.), \",\" or end of input",
        ),
        (
            b"select=cars(a,b",
            '"failed to parse select parameter (cars(a,b)" (line 1, column 9)',
            'unexpected end of input expecting "," or ")"',
        ),
        (
            b"select=a%09%09%22",
            '"failed to parse select parameter (a\t\t")" (line 1, column 17)',
            'unexpected \'"\' expecting "::", ".", ")", "," or end of input',
        ),
        (b"%C3%A9!=eq.1", None, None),
    ],
)
def test_errors_follow_parsec(query: bytes, message: str | None, details: str | None) -> None:
    if message is None:
        # What follows a column's name is left unread.
        assert parse_query_string(query).filters[0][1].field.name == "é"
        return
    with pytest.raises(RestError) as refused:
        parse_query_string(query)
    assert (refused.value.message, refused.value.details) == (message, details)


@pytest.mark.parametrize(("element", "end"), [("a,", "b("), ("c(d),", "e:f(g!"), ("g->h,", "i->")])
def test_a_long_text_is_explained_as_its_end_would_be(element: str, end: str) -> None:
    def refusal(elements: int) -> tuple[object, int]:
        with pytest.raises(RestError) as refused:
            parse_select(element * elements + end)
        column = int(refused.value.message.rpartition("column ")[2].rstrip(')"'))
        return refused.value.details, column - elements * len(element)

    assert refusal(1000) == refusal(1)


def test_an_unreadable_beginning_selects_everything() -> None:
    assert parse_query_string(b"select=:id").select == parse_query_string(b"select=*").select
