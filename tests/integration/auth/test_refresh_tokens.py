"""Refresh tokens of both versions: used once, honoured again where a client lost its answer, void when stolen."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from minato.auth.grants import refresh_token
from minato.auth.sessions import refresh_token_v2
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress
from minato.database.wire.session import Command

from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import NEW, refresh
from tests.integration.auth.test_session_rules import serving, sign_up
from tests.support import server
from tests.support.server import Minato

LATE = timedelta(seconds=11)
COUNTED: dict[str, Any] = {"security_refresh_token_algorithm_version": 2}


def code(answer: httpx.Response) -> str:
    return str(answer.json().get("code", ""))


async def test_the_headers_say_whose_token_was_renewed_and_how(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path) as (minato, client):
        session = await sign_up(client)
        answer = await refresh(client, session["refresh_token"])
        claims = minato.backend.keys.verify(answer.json()["access_token"])
        shown = {name: value for name, value in answer.headers.items() if name.startswith("sb-auth-")}
        assert shown == {
            "sb-auth-user-id": claims["sub"],
            "sb-auth-session-id": claims["session_id"],
            "sb-auth-refresh-token-prefix": answer.json()["refresh_token"][:5],
            "sb-auth-refresh-token-reuse": "false",
        }


async def test_a_parent_is_answered_with_the_active_token_however_late(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path) as (minato, client):
        session = await sign_up(client)
        first = (await refresh(client, session["refresh_token"])).json()
        minato.backend.clock.advance(timedelta(days=1))
        again = (await refresh(client, session["refresh_token"])).json()
        assert again["refresh_token"] == first["refresh_token"]


async def test_a_stolen_token_ends_its_family_and_the_end_survives_the_refusal(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path) as (minato, client):
        oldest = (await sign_up(client))["refresh_token"]
        newest = oldest
        for _ in range(2):
            newest = (await refresh(client, newest)).json()["refresh_token"]
        minato.backend.clock.advance(LATE)
        assert code(await refresh(client, oldest)) == "refresh_token_already_used"
        assert await minato.db.fetchval("select count(*) from auth.refresh_tokens where not revoked") == 0
        minato.backend.clock.advance(LATE)
        assert code(await refresh(client, newest)) == "refresh_token_already_used"


async def test_a_second_factor_does_not_revive_a_family_that_was_stolen(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path) as (minato, client):
        session = await sign_up(client)
        newest = session["refresh_token"]
        for _ in range(2):
            newest = (await refresh(client, newest)).json()["refresh_token"]
        minato.backend.clock.advance(LATE)
        assert code(await refresh(client, session["refresh_token"])) == "refresh_token_already_used"
        factor = await enroll(client, session)
        proven = await prove(minato, client, session, factor)
        assert (proven.status_code, code(proven)) == (403, "session_expired")
        assert await minato.db.fetchval("select count(*) from auth.refresh_tokens where not revoked") == 0


async def test_within_the_reuse_interval_a_used_token_has_another_child(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path) as (minato, client):
        oldest = (await sign_up(client))["refresh_token"]
        second = (await refresh(client, oldest)).json()["refresh_token"]
        third = (await refresh(client, second)).json()["refresh_token"]
        branch = (await refresh(client, oldest)).json()["refresh_token"]
        assert branch not in (oldest, second, third)
        parents = await minato.db.fetch("select token, parent from auth.refresh_tokens")
        assert {row["token"]: row["parent"] for row in parents}[branch] == oldest


async def test_without_rotation_a_stolen_token_is_refused_and_the_family_lives(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path, security_refresh_token_rotation_enabled=False) as (minato, client):
        oldest = (await sign_up(client))["refresh_token"]
        newest = oldest
        for _ in range(2):
            newest = (await refresh(client, newest)).json()["refresh_token"]
        minato.backend.clock.advance(LATE)
        assert code(await refresh(client, oldest)) == "refresh_token_already_used"
        assert (await refresh(client, newest)).status_code == 200


@pytest.mark.parametrize("given", ["", "short", "UPPERCASE123", "x" * 13, "A" * 60, "=" * 12, "a" * 5000, "ä" * 12])
async def test_what_is_no_token_of_either_version_is_refused(minato: Minato, given: str) -> None:
    async with minato.client(**NEW) as client:
        refused = await refresh(client, given)
        assert (refused.status_code, refused.json()["message"]) == (400, "Refresh token is not valid")


async def test_an_unknown_token_of_either_version_is_not_found(minato: Minato) -> None:
    async with minato.client(**NEW) as client:
        for given in ("abcdefghijkl", refresh_token_v2.encode(uuid4(), 0, "a2V5")):
            refused = await refresh(client, given)
            assert (refused.status_code, code(refused)) == (400, "refresh_token_not_found")


async def test_a_counted_session_counts_and_keeps_no_rows(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path, **COUNTED) as (minato, client):
        opened = await client.post("/auth/v1/signup", json={"email": "b@example.com", "password": "correct horse"})
        assert opened.headers["sb-auth-refresh-token-counter"] == "0"
        token = opened.json()["refresh_token"]
        for number in (1, 2, 3):
            answer = await refresh(client, token)
            assert answer.headers["sb-auth-refresh-token-counter"] == str(number)
            assert answer.headers["sb-auth-refresh-token-reuse"] == "false"
            token = answer.json()["refresh_token"]
        assert await minato.db.fetchval("select count(*) from auth.refresh_tokens") == 0


async def test_a_counted_token_behind_by_one_is_honoured_with_the_current_one(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path, **COUNTED) as (minato, client):
        session = await sign_up(client)
        current = (await refresh(client, session["refresh_token"])).json()["refresh_token"]
        minato.backend.clock.advance(LATE)
        again = await refresh(client, session["refresh_token"])
        assert again.headers["sb-auth-refresh-token-reuse-cause"] == "fail-to-save"
        assert again.json()["refresh_token"] == current


@pytest.mark.parametrize(
    ("settings", "late", "outcome"),
    [
        ({}, timedelta(0), "concurrent-refresh"),
        ({}, LATE, "refresh_token_already_used"),
        ({"security_refresh_token_allow_reuse": True}, LATE, "always-allow"),
    ],
)
async def test_a_counted_token_further_behind_needs_an_excuse(
    address: DatabaseAddress, tmp_path: Path, settings: dict[str, Any], late: timedelta, outcome: str
) -> None:
    async with serving(address, tmp_path, **COUNTED, **settings) as (minato, client):
        oldest = (await sign_up(client))["refresh_token"]
        newest = oldest
        for _ in range(2):
            newest = (await refresh(client, newest)).json()["refresh_token"]
        minato.backend.clock.advance(late)
        answer = await refresh(client, oldest)
        assert outcome in (answer.headers.get("sb-auth-refresh-token-reuse-cause"), code(answer))
        alive = await refresh(client, newest)
        assert code(alive) == ("refresh_token_not_found" if outcome == "refresh_token_already_used" else "")


async def test_a_counted_token_cannot_be_forged(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path, **COUNTED) as (minato, client):
        session = await sign_up(client)
        row = await minato.db.fetchrow("select id, refresh_token_hmac_key as key from auth.sessions")
        assert row is not None
        ahead = await refresh(client, refresh_token_v2.encode(row["id"], 7, row["key"]))
        assert ahead.json()["message"] == "Invalid Refresh Token: Not Issued By This Server"
        foreign = await refresh(client, refresh_token_v2.encode(row["id"], 0, "a2V5"))
        assert code(foreign) == "refresh_token_not_found"
        assert (await refresh(client, session["refresh_token"])).status_code == 200


async def test_a_second_factor_makes_the_counted_token_before_it_worthless(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with serving(address, tmp_path, **COUNTED, security_refresh_token_reuse_interval=0) as (minato, client):
        session = await sign_up(client)
        strong = (await prove(minato, client, session, await enroll(client, session))).json()
        token = refresh_token_v2.decode(strong["refresh_token"])
        assert token is not None
        assert token.counter == 2
        assert code(await refresh(client, session["refresh_token"])) == "refresh_token_already_used"


async def test_sessions_move_to_counted_tokens_as_they_are_refreshed(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path) as (_, client):
        session = await sign_up(client)
    upgrade = {**COUNTED, "security_refresh_token_upgrade_percentage": 100}
    async with serving(address, tmp_path, **upgrade) as (minato, client):
        answer = await refresh(client, session["refresh_token"])
        assert answer.headers["sb-auth-refresh-token-counter"] == "0"
        token = refresh_token_v2.decode(answer.json()["refresh_token"])
        assert token is not None
        assert str(token.session_id) == minato.backend.keys.verify(answer.json()["access_token"])["session_id"]
        assert await minato.db.fetchval("select count(*) from auth.refresh_tokens where not revoked") == 0
        assert (await refresh(client, answer.json()["refresh_token"])).status_code == 200


@pytest.mark.parametrize("version", [1, 2])
async def test_many_clients_refreshing_at_once_on_several_servers_agree(
    address: DatabaseAddress, tmp_path: Path, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two servers of one database, forty clients at a time with the same token, five rounds."""
    # The last of forty waits for all others, which may take longer than five seconds beside other work.
    monkeypatch.setattr(refresh_token, "WAIT_FOR_OTHERS", Command("set local lock_timeout = '90s'"))
    auth = AuthSettings(mailer_autoconfirm=True, security_refresh_token_algorithm_version=version)
    async with AsyncExitStack() as stack:
        settings = server.settings_for(tmp_path, auth=auth)
        servers = [await stack.enter_async_context(server.running(address, settings)) for _ in range(2)]
        clients = [await stack.enter_async_context(one.client(**NEW)) for one in servers]
        token = (await sign_up(clients[0]))["refresh_token"]
        for _ in range(5):
            answers = await asyncio.gather(*(refresh(clients[number % 2], token) for number in range(40)))
            assert {answer.status_code for answer in answers} == {200}
            [token] = {answer.json()["refresh_token"] for answer in answers}
        rows = await servers[0].db.fetchval("select count(*) from auth.refresh_tokens")
        assert rows == (6 if version == 1 else 0)
        counters = await servers[0].db.fetch("select refresh_token_counter from auth.sessions")
        assert [row["refresh_token_counter"] for row in counters] == [None if version == 1 else 5]


async def test_sign_outs_and_refreshes_at_once_leave_no_server_error(minato: Minato) -> None:
    """Whatever order they come in, a refresh is answered with a session or with a refusal."""
    async with minato.client(**NEW) as client:
        email = f"{uuid4().hex}@example.com"
        async with minato.client(minato.service_role_key) as admin:
            body = {"email": email, "password": "correct horse", "email_confirm": True}
            assert (await admin.post("/auth/v1/admin/users", json=body)).status_code == 200
        body = {"email": email, "password": "correct horse"}
        session = (await client.post("/auth/v1/token?grant_type=password", json=body)).json()
        leave = {"authorization": f"Bearer {session['access_token']}"}
        requests = [refresh(client, session["refresh_token"]) for _ in range(10)]
        requests.insert(5, client.post("/auth/v1/logout", headers=leave))
        answers = await asyncio.gather(*requests)
        assert {answer.status_code for answer in answers} <= {200, 204, 400}
        assert UUID(minato.backend.keys.verify(session["access_token"])["session_id"])
