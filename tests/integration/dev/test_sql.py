"""`POST /_dev/v1/sql`: a test looks into the database, or puts something there."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.support.hosted import Backed, Hosted
from tests.support.server import Minato

KINDS = """select 1 as small, 9007199254740991 as big, 1.50::numeric as price, true as yes, null as none,
    '{"a": [1]}'::jsonb as doc, array['x', 'y'] as list, '\\x00ff'::bytea as bytes, 'NaN'::numeric as odd,
    timestamptz '2026-11-24 09:00:00+00' as at, interval '1 hour' as takes, row(1, 'a') as pair"""


async def ran(url: str, query: str, *values: object, **more: Any) -> httpx.Response:
    async with httpx.AsyncClient(base_url=f"{url}/_dev/v1", timeout=30) as client:
        return await client.post("/sql", json={"query": query, "values": list(values), **more})


async def test_rows_are_json_as_the_data_api_writes_it(minato: Minato) -> None:
    (result,) = (await ran(minato.url, KINDS)).json()["results"]
    (row,) = result["rows"]
    assert (row["small"], row["big"], row["price"], row["yes"], row["none"]) == (1, 9007199254740991, 1.5, True, None)
    assert (row["doc"], row["list"], row["bytes"], row["odd"]) == ({"a": [1]}, ["x", "y"], "\\x00ff", "NaN")
    assert (row["at"], row["takes"]) == ("2026-11-24T09:00:00+00:00", "01:00:00")
    assert result["columns"][0] == {"name": "small", "type": "int4"}


async def test_values_are_parameters_never_text(minato: Minato) -> None:
    asked = "select $1::text as a, $2::timestamptz as b, $3::jsonb as c, $4::int[] as d, $5::uuid is null as e"
    answer = await ran(minato.url, asked, "'; drop table x", "2026-11-24T09:00Z", {"k": "'"}, [1, 2], None)
    row = answer.json()["results"][0]["rows"][0]
    assert row == {"a": "'; drop table x", "b": "2026-11-24T09:00:00+00:00", "c": {"k": "'"}, "d": [1, 2], "e": True}


async def test_a_script_is_done_whole_or_not_at_all(hosted: Hosted) -> None:
    branch = await hosted.branch()
    failed = await ran(branch.url, "insert into public.notes (body) values ('a'); select 1 / 0")
    assert (failed.status_code, failed.json()["code"]) == (400, "22012")
    done = await ran(branch.url, "insert into public.notes (body) values ('b') returning body; select 7 as n")
    assert [result["rows"] for result in done.json()["results"]] == [[{"body": "b"}], [{"n": 7}]]
    assert await bodies(branch) == ["b"]
    assert await bodies(hosted.main) == "42P01"


async def bodies(place: Backed) -> list[str] | str:
    told = (await ran(place.url, "select body from public.notes")).json()
    return told["code"] if "code" in told else [row["body"] for row in told["results"][0]["rows"]]


async def test_more_rows_than_wanted_are_said_to_be_there(minato: Minato) -> None:
    (result,) = (await ran(minato.url, "select * from generate_series(1, 5) as n", limit=2)).json()["results"]
    assert ([row["n"] for row in result["rows"]], result["row_count"], result["truncated"]) == ([1, 2], 5, True)


@pytest.mark.parametrize(
    ("query", "values", "code"),
    [
        ("select $1", [], "bad_request"),
        ("select $1::int", ["one"], "22000"),
        ("select 1; select $1::int", [1], "bad_request"),
        (" -- nothing", [], "bad_request"),
        ("", [], "bad_request"),
        ("selec 1", [], "42601"),
        ("select '\0'", [], "bad_request"),
        ("select $1::text", ["\0"], "22021"),
    ],
)
async def test_what_cannot_be_run_is_refused_with_the_reason(
    minato: Minato, query: str, values: list[object], code: str
) -> None:
    answer = await ran(minato.url, query, *values)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert answer.json()["message"]
