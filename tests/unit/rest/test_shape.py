"""Requests of one shape share a plan; what each of them asks is exactly what it would have asked alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import quote

import pytest
from minato.config.rest import RestSettings
from minato.rest.errors import RestError
from minato.rest.parse.api_request import ApiRequest, RawRequest, parse_request
from minato.rest.plan.action import plan_action
from minato.rest.schema_cache.model import Parameter, QualifiedName, Routine, Volatility
from minato.rest.shape import Compiled, PlanCache, is_shared, question_of, shape_of, template_of
from minato.rest.sql.statement import Statement, build_statement

from tests.support.examples import of_hundred
from tests.unit.rest.test_sql_text import CACHE, SETTINGS

OPERATORS = """eq neq gt gte lt lte like ilike match imatch isdistinct cs cd ov sl sr nxr nxl adj fts plfts phfts wfts
in is like(any) eq(all) fts(english) wfts(french)""".split()
VALUES = [
    *("1", "(1)", "(1,2,3)", "()", "(,)", "( 1, 2 )", '("a,b",c)', "(a b,c)", "(a)b)", "(a", "{1,2}", "[1,2)", "null"),
    *("a*", "*a*b*", "", "a.b", "not.eq.1", "é", "a%b", "a+b", "in.(1)", 'a"b', "a\\b", "(x\ty)", "(\u00a0x)", "a;b"),
    *('("a\\"b",c)', '("a" ,b)', '("a"b)', '(a,"b")', '("a\\\\")', '("a")x', '"q"', '"a,b"', '"a\\"b"', "{a", "a}b"),
    *("true", "NULL", "not_null", "\ue000", "x\ue0000\ue000", "a)b", "a,b", "\x00", "like.a"),
]
COLUMNS = ["id", "name", "tags", "data->>a", "data->0", "makers.name", '"name"', "na-me", "not", "and", " id "]
NUMBERS = ["0", "1", "7", "25", "1000", " 3", "-1", "x", "0x10", "", "9" * 20, "1.5"]
ADD = Routine(
    QualifiedName("public", "add"),
    (Parameter("a", "integer"), Parameter("b", "integer", required=False)),
    QualifiedName("pg_catalog", "int4"),
    False,
    False,
    Volatility.IMMUTABLE,
)
LIST = replace(
    ADD,
    name=QualifiedName("public", "list"),
    parameters=(Parameter("a", "text[]", variadic=True),),
    returns=QualifiedName("public", "cars"),
    returns_set=True,
    returns_composite=True,
)
KNOWN = replace(CACHE, routines={ADD.name: (ADD,), LIST.name: (LIST,)})
CAPPED = SETTINGS.model_copy(update={"db_max_rows": 50})


@dataclass(frozen=True)
class Asked:
    """What PostgreSQL is asked, and the first row of the answer that Content-Range tells."""

    statement: Statement
    offset: int


class Server:
    """Plans as the server does: alone, or by what was planned for an earlier request of the shape."""

    def __init__(self, settings: RestSettings = SETTINGS) -> None:
        self.settings = settings
        self.shapes = PlanCache()
        self.made = 0

    def alone(self, raw: RawRequest) -> Asked:
        made = self.compiled(parse_request(raw, self.settings))
        return asked(made)

    def shared(self, raw: RawRequest) -> Asked | None:
        """None where the request has a plan of its own, as one that is refused has."""
        with suppress(RestError):
            return self._shared(raw)
        return None

    def _shared(self, raw: RawRequest) -> Asked | None:
        shape = shape_of(raw, self.settings.db_max_rows)
        if shape is None:
            return None
        known = self.shapes.find(shape.key, KNOWN)
        if known is None:
            request = template_of(raw, shape, self.settings)
            if request is None:
                return None
            known = self.compiled(request)
            if not is_shared(known):
                return None
            self.shapes.keep(shape.key, KNOWN, known)
            self.made += 1
        return asked(known.filled(shape))

    def compiled(self, request: ApiRequest) -> Compiled:
        plan = plan_action(request, KNOWN, self.settings)
        return Compiled(request, plan, build_statement(request, plan, self.settings.db_max_rows))


def asked(made: Compiled) -> Asked:
    assert made.statement is not None
    return Asked(made.statement, made.request.top_range.offset)


def outcome(made: Callable[[RawRequest], Asked], raw: RawRequest) -> Asked | str:
    """What `made` makes of `raw`, or the code of the error it refuses it with."""
    try:
        return made(raw)
    except RestError as refused:
        return refused.code


def read(query: str, path: bytes = b"/cars", **headers: str) -> RawRequest:
    given = [(b"prefer", b"count=planned"), *((name.encode(), value.encode()) for name, value in headers.items())]
    return RawRequest("GET", path, query.encode(), given)


def condition(drawn: random.Random, values: random.Random) -> str:
    return f"{drawn.choice(['', 'not.'])}{drawn.choice(OPERATORS)}.{values.choice(VALUES)}"


def tree(drawn: random.Random, values: random.Random, depth: int = 0) -> str:
    """The terms of a logic tree, most of them right."""
    terms = []
    for _ in range(drawn.randint(1, 3)):
        if depth < 3 and drawn.random() < 0.3:
            terms.append(f"{drawn.choice(['', 'not.'])}{drawn.choice(['and', 'or'])}{tree(drawn, values, depth + 1)}")
        else:
            terms.append(f"{drawn.choice(COLUMNS)}.{condition(drawn, values)}")
    return drawn.choice(["(", "( "]) + drawn.choice([",", ",", " , "]).join(terms) + drawn.choice([")", ")", ") "])


def parameter(drawn: random.Random, values: random.Random) -> str:
    safe = drawn.choice(["", "()*,"])
    match drawn.randrange(6):
        case 0:
            name = drawn.choice(["or", "and", "not.or", "makers.or", "makers.not.and"])
            return f"{name}={quote(tree(drawn, values), safe=safe)}"
        case 1:
            name = drawn.choice(["limit", "offset", "makers.limit", "makers.offset", '"makers".limit', "x.limit"])
            return f"{name}={quote(values.choice(NUMBERS))}"
        case 2:
            return drawn.choice(
                ["order=id", "order=name.desc,id", "select=*", "select=id,makers(name)", "id=is.null", "a"]
            )
    return f"{quote(drawn.choice(COLUMNS), safe='>-')}={quote(condition(drawn, values), safe=safe)}"


def request(drawn: random.Random, values: random.Random) -> RawRequest:
    query = "&".join(["select=*,makers(*)", *(parameter(drawn, values) for _ in range(drawn.randint(1, 3)))])
    headers = [(b"prefer", drawn.choice([b"count=planned", b"count=exact", b""]))]
    if drawn.random() < 0.2:
        headers.append((b"range", values.choice([b"0-4", b"5-", b"3-1", b"x", b"60-200"])))
    match drawn.randrange(6):
        case 0:
            arguments = (f"{drawn.choice('ab')}={quote(values.choice(VALUES))}" for _ in range(drawn.randint(1, 2)))
            return RawRequest("GET", drawn.choice([b"/rpc/add", b"/rpc/list"]), "&".join(arguments).encode(), headers)
        case 1:
            columns = drawn.choice(["", "&columns=id,name", "&columns", "&columns=&columns=id", "&columns=%22id%22"])
            body = drawn.choice([b'{"id":1}', b'[{"id":1,"name":"x"}]', b"[]", b"x", b'{"a":1}', b' [{"id":2}]'])
            method = drawn.choice(["POST", "PATCH", "PUT"])
            headers.append((b"prefer", drawn.choice([b"return=representation", b"missing=default", b""])))
            return RawRequest(method, b"/cars", f"{parameter(drawn, values)}{columns}".encode(), headers, body)
        case 2:
            return RawRequest("DELETE", b"/cars", query.encode(), headers)
    return RawRequest("GET", b"/cars", query.encode(), headers)


@pytest.mark.parametrize("settings", [SETTINGS, CAPPED])
@pytest.mark.parametrize("seed", range(of_hundred(8)))
def test_a_request_by_its_shape_asks_what_it_asks_alone(seed: int, settings: RestSettings) -> None:
    drawn, server = random.Random(seed), Server(settings)
    hits = 0
    for number in range(200):
        # Each form twice, with other values.
        raw = request(random.Random(f"{seed} {number // 2}"), drawn)
        before = server.made
        shared = server.shared(raw)
        assert shared is None or shared == outcome(server.alone, raw), raw
        hits += shared is not None and server.made == before
    assert hits > 10


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((f"id={operator}.1", f"id={operator}.2") for operator in ("eq", "not.gte", "isdistinct", "adj", "cs", "ov")),
        ("name=like.a*", "name=like.*b"),
        ("name=not.ilike.a*", "name=not.ilike.b"),
        ("name=like(any).{a*,b*}", "name=like(any).{c*}"),
        ("id=gt(all).{1,2}", "id=gt(all).{3}"),
        ("name=wfts.a", "name=wfts.b c"),
        ("name=plfts(english).a", "name=plfts(english).b c"),
        ("id=in.(1)", "id=in.(2,3,4)"),
        ('name=in.("a")', 'name=in.("b,c",d)'),
        ("id=not.in.(1,2)", "id=not.in.(3)"),
        ("data->>a=eq.1", "data->>a=eq.2"),
        ("data-%3E%3Ea=eq.1", "data-%3E%3Ea=eq.2"),
        ("select=*,makers(*)&makers.id=in.(1)", "select=*,makers(*)&makers.id=in.(2,3)"),
        ("or=(id.eq.1,name.ilike.*a*)", "or=(id.eq.2,name.ilike.*b*)"),
        ("or=%28id.eq.1%2Cname.in.%28a%2Cb%29%29", 'or=(id.eq.2,name.in.("c,d"))'),
        (
            "and=(id.gt.1,or(id.is.null,not.and(id.lt.3,name.eq.x)))",
            "and=(id.gt.2,or(id.is.null,not.and(id.lt.4,name.eq.y)))",
        ),
        ('not.or=(name.eq."a,b",tags.cs.{a,b})', "not.or=(name.eq.c,tags.cs.{})"),
        ("limit=25&offset=40", "limit=25&offset=75"),
        ("limit=20", "limit=60"),
        ("offset=5", "offset=70000"),
        ("select=*,makers(*)&makers.limit=3", "select=*,makers(*)&makers.limit=4"),
        ("id=eq.1;name=eq.a", "id=eq.2;name=eq.b"),
        ("id=in.(1)", "id=in.(1,2,3,4)"),
        ("id=in.(1,2,3,4,5)", "id=in.(" + ",".join(map(str, range(16))) + ")"),
        ("id=in.(" + ",".join(map(str, range(17))) + ")", "id=in.(" + ",".join(map(str, range(900))) + ")"),
    ],
)
def test_requests_that_differ_in_values_share_a_shape(one: str, other: str) -> None:
    server = Server()
    for query in (one, other):
        assert server.shared(read(query)) == server.alone(read(query))
    assert server.made == 1


def test_arguments_of_a_function_called_by_get_are_values() -> None:
    server = Server()
    for query in ("a=1&b=2", "a=3&b=4", "a=%7B1%7D&b=x.y"):
        assert server.shared(read(query, b"/rpc/add")) == server.alone(read(query, b"/rpc/add"))
    assert server.made == 1


def test_the_range_header_is_a_value() -> None:
    server = Server()
    for rows in ("70-94", "100-124", "225-249"):
        assert server.shared(read("order=id", range=rows)) == server.alone(read("order=id", range=rows))
    assert server.made == 1


def test_rows_whose_columns_are_named_are_values() -> None:
    server = Server()
    for body in (b'[{"id":1,"name":"a"}]', b'[{"id":2,"name":"b"},{"id":3,"name":"c"}]'):
        raw = RawRequest("POST", b"/cars", b"columns=%22id%22%2C%22name%22", [], body)
        assert server.shared(raw) == server.alone(raw)
    assert server.made == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("id=in.(1)", "id=not.in.(1)"),
        ("id=in.(1)", "id=in.()"),
        ("id=in.(1,2,3,4)", "id=in.(1,2,3,4,5)"),
        ("id=is.null", "id=is.true"),
        ("name=like.a", "name=ilike.a"),
        ("name=like(any).{a}", "name=like(all).{a}"),
        ("or=(id.eq.1,id.eq.2)", "or=(id.eq.1,id.gt.2)"),
        ("or=(id.eq.1,id.eq.2)", "or=(id.eq.1,id.eq.2,id.eq.3)"),
        ("order=id", "order=name"),
        ("limit=1", "limit=100"),
        ("limit=1", "offset=1"),
        ("limit=0", ""),
    ],
)
def test_what_decides_the_plan_is_part_of_the_shape(one: str, other: str) -> None:
    shapes = [shape_of(read(query), None) for query in (one, other)]
    assert shapes[0] is not None
    assert shapes[1] is not None
    assert shapes[0].key != shapes[1].key


def everyday(drawn: random.Random) -> str:
    """A query as supabase-js sends it for a list somebody searches and leafs through."""
    number, word = drawn.randrange(10_000), drawn.choice(["volvo", "saab", "a,b", 'a"b', "50%"]) + str(drawn.random())
    listed = ",".join(str(drawn.randrange(10_000)) for _ in range(drawn.randint(1, 60)))
    forms = [
        f"id=eq.{number}",
        f"id=in.({listed})",
        f'name=in.("{quote(word)}",b)',
        f"name=ilike.*{quote(word)}*",
        f"or=(id.eq.{number},name.ilike.*x{number}*,and(id.gt.{number},id.lt.{number + 9}))",
        f"select=*,makers!inner(*)&makers.name=eq.{quote(word)}&makers.limit={number % 20}",
        f"tags=cs.%7B{number}%7D&name=wfts(english).{number}",
        f"data->>a=eq.{number}&id=not.in.({listed})",
        f"id=gte.{number}&id=lt.{number + 100}&order=id.desc",
    ]
    return f"{drawn.choice(forms)}&offset={drawn.randrange(400) * 25}&limit=25"


def test_ten_thousand_everyday_requests_have_few_statements() -> None:
    drawn, server = random.Random(1), Server()
    texts = set()
    for _ in range(10_000):
        shared = server.shared(read(everyday(drawn)))
        assert shared is not None
        texts.add(shared.statement.text)
    # Nine forms, seven ceilings of their pages, and three of the embed's.
    assert len(texts) <= server.made <= 9 * 7 * 3


@pytest.mark.parametrize("end", [500, 5000, 50000])
def test_the_pages_of_a_list_have_few_statements(end: int) -> None:
    server = Server()
    texts = {server.alone(read(f"order=id&limit=25&offset={offset}")).statement.text for offset in range(0, end, 25)}
    assert len(texts) <= 3 + end.bit_length() // 2


def test_a_shown_plan_and_its_windows_are_of_one_request() -> None:
    settings = SETTINGS.model_copy(update={"db_plan_enabled": True})
    raw = read("limit=25&offset=3", accept="application/vnd.pgrst.plan+json")
    assert Server(settings).shared(raw) is None
    assert "LIMIT '25' OFFSET '3'" in Server(settings).alone(raw).statement.text


def test_what_is_long_but_no_value_has_no_shape() -> None:
    assert shape_of(read("select=" + ",".join(["name"] * 1000)), None) is None


def test_a_mark_inside_of_another_value_is_never_kept() -> None:
    shape = shape_of(read("id=eq.1"), None)
    assert shape is not None
    given = parse_request(read("id=eq.1"), SETTINGS)
    plan = plan_action(given, CACHE, SETTINGS)
    for value in ("a\ue0000\ue000", '{"\ue0000\ue000","b"}', "\ue0000\ue000b"):
        inner = Statement("SELECT $1", (value,))
        for statement in (inner, Statement("SELECT 1", (), estimate=inner)):
            assert not is_shared(Compiled(given, plan, statement))


@pytest.mark.parametrize(
    ("other", "max_rows"),
    [
        (read("id=eq.1")._replace(method="HEAD"), None),
        (read("id=eq.1")._replace(path=b"/makers"), None),
        (read("id=eq.2"), None),
        (read("id=eq.1", accept="text/csv"), None),
        (read("id=eq.1", prefer="count=exact"), None),
        (read("id=eq.1", b"/cars", **{"accept-profile": "other"}), None),
        (read("id=eq.1", range="0-4"), None),
        (read("id=eq.1"), 50),
    ],
)
def test_what_differs_in_anything_but_who_asks_is_another_question(other: RawRequest, max_rows: int | None) -> None:
    known = question_of(read("id=eq.1"), None)
    assert known is not None
    assert question_of(read("id=eq.1", authorization="Bearer a", cookie="x"), None) == known
    assert question_of(other, max_rows) not in (known, None)


def test_what_has_a_body_or_is_long_is_no_question_that_is_kept() -> None:
    assert question_of(read("id=eq.1")._replace(method="PATCH"), None) is None
    assert question_of(read("select=" + ",".join(["name"] * 200)), None) is None


@pytest.mark.parametrize("query", ["id=eq.%EE%80%80", "id=eq.%ee\udc80\udc80", "data->>\ue0000\ue000=eq.1"])
def test_who_sends_a_mark_has_no_shape(query: str) -> None:
    raw = RawRequest("GET", b"/cars", query.encode("utf-8", "surrogateescape"), [])
    assert shape_of(raw, None) is None
