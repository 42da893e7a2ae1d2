"""`Vary` tells caches what an answer depends on: ours, unless a function has said its own."""

from __future__ import annotations

import json

import httpx
import pytest

OURS = "Accept, Prefer, Range"


@pytest.mark.parametrize(
    ("said", "told"), [({"X-A": "1"}, OURS), ({"Vary": "Cookie"}, "Cookie"), ({"vary": "Cookie"}, "Cookie")]
)
async def test_an_answer_has_one_vary_and_a_functions_own_wins(
    anon: httpx.AsyncClient, said: dict[str, str], told: str
) -> None:
    body = {"status": "200", "headers": json.dumps([said])}
    answer = await anon.post("/rpc/set_response", json=body)
    assert answer.status_code == 200
    assert [value for value in answer.headers.get_list("vary") if value in (OURS, "Cookie")] == [told]
