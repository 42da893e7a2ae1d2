"""What the reference's specification says of the answers themselves: headers, preferences, methods, tokens, documents."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.integration.rest.exchange import Exchange as X
from tests.integration.rest.exchange import hold
from tests.support.server import Minato

JSON = "application/json; charset=utf-8"
ALL = "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"
TX = "tx=rollback"
PLAN = "application/vnd.pgrst.plan"
EXCHANGES = [
    X("RULE-1, RULE-3, RULE-4", "GET /people?select=nothing", {"code": "42703", "message": "column people.nothing does not exist", "details": None, "hint": None}, 400,
      headers={"content-type": JSON, "proxy-status": "PostgREST; error=42703"}),
    X("RULE-2", "GET /teams?id=eq.1", '[{"id":1,"title":"A"}]', headers={"content-length": "22", "content-type": JSON}),
    X("RULE-2", "DELETE /passports?person_id=eq.9", "", 204, headers={"content-length": None, "content-type": None}),
    X("RULE-5", "GET /teams", headers={"content-range": "0-1/*"}),
    X("RULE-5", "GET /teams?id=eq.99", headers={"content-range": "*/*"}),
    X("RULE-5", "GET /teams?id=eq.99", sent={"prefer": "count=exact"}, headers={"content-range": "*/0"}),
    X("RULE-5", "POST /teams", status=201, body={"id": 9, "title": "x"}, headers={"content-range": "*/*"}),
    X("RULE-6", "POST /teams?columns=id,title", status=201, body=[{"id": 1, "title": "x"}, {"id": 9, "title": "y"}],
      sent={"prefer": f"timezone=UTC, handling=lenient, {TX}, count=exact, return=minimal, missing=default, resolution=merge-duplicates"},
      headers={"preference-applied": f"resolution=merge-duplicates, missing=default, return=minimal, count=exact, {TX}, handling=lenient, timezone=UTC"}),
    X("RULE-7, PREF-1", "GET /teams", sent={"prefer": "count=exact, foo=bar"}, headers={"content-range": "0-1/2", "preference-applied": "count=exact"}),
    X("PREF-1", "GET /teams", {"code": "PGRST122", "message": "Invalid preferences given with handling=strict", "details": "Invalid preferences: foo, bar=1", "hint": None}, 400,
      sent={"prefer": "handling=strict, foo, bar=1"}),
    X("PREF-1", "POST /teams", status=400, body={"id": 9}, sent={"prefer": "handling=strict, foo"}, code="PGRST122"),
    X("PREF-1", "POST /rpc/greet", status=400, body={}, sent={"prefer": "handling=strict, foo"}, code="PGRST122"),
    X("PREF-2", "PATCH /teams", status=400, body={"title": "x"}, sent={"prefer": f"handling=strict, max-affected=1, {TX}"}, code="PGRST124"),
    X("PREF-2", "POST /rpc/numbers", status=400, body={"upto": 3}, sent={"prefer": "handling=strict, max-affected=2"}, code="PGRST124"),
    X("PREF-2", "POST /rpc/greet", status=400, body={}, sent={"prefer": "handling=strict, max-affected=2"}, code="PGRST128"),
    X("PREF-2", "PATCH /teams", status=204, body={"title": "x"}, sent={"prefer": f"max-affected=1, {TX}"}, headers={"preference-applied": TX}),
    X("PREF-3", "GET /timed?select=at", [{"at": "2026-01-01T09:00:00+09:00"}], sent={"prefer": "timezone=Asia/Tokyo"}, headers={"preference-applied": "timezone=Asia/Tokyo"}),
    X("PREF-3", "GET /timed", status=400, sent={"prefer": "handling=lenient, timezone=No/Where"}, code="22023"),
    X("OPT-1", "OPTIONS /teams", "", headers={"allow": ALL, "content-length": "0"}),
    X("OPT-1", "OPTIONS /no_such", status=404),
    X("OPT-2", "OPTIONS /events", headers={"allow": ALL}),
    X("OPT-2", "OPTIONS /passes", headers={"allow": ALL}),
    X("OPT-2", "OPTIONS /logs", headers={"allow": "OPTIONS,GET,HEAD,POST,PATCH,DELETE"}),
    X("OPT-3", "OPTIONS /read_only", headers={"allow": "OPTIONS,GET,HEAD"}),
    X("OPT-4", "OPTIONS /rpc/write_log?message=x", headers={"allow": "OPTIONS,POST"}),
    X("OPT-4", "OPTIONS /rpc/greet", headers={"allow": "OPTIONS,GET,HEAD,POST"}),
    X("OPT-4", "OPTIONS /", headers={"allow": "OPTIONS,GET,HEAD"}),
    X("TX-4", "GET /teams", sent={"prefer": TX}, headers={"preference-applied": TX}),
    X("TX-4", "HEAD /teams", sent={"prefer": TX}, headers={"preference-applied": TX}),
    X("TX-4", "GET /rpc/greet", sent={"prefer": TX}, headers={"preference-applied": TX}),
    X("TX-4", "POST /rpc/greet", body={}, sent={"prefer": TX}, headers={"preference-applied": TX}),
    X("TX-4", "GET /people?nothing=eq.1", status=400, sent={"prefer": TX}, headers={"preference-applied": None}),
    X("API-1", "GET /teams", status=406, sent={"accept": "application/openapi+json"}, code="PGRST107"),
    X("API-1", "HEAD /", "", headers={"content-type": "application/openapi+json; charset=utf-8", "content-length": None}),
    X("PLAN-1", "GET /people", sent={"accept": PLAN}, headers={"content-type": f'{PLAN}+text; for="application/json"; charset=utf-8'}),
    X("PLAN-1", "GET /people", sent={"accept": f'{PLAN}+json; for="text/csv"; options=analyze|verbose|settings|buffers|wal'},
      headers={"content-type": f'{PLAN}+json; for="text/csv"; options=analyze|verbose|settings|buffers|wal; charset=utf-8'}),
    X("PLAN-1", "POST /teams", status=200, body={"id": 9, "title": "x"}, sent={"accept": f"{PLAN}+json", "prefer": f"return=representation, {TX}"}),
    X("PLAN-1", "PATCH /teams?id=eq.1", status=200, body={"title": "x"}, sent={"accept": f"{PLAN}+json"}),
    X("PLAN-1", "DELETE /passports?person_id=eq.1", status=200, sent={"accept": f"{PLAN}+json"}),
    X("PLAN-1", "GET /rpc/adults", sent={"accept": f"{PLAN}+json"}),
    X("SCHEMA-2", "GET /Ünïcode?ключ=eq.1", []),
]  # fmt: skip


@pytest.mark.parametrize("exchange", EXCHANGES, ids=str)
async def test_answers_are_as_specified(anon: httpx.AsyncClient, exchange: X) -> None:
    await hold(anon, exchange)


# rest: RULE-7
async def test_several_prefer_headers_are_one(club: Minato) -> None:
    async with club.client() as client:
        headers = [("prefer", "count=exact"), ("prefer", "tx=rollback")]
        answer = await client.get("/rest/v1/teams", headers=headers)
    assert answer.headers["preference-applied"] == "count=exact, tx=rollback"


# rest: AUTH-1, AUTH-2
async def test_a_known_caller_without_the_right_is_forbidden(club: Minato, user: httpx.AsyncClient) -> None:
    for answer in (await user.get("/partly"), await user.post("/rpc/guarded")):
        assert (answer.status_code, answer.json()["code"]) == (403, "42501")
    await club.db.execute("grant execute on function guarded() to authenticated")
    assert (await user.post("/rpc/guarded")).json() == 1
    await club.db.execute("revoke execute on function guarded() from authenticated")


# rest: AUTH-5, AUTH-9, AUD-3
@pytest.mark.parametrize("claims", [{"extra": {"a": [1]}}, {"aud": "anybody"}, {"aud": ["a", "b"]}, {"jti": "x"}])
async def test_other_claims_do_no_harm(club: Minato, claims: dict[str, Any]) -> None:
    now = int(club.backend.clock.timestamp())
    async with club.client(club.token(iat=now, exp=now + 5, **claims)) as client:
        assert (await client.get("/rest/v1/secrets")).status_code == 200
    async with club.client(club.token(role=None, **claims)) as client:  # type: ignore[arg-type]
        assert (await client.get("/rest/v1/secrets")).status_code == 401


# rest: AUTH-14
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_is_written_as_one_likes(club: Minato, scheme: str) -> None:
    headers = {"apikey": club.anon_key, "authorization": f"{scheme} {club.token()}"}
    async with httpx.AsyncClient(base_url=club.url) as client:
        assert (await client.get("/rest/v1/secrets", headers=headers)).status_code == 200


# rest: ERR-3
@pytest.mark.parametrize(("claim", "offset"), [("exp", -31), ("nbf", 31), ("iat", 31)])
async def test_clocks_may_differ_by_half_a_minute(club: Minato, claim: str, offset: int) -> None:
    now = int(club.backend.clock.timestamp())
    tolerated = offset + (10 if offset < 0 else -10)
    near: dict[str, Any] = {claim: now + tolerated}
    far: dict[str, Any] = {claim: now + 2 * offset}
    async with club.client(club.token(**near)) as client:
        assert (await client.get("/rest/v1/teams")).status_code == 200
    async with club.client(club.token(**far)) as client:
        assert (await client.get("/rest/v1/teams")).json()["code"] == "PGRST303"


# rest: MISC-1
async def test_unknown_tables_asked_for_at_once_are_each_told(anon: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(anon.get(f"/unknown{number}") for number in range(10)))
    told = [answer.json()["message"] for answer in answers]
    assert told == [f"Could not find the table 'public.unknown{number}' in the schema cache" for number in range(10)]


# rest: MISC-2
async def test_the_login_role_may_do_nothing_of_its_own(club: Minato) -> None:
    row = await club.db.fetchrow(
        "select rolsuper, rolbypassrls, rolinherit from pg_roles where rolname = 'authenticator'"
    )
    assert tuple(row) == (False, False, False)


# rest: PLAN-2
async def test_plans_are_cheap_and_functions_are_part_of_them(anon: httpx.AsyncClient) -> None:
    accept = {"accept": "application/vnd.pgrst.plan+json"}
    plan = (await anon.get("/teams?id=eq.1", headers=accept)).json()[0]["Plan"]
    assert plan["Total Cost"] < 30
    called = (await anon.get("/rpc/adults?id=eq.1", headers=accept)).text
    assert "Function Scan" not in called


# rest: API-2..API-10
async def test_the_document_tells_comments_types_and_keys(anon: httpx.AsyncClient) -> None:
    document = (await anon.get("/")).json()
    assert (document["info"]["title"], document["info"]["description"]) == ("My API", "That does things")
    assert "/v14/" in document["externalDocs"]["url"]
    boxes = document["paths"]["/boxes"]
    assert (boxes["get"]["summary"], boxes["get"]["description"]) == ("Boxes", "of things")
    read = [each["$ref"].rpartition("/")[2] for each in boxes["get"]["parameters"]]
    assert [name for name in read if not name.startswith("rowFilter")] == [
        "select", "order", "range", "rangeUnit", "offset", "limit", "preferCount",
    ]  # fmt: skip
    assert [each["$ref"].rpartition("/")[2] for each in boxes["post"]["parameters"]] == [
        "body.boxes",
        "select",
        "preferPost",
    ]
    assert {method: set(boxes[method]["responses"]) for method in ("get", "post", "patch", "delete")} == {
        "get": {"200", "206"}, "post": {"201"}, "patch": {"204"}, "delete": {"204"},
    }  # fmt: skip
    definitions = document["definitions"]
    assert definitions["boxes"]["properties"]["label"]["description"] == "What is written on it"
    kinds = {name: (each.get("type"), each["format"]) for name, each in definitions["kinds"]["properties"].items()}
    assert kinds["id"] == ("integer", "int64")
    assert kinds["flag"] == ("boolean", "boolean")
    assert kinds["num"] == ("number", "numeric")
    assert kinds["names"] == ("array", "text[]")
    assert kinds["j"] == (None, "jsonb")
    assert kinds["r"] == ("number", "real")
    shown = definitions["kinds"]["properties"]
    assert (shown["fixed"]["maxLength"], shown["v"]["maxLength"], shown["names"]["items"]) == (4, 9, {"type": "string"})
    defaults = {name: each["default"] for name, each in shown.items() if "default" in each}
    assert defaults == {"flag": True, "num": 1.5, "d": "2026-01-01", "v": "it"}
    assert shown["mood"]["enum"] == ["red", "green", "blue"]
    assert definitions["kinds"]["required"] == ["id", "required"]
    assert "<fk table='stamps' column='code'/>" in definitions["stamped"]["properties"]["code"]["description"]
    assert "<fk table='people' column='id'/>" in definitions["passports"]["properties"]["person_id"]["description"]
    assert "<fk table='clubs' column='id'/>" in definitions["grown_ups"]["properties"]["club_id"]["description"]
    assert {"/events", "/club_names"} <= set(document["paths"])
    assert "/events_a" not in document["paths"]
    described = document["paths"]["/rpc/described"]
    assert (described["get"]["summary"], described["get"]["description"]) == ("A title", "and more")
    schema = described["post"]["parameters"][0]["schema"]
    assert (sorted(schema["properties"]), sorted(schema["required"])) == (
        ["INPUT", "both_ways"],
        ["INPUT", "both_ways"],
    )
    (numbers,) = [
        each for each in document["paths"]["/rpc/sum_all"]["get"]["parameters"] if each.get("name") == "numbers"
    ]
    assert (numbers["type"], numbers["collectionFormat"]) == ("array", "multi")
    assert numbers["items"] == {"type": "integer", "format": "int32"}
    assert set(document["paths"]["/rpc/write_log"]) == {"post"}
    assert "security" not in document
    assert all(parameter.get("enum") != [] for parameter in document["parameters"].values())
