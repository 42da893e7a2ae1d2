"""Signing out eight times at the same moment, from one session or from many, ends what it says, and whoever comes when
their session has ended is told so."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.support.accounts import NEW, PASSWORD, bearer, member, post
from tests.support.server import Minato

AT_ONCE = 8
Json = dict[str, Any]


async def sessions_of_one(minato: Minato, client: httpx.AsyncClient) -> list[Json]:
    body = {"email": (await member(minato, client))["user"]["email"], "password": PASSWORD}
    return [(await post(client, "/token?grant_type=password", body)).json() for _ in range(AT_ONCE)]


async def outlived(client: httpx.AsyncClient, sessions: list[Json]) -> int:
    """How many of their refresh tokens still work."""
    tokens = [{"refresh_token": session["refresh_token"]} for session in sessions]
    answers = [await post(client, "/token?grant_type=refresh_token", token) for token in tokens]
    assert {answer.status_code for answer in answers} <= {200, 400}
    return [answer.status_code for answer in answers].count(200)


async def sign_out(client: httpx.AsyncClient, scope: str, sessions: list[Json]) -> None:
    leaving = [client.post("/auth/v1/logout", params={"scope": scope}, headers=bearer(one)) for one in sessions]
    answers = await asyncio.gather(*leaving)
    told = {(answer.status_code, answer.json()["code"] if answer.content else "") for answer in answers}
    assert (204, "") in told
    assert told <= {(204, ""), (403, "session_not_found")}


@pytest.mark.parametrize(("scope", "left"), [("local", 7), ("others", 1), ("global", 0)])
async def test_one_session_that_signs_out_at_once_ends_those_of_its_scope(
    minato: Minato, scope: str, left: int
) -> None:
    async with minato.client(**NEW) as client:
        sessions = await sessions_of_one(minato, client)
        await sign_out(client, scope, [sessions[0]] * AT_ONCE)
        assert await outlived(client, sessions) == left


@pytest.mark.parametrize(("scope", "left"), [("local", [0]), ("others", [0, 1]), ("global", [0])])
async def test_sessions_of_one_account_that_sign_out_at_once_end(minato: Minato, scope: str, left: list[int]) -> None:
    """Who ends all others is ended by one of them that does so at the same moment."""
    async with minato.client(**NEW) as client:
        sessions = await sessions_of_one(minato, client)
        await sign_out(client, scope, sessions)
        assert await outlived(client, sessions) in left
