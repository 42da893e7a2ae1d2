"""What strangers learn about who has an account, and in what state it is."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.auth.app import AuthRoom
from minato.mail.email import Email

from tests.support.accounts import (
    PASSWORD,
    bearer,
    fresh_address,
    member,
    newest,
    post,
    server,
    sign_in,
    sign_up,
    verify,
)
from tests.support.postgres import Cluster
from tests.support.server import Minato
from tests.support.waiting import PATIENCE

PRODUCTION: dict[str, Any] = {"environment": "production"}
HIDDEN: dict[str, Any] = {"security_hide_accounts": True, "smtp_max_frequency": 60}
PATHS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/recover", {}),
    ("/otp", {}),
    ("/otp", {"create_user": False}),
    ("/magiclink", {}),
    ("/resend", {"type": "signup"}),
    ("/resend", {"type": "email_change"}),
)


async def finished(minato: Minato) -> None:
    auth = minato.application.rooms["/auth/v1"]
    assert isinstance(auth, AuthRoom)
    await auth.later.finish(60)


def said(answer: httpx.Response) -> tuple[int, bytes, dict[str, str]]:
    """All of an answer but its moment."""
    kept: dict[str, Any] = {
        name: value for name, value in answer.headers.items() if name not in ("date", "x-request-id")
    }
    return answer.status_code, answer.content, kept


@pytest.mark.parametrize(("path", "body"), PATHS)
async def test_known_unknown_banned_and_pending_addresses_get_one_answer(
    cluster: Cluster, tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    async with server(cluster, tmp_path, **HIDDEN) as minato, minato.client() as client:
        known, banned = [(await member(minato, client))["user"]["email"] for _ in range(2)]
        await minato.db.execute("update auth.users set banned_until = '2999-01-01' where email = $1", banned)
        pending = fresh_address(minato)
        await sign_up(client, pending)
        answers = []
        for address in (known, banned, pending, fresh_address(minato)):
            for _ in range(2):
                answers.append(said(await post(client, path, {**body, "email": address})))
                # One after the other, as the limit of mails counts them.
                await finished(minato)
        assert answers == [(200, b"{}", answers[0][2])] * len(answers)
        assert len(minato.backend.outbox.find(known)) == (1 if "type" in body else 2)


@pytest.mark.parametrize(
    ("path", "body"), [("/otp", {}), ("/otp", {"create_user": False}), ("/resend", {"type": "sms"})]
)
async def test_known_unknown_banned_and_pending_numbers_get_one_answer(
    cluster: Cluster, tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    hidden = {**HIDDEN, "external_phone_enabled": True, "sms_max_frequency": 60}
    async with server(cluster, tmp_path, **hidden) as minato, minato.client() as client:
        numbers = [f"49151000000{last}" for last in range(4)]
        for number in numbers[:3]:
            await post(client, "/signup", {"phone": number, "password": PASSWORD})
        confirmed = "update auth.users set phone_confirmed_at = now(), confirmation_sent_at = null"
        await minato.db.execute(f"{confirmed} where phone = any($1)", numbers[:2])
        await minato.db.execute("update auth.users set banned_until = '2999-01-01' where phone = $1", numbers[1])
        answers = []
        for number in numbers:
            for _ in range(2):
                answers.append(said(await post(client, path, {**body, "phone": number})))
                await finished(minato)
    assert answers == [(200, b"{}", answers[0][2])] * len(answers)


async def test_a_production_server_hides_accounts_and_a_setting_answers_as_the_reference(
    cluster: Cluster, tmp_path: Path
) -> None:
    for told, status in ((None, 200), (False, 429)):
        settings = {"security_hide_accounts": told, "smtp_max_frequency": 60, "mailer_autoconfirm": True}
        async with server(cluster, tmp_path, PRODUCTION, **settings) as minato, minato.client() as client:
            object.__setattr__(minato.backend, "mailer", SilentMailer())
            email = fresh_address(minato)
            await sign_up(client, email)
            assert (await post(client, "/recover", {"email": email})).status_code == 200
            await finished(minato)
            assert (await post(client, "/recover", {"email": email})).status_code == status


class SilentMailer:
    """Takes every mail."""

    async def send(self, email: Email) -> None:
        """Nothing to do."""


class StuckMailer:
    """Holds every mail until it is let go."""

    def __init__(self) -> None:
        self.reached, self.free = asyncio.Event(), asyncio.Event()

    async def send(self, email: Email) -> None:
        """Wait."""
        self.reached.set()
        await self.free.wait()


async def test_the_answer_does_not_wait_for_the_mail(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, **HIDDEN) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        stuck = StuckMailer()
        object.__setattr__(minato.backend, "mailer", stuck)
        assert (await post(client, "/recover", {"email": email})).text == "{}"
        await asyncio.wait_for(stuck.reached.wait(), PATIENCE)
        # Nobody has let the mail go yet, and the answer is here.
        assert not stuck.free.is_set()
        stuck.free.set()
        await finished(minato)


async def test_a_mail_that_hangs_holds_up_no_stop_and_may_be_asked_for_again(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, **HIDDEN) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        stuck = StuckMailer()
        object.__setattr__(minato.backend, "mailer", stuck)
        await post(client, "/recover", {"email": email})
        await asyncio.wait_for(stuck.reached.wait(), PATIENCE)
        # The mail is never let go.
        await asyncio.wait_for(minato.application.rooms["/auth/v1"].stop(), PATIENCE)
        sent = await minato.db.fetchrow(
            "select recovery_token, recovery_sent_at from auth.users where email = $1", email
        )
        assert tuple(sent) == ("", None)


async def test_only_whoever_knows_the_password_learns_of_a_ban(minato: Minato) -> None:
    async with minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        await minato.db.execute("update auth.users set banned_until = '2999-01-01' where email = $1", email)
        wrong = await sign_in(client, email, "something else")
        nobody = await sign_in(client, fresh_address(minato), "something else")
        assert (wrong.status_code, wrong.content) == (nobody.status_code, nobody.content)
        assert (await sign_in(client, email)).json()["code"] == "user_banned"


def shape(value: Any, but: tuple[str, ...] = ("identities", "role")) -> Any:
    """A document without the values that differ from account to account, and without the members `but`."""
    if isinstance(value, dict):
        return {name: shape(one, but) for name, one in sorted(value.items()) if name not in but}
    if isinstance(value, list):
        return [shape(one, but) for one in value]
    return "?" if isinstance(value, str) and ("-" in value or "@" in value or value.isdecimal()) else value


async def test_a_taken_address_is_answered_with_nothing_of_its_account(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        email = session["user"]["email"]
        await post(client, "/recover", {"email": email})
        await client.get("/auth/v1/reauthenticate", headers=bearer(session))
        await minato.db.execute(
            "update auth.users set banned_until = '2999-01-01', invited_at = now() where email = $1", email
        )
        body: dict[str, Any] = {"data": {"name": "Somebody", "nothing": None}}
        taken = (await sign_up(client, email, **body)).json()
        free = (await sign_up(client, fresh_address(minato), **body)).json()
        assert shape(taken) == shape(free)
        assert taken["id"] != session["user"]["id"]


async def test_a_taken_number_is_spelled_as_a_free_one(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, external_phone_enabled=True) as minato, minato.client() as client:
        body = {"phone": "+49 151 0000001", "password": PASSWORD}
        free = (await post(client, "/signup", body)).json()
        code = minato.backend.sms_outbox.find("491510000001")[0].message.token
        await post(client, "/verify", {"type": "sms", "phone": "491510000001", "token": code})
        taken = (await post(client, "/signup", body)).json()
        assert (taken["phone"], shape(taken)) == (free["phone"], shape(free))


FACTS = """
banned_until = '2999-01-01', invited_at = now(), recovery_sent_at = now(), reauthentication_sent_at = now(),
last_sign_in_at = now(), raw_app_meta_data = raw_app_meta_data || '{"team": "back office"}'
"""


async def test_an_unconfirmed_address_is_answered_with_nothing_of_its_account_either(minato: Minato) -> None:
    async with minato.client() as client:
        email = fresh_address(minato)
        first = (await sign_up(client, email, data={"name": "Owner", "secret": 1})).json()
        number = f"phone = '49{first['id'].replace('-', '')[:9]}', phone_confirmed_at = now()"
        await minato.db.execute(f"update auth.users set {FACTS}, {number} where email = $1", email)
        body: dict[str, Any] = {"data": {"name": "Somebody"}}
        pending = (await sign_up(client, email, **body)).json()
        free = (await sign_up(client, fresh_address(minato), **body)).json()
    assert list(pending) == list(free)
    assert shape(pending, ()) == shape(free, ())
    assert pending["phone"] == ""


async def test_a_number_that_its_account_never_confirmed_tells_nothing_of_it(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, external_phone_enabled=True) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        await minato.db.execute(f"update auth.users set {FACTS}, phone = '491510000001' where email = $1", email)
        body = {"phone": "491510000001", "password": PASSWORD}
        pending = (await post(client, "/signup", body)).json()
        free = (await post(client, "/signup", {**body, "phone": "491510000002"})).json()
    assert email not in str(pending)
    # No identity of the account goes by the number.
    assert pending["identities"] == []
    assert list(pending) == list(free)
    assert shape(pending) == shape(free)


async def test_a_stolen_refresh_token_does_not_revive_its_family(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path) as minato, minato.client() as client:
        session = await member(minato, client)
        tokens = [session["refresh_token"]]
        for _ in range(3):
            answer = await post(client, "/token?grant_type=refresh_token", {"refresh_token": tokens[-1]})
            tokens.append(answer.json()["refresh_token"])
        minato.backend.clock.advance(timedelta(seconds=11))
        for token in (tokens[0], tokens[3], tokens[2], tokens[1]):
            answer = await post(client, "/token?grant_type=refresh_token", {"refresh_token": token})
            assert (answer.status_code, answer.json()["code"]) == (400, "refresh_token_already_used")
        assert await minato.db.fetchval("select count(*) from auth.refresh_tokens where not revoked") == 0


async def test_a_mail_of_a_hidden_answer_works(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, **HIDDEN) as minato, minato.client() as client:
        email = fresh_address(minato)
        assert (await post(client, "/otp", {"email": email})).text == "{}"
        await finished(minato)
        assert (await verify(client, "email", newest(minato, email).token_hash)).status_code == 200
