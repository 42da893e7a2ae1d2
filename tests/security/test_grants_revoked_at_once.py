"""Once the revocation of a grant is answered no token of it works and no code opens a session, whatever else went on at
that moment."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from tests.integration.auth.oauth.test_oauth_server import (  # noqa: F401
    approved,
    authority,
    pending,
    redeem,
    register,
    trade,
)
from tests.security.test_one_time_things import AT_ONCE, together
from tests.support.accounts import NEW, member
from tests.support.server import Minato
from tests.support.waiting import until_rows

ROUNDS = 12
GRANTS = "/auth/v1/user/oauth/grants"
# Whether a request has come as far as what this connection holds.
WAITING = "select exists (select from pg_locks where not granted and pid <> pg_backend_pid())"
Json = dict[str, Any]


async def revoke(minato: Minato, session: Json, application: Json) -> httpx.Response:
    async with minato.client(session["access_token"], **NEW) as user:
        return await user.delete(GRANTS, params={"client_id": application["client_id"]})


async def look(minato: Minato, session: Json, request: str) -> httpx.Response:
    """The consent page asks for the request, which an earlier consent decides."""
    async with minato.client(session["access_token"]) as user:
        return await user.get(f"/auth/v1/oauth/authorizations/{request}")


def code_of(answer: httpx.Response) -> str | None:
    """None where the person is asked."""
    code: str | None = httpx.URL(answer.json().get("redirect_url", "")).params.get("code")
    return code


async def arrive(minato: Minato) -> tuple[Json, Json]:
    """Somebody who is signed in, and an application."""
    async with minato.client() as client:
        return await member(minato, client), await register(minato)


async def require_dead(minato: Minato, application: Json, tokens: Json) -> None:
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    refreshed = await trade(minato, application, **form)
    assert refreshed.status_code == 400, refreshed.text
    async with minato.client(tokens["access_token"]) as holder:
        assert (await holder.get("/auth/v1/oauth/userinfo")).status_code == 403
        assert (await holder.get("/auth/v1/user")).status_code == 403


async def sessions_of(minato: Minato, application: Json) -> int:
    statement = "select count(*) from auth.sessions where oauth_client_id = $1::uuid"
    return int(await minato.db.fetchval(statement, application["client_id"]))


async def test_a_grant_revoked_at_once_is_revoked_once(authority: Minato) -> None:  # noqa: F811
    session, application = await arrive(authority)
    tokens = (await redeem(authority, application, await approved(authority, session, application))).json()
    looked = await look(authority, session, await pending(authority, application))
    left = code_of(looked)
    assert left is not None
    answers = await together(lambda: revoke(authority, session, application))
    assert sorted(answer.status_code for answer in answers) == [204, *[404] * 7]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 404} == {"oauth_consent_not_found"}
    await require_dead(authority, application, tokens)
    assert (await redeem(authority, application, left)).json()["error"] == "invalid_grant"
    logged = "select count(*) from auth.audit_log_entries where payload->'traits'->>'oauth_client_id' = $1"
    assert await authority.db.fetchval(logged, application["client_id"]) == 1


async def test_a_code_that_is_traded_while_its_grant_is_revoked_leads_to_nothing_that_works(
    authority: Minato,  # noqa: F811
) -> None:
    session, application = await arrive(authority)
    for _ in range(ROUNDS):
        code = await approved(authority, session, application)
        trades = [redeem(authority, application, code) for _ in range(AT_ONCE)]
        half = AT_ONCE // 2
        answers = await asyncio.gather(*trades[:half], revoke(authority, session, application), *trades[half:])
        assert answers.pop(half).status_code == 204
        given = [answer.json() for answer in answers if answer.status_code == 200]
        assert len(given) <= 1
        assert {answer.json().get("error") for answer in answers} <= {None, "invalid_grant"}
        for tokens in given:
            await require_dead(authority, application, tokens)
        assert (await redeem(authority, application, code)).json()["error"] == "invalid_grant"
        assert await sessions_of(authority, application) == 0


async def test_tokens_that_are_refreshed_while_their_grant_is_revoked_lead_to_nothing_that_works(
    authority: Minato,  # noqa: F811
) -> None:
    session, application = await arrive(authority)
    for _ in range(ROUNDS):
        tokens = (await redeem(authority, application, await approved(authority, session, application))).json()
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        refreshes = [trade(authority, application, **form) for _ in range(AT_ONCE)]
        *answers, revoked = await asyncio.gather(*refreshes, revoke(authority, session, application))
        assert revoked.status_code == 204
        assert {answer.status_code for answer in answers} <= {200, 400, 409}
        for answer in answers:
            if answer.status_code == 200:
                await require_dead(authority, application, answer.json())


async def test_a_request_decided_by_a_consent_that_is_just_being_revoked_gives_no_code_that_works(
    authority: Minato,  # noqa: F811
) -> None:
    session, application = await arrive(authority)
    for _ in range(ROUNDS):
        await approved(authority, session, application)
        requests = [await pending(authority, application) for _ in range(AT_ONCE)]
        looks = [look(authority, session, request) for request in requests]
        *answers, revoked = await asyncio.gather(*looks, revoke(authority, session, application))
        assert revoked.status_code == 204
        for answer in answers:
            assert answer.status_code == 200, answer.text
            if (code := code_of(answer)) is not None:
                assert (await redeem(authority, application, code)).json()["error"] == "invalid_grant"


async def test_a_request_that_meets_a_revocation_under_way_waits_for_its_end(authority: Minato) -> None:  # noqa: F811
    session, application = await arrive(authority)
    await approved(authority, session, application)
    request = await pending(authority, application)
    async with authority.db.transaction():
        revoking = "update auth.oauth_consents set revoked_at = now() where client_id = $1::uuid"
        await authority.db.execute(revoking, application["client_id"])
        looking = asyncio.create_task(look(authority, session, request))
        waiting = asyncio.create_task(until_rows(authority.db, WAITING))
        await asyncio.wait({looking, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    answer = (await looking).json()
    assert "redirect_url" not in answer
    assert answer["authorization_id"] == request
