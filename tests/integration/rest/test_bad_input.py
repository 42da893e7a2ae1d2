"""Whatever comes gets a documented answer below 500, and nothing of it reaches SQL unquoted."""

from __future__ import annotations

import json
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.examples import of_hundred
from tests.support.server import Minato

INJECTIONS = [
    "'; drop table teams; --",
    '"; drop table teams; --',
    "1) or (1=1",
    "$1",
    "\\'; select 1; --",
    "*/ drop table teams /*",
    "a\x00b",
    "pg_sleep(1)",
    "\ud7ff\uffff",
]
PLACES = [
    "/teams?title=eq.{}",
    "/teams?title=in.({})",
    "/teams?{}=eq.1",
    "/teams?select={}",
    "/teams?select=id::{}",
    "/teams?select=id->>{}",
    "/teams?order={}",
    "/teams?limit={}",
    "/teams?or=({}.eq.1)",
    "/teams?title=fts({}).a",
    "/teams?columns={}",
    "/{}",
    "/rpc/{}",
    "/rpc/greet?name={}",
    "/teams?select=id,{}(id)",
    "/teams?select=x:{}",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("injection", INJECTIONS)
async def test_an_injection_is_a_name_or_a_value_and_nothing_more(
    anon: httpx.AsyncClient, place: str, injection: str
) -> None:
    answer = await anon.get(place.format(quote(injection, safe="")))
    assert answer.status_code < 500, answer.text
    answer.json()
    assert len((await anon.get("/teams")).json()) == 2


async def test_headers_and_bodies_cannot_inject_either(club: Minato, anon: httpx.AsyncClient) -> None:
    for injection in INJECTIONS[:6]:
        answer = await anon.post(
            "/rpc/whoami", headers={"user-agent": injection, "prefer": f"timezone={injection}", "cookie": injection}
        )
        assert answer.status_code < 500, answer.text
        answer = await anon.post("/logs", json={"message": injection, injection: 1})
        assert answer.status_code == 400, answer.text
    assert len((await anon.get("/teams")).json()) == 2


text = st.text(max_size=40)
grammar = st.lists(
    st.sampled_from(
        'id|title|,|(|)|.|!|:|::|->>|"|\\|{|}|*|eq|not|or|in|is|null|...|count()|people|sum|1| |&|=|and|é|\n'.split("|")
    ),
    max_size=25,
).map("".join)
PARAMETERS = ["select", "order", "limit", "offset", "or", "and", "not.and", "id", "title", "columns", "on_conflict"]
HEADERS = [
    *("accept", "prefer", "range", "authorization", "cookie", "accept-profile", "content-profile", "content-type"),
    *("user-agent", "x-forwarded-for", "x-anything", "range-unit", "if-none-match", "origin"),
]


@settings(max_examples=of_hundred(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parameters=st.lists(st.tuples(st.sampled_from(PARAMETERS) | grammar, text | grammar), max_size=3))
async def test_any_query_gets_valid_json_and_a_status_below_500(
    club: Minato, parameters: list[tuple[str, str]]
) -> None:
    query = "&".join(
        f"{quote(key, safe='', errors='replace')}={quote(value, safe='', errors='replace')}"
        for key, value in parameters
    )
    async with club.client() as client:
        answer = await client.get(f"/rest/v1/teams?{query}")
    assert answer.status_code < 500, (query, answer.text)
    answer.json()


@settings(max_examples=of_hundred(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(["/teams", "/rpc/greet", "/rpc/whole_json", "/people?columns=name", "/teams?select=id"]),
    body=st.binary(max_size=60)
    | st.sampled_from([b"[{}", b'{"id":1e999}', b"[[[[", b'{"a":"\\ud800"}', b"null", b"[null]"]),
    content=st.sampled_from(
        ["application/json", "text/csv", "application/x-www-form-urlencoded", "text/plain", "?", ""]
    ),
    prefer=text.filter(lambda value: value.isascii() and value.isprintable()),
)
async def test_any_body_gets_valid_json_and_a_status_below_500(
    club: Minato, path: str, body: bytes, content: str, prefer: str
) -> None:
    async with club.client() as client:
        sent = {"content-type": content, "prefer": f"{prefer},tx=rollback".strip()}
        answer = await client.post(f"/rest/v1{path}", content=body, headers=sent)
    assert answer.status_code < 500, (body, answer.text)
    assert not answer.content or answer.json() is not Ellipsis


@settings(max_examples=of_hundred(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.sampled_from(HEADERS),
    value=st.binary(max_size=40),
    method=st.sampled_from(["GET", "POST", "PATCH", "DELETE", "OPTIONS", "HEAD"]),
    path=st.sampled_from(["/teams?id=eq.0", "/rpc/greet", "/"]),
)
async def test_any_header_gets_valid_json_and_a_status_below_500(
    club: Minato, name: str, value: bytes, method: str, path: str
) -> None:
    printable = bytes(byte for byte in value if byte >= 32 and byte != 127).strip()
    async with club.client() as client:
        answer = await client.request(method, f"/rest/v1{path}", headers=[(name.encode(), printable)])
    assert answer.status_code < 500, (name, printable, answer.text)
    if answer.content and "json" in answer.headers["content-type"]:
        answer.json()


@settings(max_examples=of_hundred(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=text | grammar,
    arguments=st.lists(st.tuples(text | grammar, text | grammar), max_size=3),
    is_function=st.booleans(),
    method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
)
async def test_any_name_of_a_table_or_function_is_answered_below_500(
    club: Minato, name: str, arguments: list[tuple[str, str]], is_function: bool, method: str
) -> None:
    quoted = quote(name, safe="", errors="replace")
    query = "&".join(
        f"{quote(key, safe='', errors='replace')}={quote(value, safe='', errors='replace')}" for key, value in arguments
    )
    async with club.client(prefer="tx=rollback") as client:
        path = f"/rest/v1/{'rpc/' if is_function else ''}{quoted}?{query}"
        answer = await client.request(method, path, content=b"{}" if method in ("POST", "PUT", "PATCH") else None)
    assert answer.status_code < 500, (path, answer.text)


@settings(max_examples=of_hundred(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=8,
    ),
    path=st.sampled_from(["/teams", "/people", "/rpc/whole_json", "/rpc/add_them", "/defaulted?columns=n", "/clubs"]),
    prefer=st.sampled_from(["missing=default", "return=representation", "resolution=merge-duplicates", ""]),
)
async def test_any_json_body_is_answered_below_500(club: Minato, rows: object, path: str, prefer: str) -> None:
    async with club.client(prefer=f"{prefer}, tx=rollback") as client:
        body = json.dumps(rows).encode("utf-8", "replace")
        answer = await client.post(f"/rest/v1{path}", content=body, headers={"content-type": "application/json"})
    assert answer.status_code < 500, (body, answer.text)


async def test_deep_nesting_is_refused_not_crashed_on(anon: httpx.AsyncClient) -> None:
    nested = "people(" * 500 + ")" * 500
    answer = await anon.get(f"/teams?select={nested}")
    assert (answer.status_code, answer.json()["code"]) == (400, "PGRST100")
    tree = "and(" * 500 + "id.eq.1" + ")" * 500
    answer = await anon.get(f"/teams?or=({tree})")
    assert (answer.status_code, answer.json()["code"]) == (400, "PGRST100")


async def test_an_unknown_profile_lists_the_exposed_schemas(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/teams", headers={"accept-profile": "auth"})
    assert (answer.status_code, answer.json()) == (
        406,
        {
            "code": "PGRST106",
            "message": "Invalid schema: auth",
            "details": None,
            "hint": "Only the following schemas are exposed: public, graphql_public",
        },
    )


async def test_the_profile_is_told_when_several_schemas_are_exposed(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/teams", headers={"accept-profile": "public"})
    assert answer.headers["content-profile"] == "public"
