"""Who signs up somebody else's address or number leaves nothing in the account."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.accounts import fresh_address, newest, post, server, sign_in, sign_up, verify
from tests.support.postgres import Cluster
from tests.support.server import Minato

MINE, THEIRS = "victim's own words", "attacker-pass"
ME: dict[str, Any] = {"user_type": "importer", "full_name": "Anna Schmidt", "country": "DE"}
THEM: dict[str, Any] = {"user_type": "agent", "full_name": "Mallory", "evil": True}


async def answer_mail(client: httpx.AsyncClient, mail: Any, email: str, by: str) -> httpx.Response:
    if by == "link":
        return await client.get(mail.link)
    if by == "hash":
        return await verify(client, "email", mail.token_hash)
    return await post(client, "/verify", {"type": "signup", "email": email, "token": mail.token})


@pytest.mark.parametrize("by", ["link", "hash", "code"])
@pytest.mark.parametrize("first", ["attacker", "victim"])
async def test_an_account_gets_password_and_metadata_of_the_sign_up_whose_mail_was_answered(
    minato: Minato, by: str, first: str
) -> None:
    email = fresh_address(minato)
    people = [(THEIRS, THEM), (MINE, ME)] if first == "attacker" else [(MINE, ME), (THEIRS, THEM)]
    async with minato.client() as client:
        mails = {}
        for password, data in people:
            answer = await sign_up(client, email, password, data=data)
            assert (answer.status_code, answer.json()["user_metadata"]["full_name"]) == (200, data["full_name"])
            mails[password] = newest(minato, email)
        assert (await answer_mail(client, mails[MINE], email, by)).status_code in (200, 303)
        assert (await sign_in(client, email, THEIRS)).json()["code"] == "invalid_credentials"
        user = (await sign_in(client, email, MINE)).json()["user"]
        said = user["identities"][0]["identity_data"]
        for found in (user["user_metadata"], said):
            assert (found["full_name"], found["user_type"], "evil" in found) == ("Anna Schmidt", "importer", False)
        profile = await minato.db.fetchrow(
            "select user_type, full_name, country from public.profiles where user_id = $1::uuid", user["id"]
        )
        assert tuple(profile) == ("importer", "Anna Schmidt", "DE")
        # The other mail is worth nothing any more.
        assert (await verify(client, "email", mails[THEIRS].token_hash)).status_code == 403


@pytest.mark.parametrize("path", ["/otp", "/magiclink", "/recover"])
async def test_whoever_comes_in_by_a_mail_without_a_password_leaves_no_strangers_password(
    minato: Minato, path: str
) -> None:
    email = fresh_address(minato)
    async with minato.client() as client:
        await sign_up(client, email, THEIRS, data=THEM)
        assert (await post(client, path, {"email": email})).status_code == 200
        mail = newest(minato, email)
        assert (await verify(client, "email", mail.token_hash)).status_code == 200
        assert (await sign_in(client, email, THEIRS)).json()["code"] == "invalid_credentials"


async def test_an_invitation_leaves_no_strangers_password(minato: Minato) -> None:
    email = fresh_address(minato)
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        await sign_up(client, email, THEIRS, data=THEM)
        assert (await post(service, "/invite", {"email": email})).status_code == 200
        for kind in ("invite", "email"):
            answer = await verify(client, kind, newest(minato, email, "invite").token_hash)
        assert answer.status_code == 403
        assert (await sign_in(client, email, THEIRS)).json()["code"] == "invalid_credentials"


async def test_a_mail_sent_again_brings_what_the_one_sign_up_asked_for(minato: Minato) -> None:
    email = fresh_address(minato)
    async with minato.client() as client:
        await sign_up(client, email, MINE, data=ME)
        before = newest(minato, email)
        await post(client, "/resend", {"type": "signup", "email": email})
        assert (await verify(client, "email", before.token_hash)).status_code == 403
        assert (await verify(client, "email", newest(minato, email).token_hash)).status_code == 200
        assert (await sign_in(client, email, MINE)).status_code == 200


async def test_where_several_sign_ups_wait_a_mail_sent_again_brings_nobodys_password(minato: Minato) -> None:
    email = fresh_address(minato)
    async with minato.client() as client:
        await sign_up(client, email, MINE, data=ME)
        await sign_up(client, email, THEIRS, data=THEM)
        await post(client, "/resend", {"type": "signup", "email": email})
        assert (await verify(client, "email", newest(minato, email).token_hash)).status_code == 200
        for password in (MINE, THEIRS):
            assert (await sign_in(client, email, password)).json()["code"] == "invalid_credentials"


@pytest.mark.parametrize("first", ["attacker", "victim"])
async def test_a_number_gets_the_password_of_the_sign_up_whose_code_was_answered(
    cluster: Cluster, tmp_path: Path, first: str
) -> None:
    phone = "4915112345678"
    people = [(THEIRS, THEM), (MINE, ME)] if first == "attacker" else [(MINE, ME), (THEIRS, THEM)]
    async with server(cluster, tmp_path, external_phone_enabled=True) as minato, minato.client() as client:
        codes = {}
        for password, data in people:
            answer = await post(client, "/signup", {"phone": phone, "password": password, "data": data})
            assert answer.status_code == 200, answer.text
            codes[password] = newest_code(minato, phone)
        token = {"type": "sms", "phone": phone, "token": codes[MINE]}
        assert (await post(client, "/verify", token)).status_code == 200
        grant = "/token?grant_type=password"
        assert (await post(client, grant, {"phone": phone, "password": THEIRS})).status_code == 400
        user = (await post(client, grant, {"phone": phone, "password": MINE})).json()["user"]
        assert user["user_metadata"]["full_name"] == "Anna Schmidt"
        other = {**token, "token": codes[THEIRS]}
        assert (await post(client, "/verify", other)).json()["code"] == "otp_expired"


async def test_whoever_comes_in_by_a_text_message_alone_leaves_nothing_of_a_stranger(
    cluster: Cluster, tmp_path: Path
) -> None:
    phone = "4915112345679"
    async with server(cluster, tmp_path, external_phone_enabled=True) as minato, minato.client() as client:
        await post(client, "/signup", {"phone": phone, "password": THEIRS, "data": THEM})
        await post(client, "/otp", {"phone": phone})
        token = {"type": "sms", "phone": phone, "token": newest_code(minato, phone)}
        session = (await post(client, "/verify", token)).json()
        assert "full_name" not in session["user"]["user_metadata"]
        refused = await post(client, "/token?grant_type=password", {"phone": phone, "password": THEIRS})
        assert refused.json()["code"] == "invalid_credentials"


async def test_a_setting_keeps_the_first_password_as_the_reference_does(cluster: Cluster, tmp_path: Path) -> None:
    kept: dict[str, Any] = {"security_keep_first_sign_up": True}
    async with server(cluster, tmp_path, **kept) as minato, minato.client() as client:
        email = fresh_address(minato)
        await sign_up(client, email, THEIRS)
        await sign_up(client, email, MINE)
        assert (await verify(client, "email", newest(minato, email).token_hash)).status_code == 200
        assert (await sign_in(client, email, THEIRS)).status_code == 200


def newest_code(minato: Minato, phone: str) -> str:
    return str(minato.backend.sms_outbox.find(phone)[0].message.token)
