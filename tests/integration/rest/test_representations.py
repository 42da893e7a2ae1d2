"""Domains that look different outside: formatted on the way out, parsed on the way in."""

from __future__ import annotations

import httpx
import pytest

REPRESENT = {"prefer": "tx=rollback, return=representation"}


# rest: ORD-5
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("paints?select=id,shade&id=eq.1", [{"id": 1, "shade": "#0000FF"}]),
        ("paints?id=eq.2", [{"id": 2, "shade": "#FF0000", "club_id": 1}]),
        ("paints?select=tint:shade&id=eq.3", [{"tint": None}]),
        ("paints?select=id&shade=eq.%230000FF", [{"id": 1}]),
        ("paints?select=id&shade=in.(%230000FF,%23FF0000)&order=id", [{"id": 1}, {"id": 2}]),
        ("paints?select=id&shade=not.in.(%230000FF)", [{"id": 2}]),
        ("clubs?select=paints(shade)&id=eq.1&paints.shade=eq.%23FF0000", [{"paints": [{"shade": "#FF0000"}]}]),
    ],
)
async def test_reads_format_values_and_parse_filters(anon: httpx.AsyncClient, query: str, expected: object) -> None:
    answer = await anon.get(f"/{query}")
    assert answer.json() == expected


# rest: INS-11, UPD-5
async def test_writes_parse_their_body_and_format_what_they_give_back(anon: httpx.AsyncClient) -> None:
    made = await anon.post("/paints?select=id,shade", json={"id": 9, "shade": "#00FF00"}, headers=REPRESENT)
    assert made.json() == [{"id": 9, "shade": "#00FF00"}]
    changed = await anon.patch("/paints?id=eq.1&select=shade", json={"shade": "#010101"}, headers=REPRESENT)
    assert changed.json() == [{"shade": "#010101"}]
