"""Requests of one shape share a plan; what each of them asks is exactly what it would have asked alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import pytest
from minato.rest.errors import RestError
from minato.rest.parse.api_request import RawRequest, parse_request
from minato.rest.plan.action import plan_action
from minato.rest.shape import Compiled, ShapeCache, shape_of
from minato.rest.sql.statement import Statement, build_statement

from tests.support.examples import of_hundred
from tests.unit.rest.test_sql_text import CACHE, SETTINGS

OPERATORS = """eq neq gt gte lt lte like ilike match imatch isdistinct cs cd ov sl sr nxr nxl adj fts plfts phfts wfts
in is like(any) fts(english)""".split()
VALUES = [
    *("1", "(1)", "(1,2,3)", "()", "(,)", "( 1, 2 )", '("a,b",c)', "(a b,c)", "(a)b)", "(a", "{1,2}", "[1,2)", "null"),
    *("a*", "*a*b*", "", "a.b", "not.eq.1", "é", "a%b", "a+b", "in.(1)", 'a"b', "a\\b", "(x\ty)", "(\u00a0x)", "a;b"),
]


def compiled(raw: RawRequest) -> Statement:
    request = parse_request(raw, SETTINGS)
    return build_statement(request, plan_action(request, CACHE, SETTINGS), SETTINGS.db_max_rows)


def by_shape(raw: RawRequest) -> Statement | None:
    """The statement as a plan of its shape gives it; None where the request has a plan of its own."""
    shape = shape_of(raw)
    if shape is None:
        return None
    request = parse_request(replace(raw, query=shape.query), SETTINGS, shape.payload)
    plan = plan_action(request, CACHE, SETTINGS)
    template = Compiled(request, plan, build_statement(request, plan, SETTINGS.db_max_rows))
    return template.filled(shape.values).statement if ShapeCache().keep(shape.key, CACHE, template) else None


def outcome(made: Callable[[RawRequest], Statement | None], raw: RawRequest) -> Statement | str | None:
    """What `made` makes of `raw`, or the code of the error it refuses it with."""
    try:
        return made(raw)
    except RestError as refused:
        return refused.code


def read(query: str) -> RawRequest:
    return RawRequest("GET", b"/cars", query.encode(), [(b"prefer", b"count=planned")])


@pytest.mark.parametrize("seed", range(of_hundred(8)))
def test_a_request_by_its_shape_asks_what_it_asks_alone(seed: int) -> None:
    drawn = random.Random(seed)
    for _ in range(50):
        column = drawn.choice(["id", "name", "tags", "data->>a", "makers.name"])
        negation, operator = drawn.choice(["", "not."]), drawn.choice(OPERATORS)
        value = quote(drawn.choice(VALUES), safe=drawn.choice(["", "()*,"]))
        raw = read(f"select=*,makers(*)&{column}={negation}{operator}.{value}&id=gt.{drawn.randrange(9)}")
        shared = outcome(by_shape, raw)
        assert shared is None or shared == outcome(compiled, raw), raw


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((f"id={operator}.1", f"id={operator}.2") for operator in ("eq", "not.gte", "isdistinct", "adj", "cs")),
        ("name=like.a*", "name=like.*b"),
        ("name=not.ilike.a*", "name=not.ilike.b"),
        ("name=wfts.a", "name=wfts.b c"),
        ("id=in.(1)", "id=in.(2,3,4)"),
        ("id=not.in.(1,2)", "id=not.in.(3)"),
        ("select=*,makers(*)&makers.id=in.(1)", "select=*,makers(*)&makers.id=in.(2,3)"),
    ],
)
def test_requests_that_differ_in_values_share_a_shape(one: str, other: str) -> None:
    shapes = [shape_of(read(query)) for query in (one, other)]
    assert shapes[0] is not None
    assert shapes[1] is not None
    assert shapes[0].key == shapes[1].key
    assert by_shape(read(one)) == compiled(read(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("id=in.(1)", "id=not.in.(1)"),
        ("id=in.(1)", "id=in.()"),
        ("id=is.null", "id=is.true"),
        ("name=like.a", "name=ilike.a"),
        ('name=in.("a")', 'name=in.("b")'),
        ("order=id", "order=name"),
    ],
)
def test_what_decides_the_plan_is_part_of_the_shape(one: str, other: str) -> None:
    shapes = [shape_of(read(query)) for query in (one, other)]
    assert shapes[0] is not None
    assert shapes[1] is not None
    assert shapes[0].key != shapes[1].key


def test_a_mark_inside_of_another_value_is_never_kept() -> None:
    shape = shape_of(read("id=eq.1"))
    assert shape is not None
    plan = plan_action(parse_request(read("id=eq.1"), SETTINGS), CACHE, SETTINGS)
    for value in ("a\ue0000\ue000", '{"\ue0000\ue000","b"}', "\ue0000\ue000b"):
        inner = Statement("SELECT $1", (value,))
        for statement in (inner, Statement("SELECT 1", (), estimate=inner)):
            made = Compiled(parse_request(read("id=eq.1"), SETTINGS), plan, statement)
            assert not ShapeCache().keep(shape.key, CACHE, made)
