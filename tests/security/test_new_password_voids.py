"""A new password ends what somebody else may have set under way before it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.integration.auth.oauth.conftest import harbour  # noqa: F401
from tests.integration.auth.oauth.test_oauth_server import approved, authority, redeem, register  # noqa: F401
from tests.integration.auth.oauth.walk import APP, Harbour
from tests.support.accounts import (
    NEW,
    PASSWORD,
    bearer,
    fresh_address,
    member,
    newest,
    opened_account,
    parse_fragment,
    post,
    server,
    sign_in,
    sign_up,
    verify,
)
from tests.support.postgres import Cluster
from tests.support.server import Minato

WHO = ["administrator", "owner"]


async def reset(minato: Minato, session: dict[str, Any]) -> None:
    """What an administrator does for an account that was taken over."""
    async with minato.client(minato.service_role_key) as service:
        body = {"password": "set by the operator"}
        answer = await service.put(f"/auth/v1/admin/users/{session['user']['id']}", json=body)
        assert answer.status_code == 200, answer.text
        assert (answer.json().get("new_email"), answer.json().get("new_phone")) == (None, None)
        left = "select count(*) from auth.one_time_tokens where user_id = $1::uuid"
        assert await minato.db.fetchval(left, session["user"]["id"]) == 0


async def change(minato: Minato, session: dict[str, Any], who: str) -> None:
    """A new password: the administrator's, or the owner's own."""
    if who == "administrator":
        return await reset(minato, session)
    async with minato.client() as client:
        body = {"password": "set by the owner", "current_password": PASSWORD}
        answer = await client.put("/auth/v1/user", json=body, headers=bearer(session))
    assert answer.status_code == 200, answer.text


async def attempts(client: httpx.AsyncClient, kind: str, mail: Any, email: str) -> list[str]:
    """How the mail's hash, code and link are refused."""
    hashed = (await verify(client, kind, mail.token_hash)).json().get("code", "accepted")
    code = (await post(client, "/verify", {"type": kind, "email": email, "token": mail.token})).json()
    link = parse_fragment((await client.get(mail.link)).headers["location"])
    return [hashed, code.get("code", "accepted"), link.get("error_code", "accepted")]


@pytest.mark.parametrize(("path", "kind"), [("/recover", "recovery"), ("/otp", "magiclink")])
async def test_the_administrators_new_password_voids_mails_that_are_out(minato: Minato, path: str, kind: str) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        email = session["user"]["email"]
        await post(client, path, {"email": email})
        mail = newest(minato, email, kind)
        await reset(minato, session)
        assert await attempts(client, kind, mail, email) == ["otp_expired"] * 3


@pytest.mark.parametrize("both", [True, False])
async def test_the_administrators_new_password_voids_a_pending_change_of_address(
    cluster: Cluster, tmp_path: Path, both: bool
) -> None:
    settings: dict[str, Any] = {"mailer_secure_email_change_enabled": both}
    async with server(cluster, tmp_path, **settings) as minato, minato.client() as client:
        session = await member(minato, client)
        old, new = session["user"]["email"], fresh_address(minato)
        await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
        mails = [newest(minato, address, "email_change") for address in ([old, new] if both else [new])]
        await reset(minato, session)
        for mail in mails:
            assert await attempts(client, "email_change", mail, mail.to) == ["otp_expired"] * 3
        sent = len(minato.backend.outbox.find(new))
        assert (await post(client, "/resend", {"type": "email_change", "email": old})).status_code == 200
        assert len(minato.backend.outbox.find(new)) == sent
        assert await minato.db.fetchval("select email from auth.users") == old


