"""Functions whose return type is named like a media type answer with it."""

from __future__ import annotations

import httpx
import pytest


@pytest.mark.parametrize("accept", ["*/*", "image/png", "text/html, image/png;q=0.5"])
async def test_bytes_of_a_media_type_domain_are_the_body(anon: httpx.AsyncClient, accept: str) -> None:
    answer = await anon.get("/rpc/picture", headers={"accept": accept})
    assert (answer.content, answer.headers["content-type"]) == (b"\x89PNG", "image/png")


async def test_text_of_a_media_type_domain_is_the_body(anon: httpx.AsyncClient) -> None:
    answer = await anon.post("/rpc/page", json={"title": "Hé"}, headers={"accept": "text/html"})
    assert (answer.text, answer.headers["content-type"]) == ("<h1>Hé</h1>", "text/html; charset=utf-8")


async def test_a_handler_makes_no_other_media_type(anon: httpx.AsyncClient) -> None:
    answer = await anon.get("/rpc/picture", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (406, "PGRST107")
