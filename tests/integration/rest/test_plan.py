"""The plan of a query instead of its result."""

from __future__ import annotations

import httpx
import pytest

TEAMS = "COALESCE(json_agg(ROW(teams.id, teams.title)), '[]'::json)"


async def test_a_plan_as_json_tells_its_cost(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/people?id=eq.1", headers={"accept": "application/vnd.pgrst.plan+json"})
    assert answer.headers["content-type"] == ('application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8')
    assert answer.json()[0]["Plan"]["Total Cost"] > 0


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_a_plan_as_text_can_be_analyzed(anon: httpx.AsyncClient, method: str) -> None:
    accept = 'application/vnd.pgrst.plan; for="text/csv"; options=verbose|analyze;'
    answer = await anon.request(method, "/letters?id=gt.0", headers={"accept": accept})
    assert answer.headers["content-type"] == (
        'application/vnd.pgrst.plan+text; for="text/csv"; options=analyze|verbose; charset=utf-8'
    )
    assert "actual time" in answer.text


@pytest.mark.parametrize(
    ("accept", "told"),
    [
        ('application/vnd.pgrst.plan+json; for="*/*"', 'application/vnd.pgrst.plan+json; for="*/*"'),
        (
            'application/vnd.pgrst.plan; for="application/vnd.pgrst.object;nulls=stripped"; options=wal|analyze',
            'application/vnd.pgrst.plan+text; for="application/vnd.pgrst.object+json;nulls=stripped"; '
            "options=analyze|wal",
        ),
        (
            'application/vnd.pgrst.plan; for="application/vnd.pgrst.array+json"',
            'application/vnd.pgrst.plan+text; for="application/json"',
        ),
    ],
)
async def test_a_plan_is_named_after_what_was_asked_for(anon: httpx.AsyncClient, accept: str, told: str) -> None:
    answer = await anon.get("/people", headers={"accept": accept})
    assert (answer.status_code, answer.headers["content-type"]) == (200, f"{told}; charset=utf-8")


async def test_head_tells_how_long_a_plan_is_and_how_long_an_error(anon: httpx.AsyncClient) -> None:
    accept = {"accept": "application/vnd.pgrst.plan+json"}
    plan = await anon.head("/people", headers=accept)
    whole = await anon.get("/people", headers=accept)
    assert (plan.content, plan.headers["content-length"]) == (b"", whole.headers["content-length"])
    refused = await anon.head("/people?nothing=eq.1")
    assert (refused.status_code, refused.content) == (400, b"")
    assert refused.headers["content-length"] == (await anon.get("/people?nothing=eq.1")).headers["content-length"]
    assert "content-length" not in (await anon.head("/people")).headers


@pytest.mark.parametrize(
    ("method", "path", "prefer", "place", "output"),
    [
        ("GET", "/teams", "", 2, TEAMS),
        ("GET", "/rpc/add_them?a=1&b=2", "", 1, "1"),
        ("GET", "/rpc/picture", "", 2, ".pgrst_scalar"),
        ("DELETE", "/teams?id=eq.1", "return=representation", 3, TEAMS),
        ("DELETE", "/teams?id=eq.1", "", 3, "''::text"),
    ],
)
async def test_a_plan_shows_the_body_where_the_reference_shows_it(
    anon: httpx.AsyncClient, method: str, path: str, prefer: str, place: int, output: str
) -> None:
    made = "image/png" if "picture" in path else "application/json"
    accept = f'application/vnd.pgrst.plan+json; for="{made}"; options=verbose'
    answer = await anon.request(method, path, headers={"accept": accept, "prefer": f"{prefer}, tx=rollback"})
    assert answer.status_code == 200, answer.text
    assert answer.json()[0]["Plan"]["Output"][place].endswith(output)