async def test_the_administrators_new_password_voids_text_messages_that_are_out(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with server(cluster, tmp_path, external_phone_enabled=True) as minato, minato.client() as client:
        account = await opened_account(minato, phone="4915100000078", phone_confirm=True)
        session = (await sign_in(client, account["email"])).json()
        await client.put("/auth/v1/user", json={"phone": "4915100000079"}, headers=bearer(session))
        await post(client, "/otp", {"phone": account["phone"]})
        await reset(minato, session)
        for kind, phone in (("sms", "4915100000078"), ("phone_change", "4915100000079")):
            code = minato.backend.sms_outbox.find(phone)[0].message.token
            answer = await post(client, "/verify", {"type": kind, "phone": phone, "token": code})
            assert (answer.status_code, answer.json()["code"]) == (403, "otp_expired")


@pytest.mark.parametrize("who", ["administrator", "owner"])
async def test_a_new_password_voids_the_code_of_a_link_that_was_followed(minato: Minato, who: str) -> None:
    async with minato.client() as client:
        session, verifier = await member(minato, client), "v" * 50
        email = session["user"]["email"]
        await post(client, "/otp", {"email": email, "code_challenge": verifier, "code_challenge_method": "plain"})
        followed = await client.get(newest(minato, email, "magiclink").link)
        code = httpx.URL(followed.headers["location"]).params["code"]
        if who == "owner":
            again = (await sign_in(client, email)).json()
            body = {"password": "another horse"}
            assert (await client.put("/auth/v1/user", json=body, headers=bearer(again))).status_code == 200
        else:
            await reset(minato, session)
        answer = await post(client, "/token?grant_type=pkce", {"auth_code": code, "code_verifier": verifier})
        assert (answer.status_code, answer.json()["code"]) == (404, "flow_state_not_found")


async def test_the_administrators_new_password_voids_a_nonce(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        await client.get("/auth/v1/reauthenticate", headers=bearer(session))
        await reset(minato, session)


async def test_the_administrators_new_password_voids_mails_of_sign_ups_that_nobody_answered(minato: Minato) -> None:
    async with minato.client() as client:
        email = fresh_address(minato)
        mails, user = [], {}
        for words in ("one sign-up", "another sign-up"):
            user = (await sign_up(client, email, words)).json()
            mails.append(newest(minato, email))
        await reset(minato, {"user": user})
        for mail in mails:
            assert await attempts(client, "signup", mail, email) == ["otp_expired"] * 3
        assert await minato.db.fetchval("select email_confirmed_at from auth.users where email = $1", email) is None


async def clicked_code(minato: Minato, client: httpx.AsyncClient, email: str) -> dict[str, str]:
    """What an app exchanges for a session after the person followed a magic link."""
    verifier = "v" * 50
    await post(client, "/otp", {"email": email, "code_challenge": verifier, "code_challenge_method": "plain"})
    clicked = await client.get(newest(minato, email).link)
    return {"auth_code": httpx.URL(clicked.headers["location"]).params["code"], "code_verifier": verifier}


@pytest.mark.parametrize("who", WHO)
async def test_a_new_password_voids_the_code_of_a_link_that_was_clicked(minato: Minato, who: str) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        code = await clicked_code(minato, client, session["user"]["email"])
        await change(minato, session, who)
        answer = await post(client, "/token?grant_type=pkce", code)
        assert (answer.status_code, answer.json()["code"]) == (404, "flow_state_not_found")


async def test_a_code_from_before_a_ban_opens_no_session(minato: Minato) -> None:
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        user = (await member(minato, client))["user"]
        code = await clicked_code(minato, client, user["email"])
        await service.put(f"/auth/v1/admin/users/{user['id']}", json={"ban_duration": "24h"})
        answer = await post(client, "/token?grant_type=pkce", code)
        assert (answer.status_code, answer.json()["code"]) == (400, "user_banned")


@pytest.mark.parametrize("who", WHO)
async def test_a_new_password_voids_the_way_to_link_an_identity(harbour: Harbour, who: str) -> None:  # noqa: F811
    minato = harbour.minato
    async with minato.client() as client:
        session = await member(minato, client)
    away = await leave_to_link(harbour, session)
    await change(minato, session, who)
    assert "error_code=bad_oauth_state" in await come_back(away)
    assert await providers_of(minato, session) == ["email"]


async def test_an_account_that_ends_softly_gets_no_identity_afterwards(harbour: Harbour) -> None:  # noqa: F811
    minato = harbour.minato
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        session = await member(minato, client)
        away = await leave_to_link(harbour, session)
        one = f"/auth/v1/admin/users/{session['user']['id']}"
        answer = await service.request("DELETE", one, json={"should_soft_delete": True})
        assert answer.status_code == 200, answer.text
    assert "error_code=bad_oauth_state" in await come_back(away)
    assert await providers_of(minato, session) == ["email"]


async def leave_to_link(harbour: Harbour, session: dict[str, Any]) -> str:  # noqa: F811
    """Where the provider asks who comes, on the way to link one more identity to the account."""
    harbour.meet()
    query = {"provider": "google", "redirect_to": APP, "skip_http_redirect": "true"}
    async with harbour.minato.client() as client:
        left = await client.get("/auth/v1/user/identities/authorize", params=query, headers=bearer(session))
    return str(left.json()["url"])


async def come_back(away: str) -> str:
    """Where the server sends whoever returns from the provider."""
    async with httpx.AsyncClient() as browser:
        agreed = await browser.get(away)
        return str((await browser.get(agreed.headers["location"])).headers["location"])


async def providers_of(minato: Minato, session: dict[str, Any]) -> list[str]:
    statement = "select array_agg(provider) from auth.identities where user_id = $1::uuid"
    return list(await minato.db.fetchval(statement, session["user"]["id"]))


@pytest.mark.parametrize("who", WHO)
async def test_a_new_password_voids_the_code_of_an_application(authority: Minato, who: str) -> None:  # noqa: F811
    async with authority.client() as client:
        session = await member(authority, client)
    application = await register(authority)
    code = await approved(authority, session, application, scope="email")
    await change(authority, session, who)
    answer = await redeem(authority, application, code)
    assert (answer.status_code, answer.json().get("error")) == (400, "invalid_grant")


async def test_a_softly_deleted_account_is_opened_by_no_sign_up_that_waits(minato: Minato) -> None:
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        email = fresh_address(minato)
        account = (await sign_up(client, email)).json()
        path = f"/auth/v1/admin/users/{account['id']}"
        assert (await service.request("DELETE", path, json={"should_soft_delete": True})).status_code == 200
        assert await attempts(client, "signup", newest(minato, email), email) == ["otp_expired"] * 3


async def test_after_a_new_password_the_next_mail_leaves_at_once(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, smtp_max_frequency=60) as minato, minato.client() as client:
        session = await member(minato, client)
        email = session["user"]["email"]
        await post(client, "/recover", {"email": email})
        recovered = (await verify(client, "recovery", newest(minato, email, "recovery").token_hash)).json()
        changed = await client.put("/auth/v1/user", json={"password": "another horse"}, headers=bearer(recovered))
        assert changed.status_code == 200
        shown = (await client.get("/auth/v1/user", headers=bearer(recovered))).json()
        assert [name for name in shown if name.endswith("_sent_at")] == []
        assert (await post(client, "/recover", {"email": email}, **NEW)).status_code == 200
        assert len(minato.backend.outbox.find(email, "recovery")) == 2


@pytest.mark.parametrize("kind", ["invite", "signup", "email"])
async def test_an_invitation_that_was_accepted_has_left_nothing_behind(minato: Minato, kind: str) -> None:
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        email = fresh_address(minato)
        await post(service, "/invite", {"email": email})
        session = (await verify(client, kind, newest(minato, email, "invite").token_hash)).json()
        shown = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        assert [name for name in shown if name.endswith("_sent_at")] == []
    hashed = await minato.db.fetchval("select encrypted_password from auth.users where email = $1", email)
    assert hashed.startswith("$2")


async def test_metadata_name_a_changed_address_only_where_they_named_the_one_before(minato: Minato) -> None:
    async with minato.client() as client:
        for named in (True, False):
            session = await member(minato, client)
            if not named:
                statement = "update auth.users set raw_user_meta_data = '{}' where id = $1::uuid"
                await minato.db.execute(statement, session["user"]["id"])
            old, new = session["user"]["email"], fresh_address(minato)
            await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
            for address in (old, new):
                last = await verify(client, "email_change", newest(minato, address, "email_change").token_hash)
            metadata = last.json()["user"]["user_metadata"]
            assert metadata.get("email") == (new if named else None)
