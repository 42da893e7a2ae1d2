"""Requests that differ in values share plans and statements; nobody can tell but by the time they take."""

from __future__ import annotations

import random
from urllib.parse import quote

import httpx
import pytest
from minato.rest.parse.literals import MARK

from tests.support.data_api import Serve
from tests.support.examples import of_hundred

NUMBERS = ["0", "1", "2", "3", "7", "25", "-1", "x", "99999999999999999999", " 2"]
WORDS = ["Ann", "a*", "*n*", "", "{1,2}", "(1,2)", '"a,b"', "null", "2026-01-02", "1.5", "x'y", "[1,5)", "true", "é%"]
COMPARED = ["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "isdistinct", "cs", "ov", "sl", "wfts"]
COLUMNS = ["id", "name", "age", "joined", "active", "clubs.name", "clubs.address->>city", "search", "nothing"]


def condition(drawn: random.Random) -> str:
    if drawn.random() < 0.2:
        return drawn.choice(["is.null", "not.is.true", "fts(english).ann", "like(any).{A*,B*}", "gt(all).{1,2}"])
    if drawn.random() < 0.2:
        return f"in.({','.join(drawn.choice(NUMBERS) for _ in range(drawn.randint(0, 4)))})"
    return f"{drawn.choice(['', 'not.'])}{drawn.choice(COMPARED)}.{drawn.choice(WORDS + NUMBERS)}"


def query(drawn: random.Random) -> str:
    """A question about people and their clubs, often one that is refused."""
    parts = ["select=*,clubs(*),colleagues(id)", f"order={drawn.choice(['id', 'age.desc,id', 'name'])}"]
    for _ in range(drawn.randint(0, 2)):
        parts.append(f"{drawn.choice(COLUMNS)}={quote(condition(drawn))}")
    if drawn.random() < 0.4:
        tree = f"(id.{condition(drawn)},or(name.{condition(drawn)},age.{condition(drawn)}))"
        parts.append(f"{drawn.choice(['or', 'not.and', 'clubs.or'])}={quote(tree)}")
    for name in ("limit", "offset", "colleagues.limit", "colleagues.offset"):
        if drawn.random() < 0.4:
            parts.append(f"{name}={quote(drawn.choice(NUMBERS))}")
    return "&".join(parts)


async def told(client: httpx.AsyncClient, path: str, **sent: str) -> tuple[int, str | None, bytes]:
    answer = await client.get(path, headers=sent)
    return answer.status_code, answer.headers.get("content-range"), answer.content


@pytest.mark.parametrize("seed", range(of_hundred(3)))
async def test_a_shared_plan_answers_as_a_fresh_one_and_as_one_of_its_own(anon: httpx.AsyncClient, seed: int) -> None:
    drawn = random.Random(seed)
    good = 0
    for number in range(60):
        asked = f"/people?{query(drawn)}"
        sent = {"prefer": f"tx=rollback,count={drawn.choice(['exact', 'planned', 'estimated'])}"}
        shared = await told(anon, asked, **sent)
        # A name without "=" asks for nothing, but no other request has it; with a mark in it nothing is shared.
        assert shared == await told(anon, f"{asked}&{seed}.{number}", **sent), asked
        assert shared == await told(anon, f"{asked}&{quote(MARK)}", **sent), asked
        good += shared[0] < 300
    assert good > 5


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/people?select=id&order=id&limit=2", "/people?select=id&order=id&limit=4"),
        ("/people?select=id&order=id&limit=1&offset=1", "/people?select=id&order=id&limit=2&offset=2"),
        ("/people?select=id&order=id&offset=1", "/people?select=id&order=id&offset=3"),
        ("/rpc/adults?select=id&order=id&limit=2", "/rpc/adults?select=id&order=id&limit=3"),
        ("/rpc/numbers?upto=3", "/rpc/numbers?upto=5"),
        ("/rpc/sum_all?numbers=1&numbers=2", "/rpc/sum_all?numbers=3&numbers=4"),
        ("/people?or=(id.eq.1,name.like.B*)&select=id", "/people?or=(id.eq.2,name.like.C*)&select=id"),
        ('/people?name=in.("Ann","B")&select=id', '/people?name=in.("Bob","Cy")&select=id'),
    ],
)
async def test_each_of_two_requests_of_a_shape_gets_what_it_asked_for(
    anon: httpx.AsyncClient, first: str, second: str
) -> None:
    answers = [await told(anon, path) for path in (first, second, first)]
    alone = [await told(anon, f"{path}&{quote(MARK)}") for path in (first, second)]
    assert answers == [alone[0], alone[1], alone[0]]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("offset=99999999999999999999", 400, "22003"),
        ("select=*,clubs!inner(people(id))&clubs.people.limit=-1&id=eq.1", 400, "2201W"),
        ("id=eq.x&limit=5", 400, "22P02"),
        ("id=in.(1,x)", 400, "22P02"),
        ("or=(id.eq.1,joined.gt.yesterdy)", 400, "22007"),
    ],
)
async def test_what_a_value_is_refused_with_does_not_depend_on_who_asked_before(
    anon: httpx.AsyncClient, query: str, status: int, code: str
) -> None:
    answers = [await anon.get(f"/people?{query}") for _ in range(2)]
    assert [(each.status_code, each.json()["code"]) for each in answers] == [(status, code)] * 2
    assert answers[0].content == (await anon.get(f"/people?{query}&{quote(MARK)}")).content


async def test_a_session_keeps_few_statements_however_many_values_are_sent(serve: Serve) -> None:
    drawn = random.Random(1)
    async with serve(db_pool=1) as alone, alone.client() as client:
        for _ in range(400):
            number = drawn.randrange(1_000_000)
            form = drawn.choice(
                [
                    f"books?id=eq.{number}",
                    f"books?title=ilike.*{number}*&price=gt.{number}",
                    f'books?title=in.("{number}",x)&order=id',
                    f"books?or=(id.eq.{number},and(price.gt.{number},title.eq.x{number}))",
                    f"books?select=*,reviews(*)&reviews.stars=eq.{number}&reviews.limit={1 + number % 16}",
                    f"books?order=id.desc&limit=25&offset={number}",
                    f"rpc/setting?name=my.n{number}",
                ]
            )
            answer = await client.get(f"/{form}")
            assert answer.status_code == 200, answer.text
        # Seven forms, of which two have windows of several ceilings, the settings, and this question.
        assert (await client.get("/rpc/prepared")).json() <= 32
