"""Tokens of mails that several bring at once, and what triggers of the project's make of an account meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_flushes import Served, bearer, proof
from tests.integration.auth.test_journey import NEW, PASSWORD
from tests.integration.auth.test_session_rules import EMAIL, serving, sign_up
from tests.support import server

TELLING = """
create function public.tell() returns trigger language plpgsql as $$ begin
    new.raw_app_meta_data := new.raw_app_meta_data || '{"plan": "free"}';
    new.raw_user_meta_data := new.raw_user_meta_data || '{"seen": true}';
    return new;
end $$;
create trigger tell before insert or update on auth.users for each row execute function public.tell()
"""
REFUSING = """
create function public.refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
create trigger refuse before update of email_confirmed_at on auth.users for each row
    when (old.email_confirmed_at is null and new.email_confirmed_at is not null) execute function public.refuse()
"""


@pytest.fixture
async def mailing(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Served]:
    settings = server.settings_for(tmp_path, auth=AuthSettings(smtp_max_frequency=0))
    async with server.running(address, settings) as minato, minato.client(**NEW) as client:
        yield minato, client


@pytest.mark.parametrize("way", ["token_hash", "code"])
async def test_of_eight_who_bring_a_token_at_once_one_is_let_in(mailing: Served, way: str) -> None:
    minato, client = mailing
    await client.post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    given = proof(mailing, way, "signup")
    answers = await asyncio.gather(*(client.post("/auth/v1/verify", json=given) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [403] * 7
    assert {answer.json()["code"] for answer in answers if answer.status_code == 403} == {"otp_expired"}
    assert await minato.db.fetchval("select count(*) from auth.sessions") == 1


async def test_of_eight_who_sign_up_at_once_one_opens_the_account(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path) as (minato, client):
        body = {"email": EMAIL, "password": PASSWORD}
        answers = await asyncio.gather(*(client.post("/auth/v1/signup", json=body) for _ in range(8)))
        assert sorted(answer.status_code for answer in answers) == [200] + [422] * 7
        assert await minato.db.fetchval("select count(*) from auth.users") == 1


async def test_of_eight_who_ask_for_a_link_at_once_one_is_mailed(address: DatabaseAddress, tmp_path: Path) -> None:
    settings = server.settings_for(tmp_path, auth=AuthSettings(smtp_max_frequency=60))
    async with server.running(address, settings) as minato, minato.client(**NEW) as client:
        answers = await asyncio.gather(*(client.post("/auth/v1/otp", json={"email": EMAIL}) for _ in range(8)))
        assert sorted(answer.status_code for answer in answers) == [200] + [429] * 7
        assert len(minato.backend.outbox.find(EMAIL)) == 1


async def test_of_eight_changes_at_once_none_undoes_another(address: DatabaseAddress, tmp_path: Path) -> None:
    async with serving(address, tmp_path) as (_, client):
        who = bearer(await sign_up(client))
        changes = ({"data": {f"key{number}": number}} for number in range(8))
        await asyncio.gather(*(client.put("/auth/v1/user", headers=who, json=change) for change in changes))
        known = (await client.get("/auth/v1/user", headers=who)).json()["user_metadata"]
        assert {f"key{number}" for number in range(8)} <= set(known)
        await client.put("/auth/v1/user", headers=who, json={"data": {"key0": None, "key1": "new"}})
        known = (await client.get("/auth/v1/user", headers=who)).json()["user_metadata"]
        assert ("key0" in known, known["key1"], known["key2"]) == (False, "new", 2)


async def test_what_a_trigger_writes_into_an_account_stays_and_is_shown(mailing: Served) -> None:
    minato, client = mailing
    await minato.db.execute(TELLING)
    shown = (await client.post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})).json()
    assert shown["app_metadata"] == {"plan": "free", "provider": "email", "providers": ["email"]}
    user = (await client.post("/auth/v1/verify", json=proof(mailing, "code", "signup"))).json()["user"]
    assert user["app_metadata"] == {"plan": "free", "provider": "email", "providers": ["email"]}
    assert (user["user_metadata"]["seen"], user["user_metadata"]["email_verified"]) == (True, True)


@pytest.mark.parametrize("way", ["token_hash", "code"])
async def test_a_trigger_that_refuses_a_confirmation_is_told_and_leaves_the_token_good(
    mailing: Served, way: str
) -> None:
    minato, client = mailing
    await client.post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    await minato.db.execute(REFUSING)
    answer = await client.post("/auth/v1/verify", json=proof(mailing, way, "signup"))
    assert (answer.status_code, answer.json()["message"]) == (500, "Error confirming user")
    await minato.db.execute("drop trigger refuse on auth.users")
    assert (await client.post("/auth/v1/verify", json=proof(mailing, way, "signup"))).status_code == 200
