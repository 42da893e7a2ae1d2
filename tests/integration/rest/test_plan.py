"""The plan of a query instead of its result."""

from __future__ import annotations

import httpx
import pytest


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
