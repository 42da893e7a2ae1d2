"""Filters: every operator, negation, quantifiers, lists, logic."""

from __future__ import annotations

import httpx
import pytest


async def ids(client: httpx.AsyncClient, query: str) -> list[int]:
    answer = await client.get(f"/{query}")
    assert answer.status_code == 200, answer.text
    return sorted(row["id"] for row in answer.json())


# rest: FLT-2..FLT-8, FLT-11, LOGIC-1, LOGIC-2
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("people?id=eq.1", [1]),
        ("people?id=neq.1", [2, 3, 4]),
        ("people?age=gt.30", [1]),
        ("people?age=gte.30", [1, 3]),
        ("people?age=lt.30", [2]),
        ("people?age=lte.30&age=gt.17", [3]),
        ("people?name=like.*i*o*", [1, 3]),
        ("people?name=ilike.a*", [1]),
        ("people?name=match.^[AB]", [1, 2]),
        ("people?name=imatch.^[ab]", [1, 2]),
        ("people?id=in.(1,3)", [1, 3]),
        ("people?id=not.in.(1,3)", [2, 4]),
        ("people?id=in.()", []),
        ("people?id=in.(1,1,3,9,9)", [1, 3]),
        (f"people?id=in.({','.join(map(str, range(3, 40)))})", [3, 4]),
        ("people?id=not.in.(1,2,7,8,9)", [3, 4]),
        ('people?name=in.("Dan, the \\"man\\"",Ben)', [2, 4]),
        ("people?age=is.null", [4]),
        ("people?age=not.is.null", [1, 2, 3]),
        ("people?age=is.not_null", [1, 2, 3]),
        ("people?active=is.TRUE", [1, 4]),
        ("people?active=is.unknown", [3]),
        ("people?age=isdistinct.41", [2, 3, 4]),
        ("people?search=fts.aiko", [1]),
        ("people?search=plfts(english).ben", [2]),
        ("people?name=wfts.chiyo", [3]),
        ("people?name=not.phfts.chiyo", [1, 2, 4]),
        ("people?title=eq.Dear Ben", [2]),
        ("people?id=eq(any).{1,2}", [1, 2]),
        ("people?name=like(all).{A*,*o}", [1]),
        ("clubs?tags=cs.{water}", [1]),
        ("clubs?tags=cd.{water,team,x}", [1, 3]),
        ("clubs?tags=ov.{indoor,team}", [1, 2]),
        ("clubs?tags=eq.{indoor}", [2]),
        ('clubs?address=cs.{"city":"Kobe"}', [1]),
        ("clubs?address->>city=eq.Osaka", [2]),
        ("clubs?address->zip->a=eq.1", [1]),
        ("clubs?address->zip->>a=in.(1,2)", [1]),
        ("clubs?founded=lt.1960-01-01", [2]),
        ("clubs?budget=eq.100.50", [1]),
        ("boxes?colour=eq.red", [1]),
        ("boxes?colour=in.(red,blue)", [1, 2]),
        ("boxes?size=gt.5", [2]),
        ("boxes?label=eq.big", [2]),
        ("people?or=(id.eq.1,name.eq.Ben)", [1, 2]),
        ("people?and=(id.gt.1,or(age.eq.17,age.is.null))", [2, 4]),
        ("people?not.or=(id.eq.1,id.eq.2)", [3, 4]),
        ("people?or=(id.in.(1,2),not.and(age.gt.1,id.lt.4))", [1, 2, 4]),
        ('people?or=(name.eq."Dan, the \\"man\\"",id.eq.1)', [1, 4]),
        ("people?or=(id.not.gt.2,age.is.null)", [1, 2, 4]),
        ("people?name=eq.", []),
    ],
)
async def test_a_filter_keeps_the_rows_it_names(anon: httpx.AsyncClient, query: str, expected: list[int]) -> None:
    assert await ids(anon, query) == expected


# rest: FLT-2
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("span=sl.[5,9)", [1]),
        ("span=sr.[1,5)", [2]),
        ("span=nxr.[1,5)", [1]),
        ("span=nxl.[5,9)", [2]),
        ("span=adj.[5,9)", [1]),
        ("span=cs.[2,3)", [1]),
        ("code=eq.de", [2]),
        ("value=gt.2", [2]),
    ],
)
async def test_range_operators_and_padded_characters(anon: httpx.AsyncClient, query: str, expected: list[int]) -> None:
    answer = await anon.get(f"/measures?select=b&{query}")
    assert [row["b"] for row in answer.json()] == expected


# rest: FLT-10
@pytest.mark.parametrize(
    ("query", "status", "body"),
    [
        (
            "people?id=0",
            400,
            {
                "code": "PGRST100",
                "message": '"failed to parse filter (0)" (line 1, column 1)',
                "details": 'unexpected "0" expecting "not" or operator (eq, gt, ...)',
                "hint": None,
            },
        ),
        (
            "people?order=id.asc.nullslasttt",
            400,
            {
                "code": "PGRST100",
                "message": '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
                "details": "unexpected 't' expecting \",\" or end of input",
                "hint": None,
            },
        ),
        (
            "people?id=eq.abc",
            400,
            {
                "code": "22P02",
                "message": 'invalid input syntax for type integer: "abc"',
                "details": None,
                "hint": None,
            },
        ),
        (
            "boxes?nope=eq.1",
            400,
            {"code": "42703", "message": "column boxes.nope does not exist", "details": None, "hint": None},
        ),
        (
            "boxes?colour=eq.pink",
            400,
            {"code": "22P02", "message": 'invalid input value for enum colour: "pink"', "details": None, "hint": None},
        ),
        (
            "persons",
            404,
            {
                "code": "PGRST205",
                "message": "Could not find the table 'public.persons' in the schema cache",
                "details": None,
                "hint": None,
            },
        ),
        (
            "peopel",
            404,
            {
                "code": "PGRST205",
                "message": "Could not find the table 'public.peopel' in the schema cache",
                "details": None,
                "hint": None,
            },
        ),
        (
            "team_member",
            404,
            {
                "code": "PGRST205",
                "message": "Could not find the table 'public.team_member' in the schema cache",
                "details": None,
                "hint": "Perhaps you meant the table 'public.team_members'",
            },
        ),
        (
            "people/1",
            404,
            {
                "code": "PGRST125",
                "message": "Invalid path specified in request URL",
                "details": None,
                "hint": None,
            },
        ),
        (
            "people?clubs.id=eq.1",
            400,
            {
                "code": "PGRST108",
                "message": "'clubs' is not an embedded resource in this request",
                "details": None,
                "hint": "Verify that 'clubs' is included in the 'select' query parameter.",
            },
        ),
    ],
)
async def test_a_wrong_query_gets_the_references_error(
    anon: httpx.AsyncClient, query: str, status: int, body: dict[str, object]
) -> None:
    answer = await anon.get(f"/{query}")
    assert (answer.status_code, answer.json()) == (status, body)
    assert answer.headers["proxy-status"] == f"PostgREST; error={body['code']}"
