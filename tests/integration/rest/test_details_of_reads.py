"""Reads whose answer is not what one would guess, found by comparing with the reference request by request."""

from __future__ import annotations

import httpx
import pytest


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # A value is no longer than it was written, and no rounder, whatever the column's type.
        ("boxes?select=id&label=eq.smaller", []),
        ("clubs?select=id&budget=eq.7.001", []),
        ("boxes?select=id&label=in.(smaller,big)", [{"id": 2}]),
        # A domain's check is for what is stored.
        ("boxes?select=id&size=lt.0", []),
        ("people?select=id;id=eq.1", [{"id": 1}]),
        ("people?select=id&limit=0x2&order=id", [{"id": 1}, {"id": 2}]),
        ("people?select=id&limit=two&id=eq.1", [{"id": 1}]),
        ("people?select=clubs()&limit=2", [{}, {}]),
        ("people?select=id,...clubs(count())&id=in.(1,4)&order=id", [{"id": 1, "count": 1}, {"id": 4, "count": 0}]),
        ("people?select=id::text::int&id=eq.1", [{"id": "1"}]),
        (
            "clubs?select=id,people(id)&people.order=id&people.limit=none&people.offset=1&id=eq.1",
            [{"id": 1, "people": []}],
        ),
    ],
)
async def test_odd_reads_give_what_the_reference_gives(anon: httpx.AsyncClient, query: str, expected: object) -> None:
    answer = await anon.get(f"/{query}")
    assert (answer.status_code, answer.json()) == (200, expected)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("people?age=cs.1", 404, "42883"),
        ("clubs?tags=in.()", 400, "42704"),
        ("clubs?tags=in.({a})", 400, "42704"),
        ("clubs?id=in.(1,a)", 400, "22P02"),
        ("clubs?select=id,people(id)&people.limit=-1", 400, "2201W"),
        ("clubs?select=id,people(id)&people.offset=-1", 400, "2201X"),
        ("people?offset=99999999999999999999", 400, "22003"),
        ("people?limit=0&offset=1", 416, "PGRST103"),
        ("clubs?select=id,people(id)&people=is.not_null", 400, "42703"),
        # Paths are looked at before relationships.
        ("clubs?select=nowhere(id)&people.id=eq.1", 400, "PGRST108"),
    ],
)
async def test_what_can_not_be_is_refused_where_the_reference_refuses_it(
    anon: httpx.AsyncClient, query: str, status: int, code: str
) -> None:
    answer = await anon.get(f"/{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_an_embed_that_is_spoken_of_comes_first(anon: httpx.AsyncClient) -> None:
    plain = await anon.get("/people?select=id,clubs(id),passports(number)&id=eq.1")
    assert list(plain.json()[0]) == ["id", "clubs", "passports"]
    filtered = await anon.get("/people?select=id,clubs(id),passports(number)&id=eq.1&passports.number=eq.P1")
    assert list(filtered.json()[0]) == ["id", "passports", "clubs"]


async def test_a_name_behind_two_aliases_means_the_first(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/clubs?select=id,a:people(id),people(id)&people.id=eq.1&id=eq.1")
    assert [each["id"] for each in answer.json()[0]["a"]] == [1]
    assert len(answer.json()[0]["people"]) == 2


@pytest.mark.parametrize(
    ("accept", "status", "content_type"),
    [
        ("text/csv;q=0.1, application/json;q=0.2", 200, "application/json; charset=utf-8"),
        ("*/*, text/csv", 200, "text/csv; charset=utf-8"),
        ("application/json;q", 200, "application/json; charset=utf-8"),
        ("text/nothing;level=1", 406, "application/json; charset=utf-8"),
        (",", 406, "application/json; charset=utf-8"),
    ],
)
async def test_accept_is_weighed_as_the_reference_does(
    anon: httpx.AsyncClient, accept: str, status: int, content_type: str
) -> None:
    answer = await anon.get("/people?select=id", headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (status, content_type)


async def test_the_one_row_of_a_set_of_scalars_is_an_object(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/numbers?upto=1", headers={"accept": "application/vnd.pgrst.object+json"})
    assert answer.json() == {"pgrst_scalar": 1}


async def test_a_plan_ends_its_last_line(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people", headers={"accept": "application/vnd.pgrst.plan+text"})
    assert answer.text.endswith("\n")


async def test_arguments_are_named_as_columns_are(anon: httpx.AsyncClient) -> None:
    answer = await anon.get('/rpc/numbers?"upto"=2')
    assert (answer.status_code, answer.json()) == (200, [1, 2])
    nameless = await anon.get("/rpc/numbers?=2")
    assert (nameless.status_code, nameless.json()["code"]) == (400, "PGRST100")
