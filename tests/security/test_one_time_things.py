"""What is good once is good once, however many come with it at the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.auth.factors.totp import totp

from tests.integration.auth.oauth import test_single_sign_on as sso
from tests.integration.auth.oauth.conftest import harbour  # noqa: F401
from tests.integration.auth.oauth.test_oauth_server import approved, authority, redeem, register  # noqa: F401
from tests.integration.auth.oauth.test_single_sign_on import guild  # noqa: F401
from tests.integration.auth.oauth.walk import APP, Harbour
from tests.integration.auth.test_factors import enroll
from tests.integration.auth.test_passkeys import ORIGIN, PASSKEYS, open_account, options, passkeys  # noqa: F401
from tests.integration.auth.test_passkeys import register as register_passkey
from tests.support.accounts import NEW, bearer, fresh_address, member, newest, parse_fragment, post, server
from tests.support.authenticator import Authenticator
from tests.support.postgres import Cluster
from tests.support.server import Minato

AT_ONCE = 8
Request = Callable[[], Awaitable[httpx.Response]]


async def together(request: Request) -> list[httpx.Response]:
    return list(await asyncio.gather(*(request() for _ in range(AT_ONCE))))


def gave_session(answer: httpx.Response) -> bool:
    if answer.status_code in (302, 303):
        return "access_token" in parse_fragment(answer.headers["location"])
    return answer.status_code == 200 and "access_token" in answer.json()


async def sessions_of(minato: Minato, email: str) -> int:
    statement = "select count(*) from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1"
    return int(await minato.db.fetchval(statement, email))


@pytest.mark.parametrize("kind", ["signup", "magiclink", "recovery", "invite"])
@pytest.mark.parametrize("by", ["code", "hash", "link"])
async def test_a_mail_opens_one_session(minato: Minato, kind: str, by: str) -> None:
    email = fresh_address(minato)
    async with minato.client() as client, minato.client(minato.service_role_key) as service:
        if kind in ("magiclink", "recovery"):
            created = {"email": email, "password": "correct horse", "email_confirm": True}
            assert (await post(service, "/admin/users", created)).status_code == 200
        body = {"type": kind, "email": email, "password": "correct horse"}
        link = (await post(service, "/admin/generate_link", body)).json()
        requests: dict[str, Request] = {
            "code": lambda: post(client, "/verify", {"type": kind, "email": email, "token": link["email_otp"]}),
            "hash": lambda: post(client, "/verify", {"type": kind, "token_hash": link["hashed_token"]}),
            "link": lambda: client.get(link["action_link"]),
        }
        answers = await together(requests[by])
        assert [gave_session(answer) for answer in answers].count(True) == 1
        refused = [answer for answer in answers if not gave_session(answer)]
        if by == "link":
            codes = {parse_fragment(answer.headers["location"])["error_code"] for answer in refused}
        else:
            codes = {answer.json()["code"] for answer in refused}
        assert codes == {"otp_expired"}
        assert await sessions_of(minato, email) == 1


async def test_a_code_by_text_message_opens_one_session(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, external_phone_enabled=True) as minato, minato.client() as client:
        await post(client, "/otp", {"phone": "4915100000077"})
        code = minato.backend.sms_outbox.find("4915100000077")[0].message.token
        body = {"type": "sms", "phone": "4915100000077", "token": code}
        answers = await together(lambda: post(client, "/verify", body))
        assert [gave_session(answer) for answer in answers].count(True) == 1
        assert await minato.db.fetchval("select count(*) from auth.sessions") == 1


async def test_both_halves_of_a_change_of_address_count_once(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        old, new = session["user"]["email"], fresh_address(minato)
        await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
        hashes = [newest(minato, address, "email_change").token_hash for address in (old, new)]
        sent = [{"type": "email_change", "token_hash": one} for one in hashes for _ in range(4)]
        answers = await asyncio.gather(*(post(client, "/verify", body) for body in sent))
        assert sorted(answer.status_code for answer in answers) == [200, 200, 403, 403, 403, 403, 403, 403]
        assert [gave_session(answer) for answer in answers].count(True) == 1
        assert (
            await minato.db.fetchval("select email from auth.users where id = $1::uuid", session["user"]["id"]) == new
        )


async def test_a_nonce_sets_one_password(cluster: Cluster, tmp_path: Path) -> None:
    # Eight passwords are hashed thrice each, on whatever machine this is.
    settings: dict[str, Any] = {
        "security_update_password_require_reauthentication": True,
        "api_max_request_duration": 300,
    }
    async with server(cluster, tmp_path, **settings) as minato, minato.client() as client:
        session = await member(minato, client)
        statement = "update auth.sessions set created_at = $1 where id is not null"
        await minato.db.execute(statement, minato.backend.clock.now() - timedelta(days=2))
        await client.get("/auth/v1/reauthenticate", headers=bearer(session))
        nonce = newest(minato, session["user"]["email"], "reauthentication").token
        words = iter(f"new words {number}" for number in range(AT_ONCE))

        async def change() -> httpx.Response:
            body = {"password": next(words), "nonce": nonce, "current_password": "correct horse"}
            return await client.put("/auth/v1/user", json=body, headers={**bearer(session), **NEW})

        answers = await together(change)
        assert [answer.status_code for answer in answers].count(200) == 1
        assert all(answer.status_code < 500 for answer in answers)


async def test_a_code_of_pkce_is_exchanged_once(minato: Minato) -> None:
    async with minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        verifier = "v" * 50
        asked = {"email": email, "code_challenge": verifier, "code_challenge_method": "plain"}
        await post(client, "/otp", asked)
        clicks = await together(lambda: client.get(newest(minato, email).link))
        codes = {httpx.URL(click.headers["location"]).params.get("code") for click in clicks} - {None}
        assert [bool(httpx.URL(click.headers["location"]).params.get("code")) for click in clicks].count(True) == 1
        body = {"auth_code": codes.pop(), "code_verifier": verifier}
        answers = await together(lambda: post(client, "/token?grant_type=pkce", body))
        assert [gave_session(answer) for answer in answers].count(True) == 1


async def test_a_challenge_of_a_second_factor_is_met_once(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        factor: Any = await enroll(client, session)
        asked = await client.post(f"/auth/v1/factors/{factor['id']}/challenge", headers=bearer(session))
        code = totp(factor["totp"]["secret"], minato.backend.clock.timestamp())
        body = {"challenge_id": asked.json()["id"], "code": code}
        path = f"/factors/{factor['id']}/verify"
        answers = await together(lambda: post(client, path, body, **bearer(session)))
        assert [gave_session(answer) for answer in answers].count(True) == 1


async def test_a_code_of_an_authenticator_app_proves_it_once_in_however_many_challenges(minato: Minato) -> None:
    async with minato.client() as client:
        session = await member(minato, client)
        factor: Any = await enroll(client, session)
        path = f"/factors/{factor['id']}"
        asked = [(await post(client, f"{path}/challenge", **bearer(session))).json()["id"] for _ in range(AT_ONCE)]
        code, challenges = totp(factor["totp"]["secret"], minato.backend.clock.timestamp()), iter(asked)

        def answer_it() -> Awaitable[httpx.Response]:
            body = {"challenge_id": next(challenges), "code": code}
            return post(client, f"{path}/verify", body, **bearer(session))

        answers = await together(answer_it)
    assert [gave_session(answer) for answer in answers].count(True) == 1
    assert {answer.json().get("code") for answer in answers} == {None, "mfa_verification_failed"}


async def test_a_code_of_an_application_is_redeemed_once(authority: Minato) -> None:  # noqa: F811
    async with authority.client() as client:
        session = await member(authority, client)
    application = await register(authority)
    code = await approved(authority, session, application, scope="email")
    answers = await together(lambda: redeem(authority, application, code))
    assert [gave_session(answer) for answer in answers].count(True) == 1
    assert all(answer.status_code < 500 for answer in answers)


async def test_a_challenge_of_a_passkey_opens_one_session(passkeys: Minato) -> None:  # noqa: F811
    async with passkeys.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        await register_passkey(client, session, key)
        asked = await options(client, "authentication", {})
        body = {"challenge_id": asked["challenge_id"], "credential": key.get(asked["options"])}
        answers = await together(lambda: client.post(f"{PASSKEYS}/authentication/verify", json=body))
    assert [gave_session(answer) for answer in answers].count(True) == 1
    assert {answer.json().get("code") for answer in answers} == {None, "webauthn_challenge_not_found"}


async def test_a_challenge_of_a_registration_adds_one_passkey(passkeys: Minato) -> None:  # noqa: F811
    async with passkeys.client(**NEW) as client:
        session = await open_account(client)
        asked = await options(client, "registration", bearer(session))
        keys = iter([Authenticator(ORIGIN) for _ in range(AT_ONCE)])

        async def answer_it() -> httpx.Response:
            body = {"challenge_id": asked["challenge_id"], "credential": next(keys).create(asked["options"])}
            return await client.post(f"{PASSKEYS}/registration/verify", json=body, headers=bearer(session))

        answers = await together(answer_it)
        listed = (await client.get(PASSKEYS, headers=bearer(session))).json()
    assert sorted(answer.status_code for answer in answers) == [200, *[400] * 7]
    assert {answer.json().get("code") for answer in answers} == {None, "webauthn_challenge_not_found"}
    assert len(listed) == 1


async def test_an_invitation_is_accepted_once_through_a_provider(harbour: Harbour) -> None:  # noqa: F811
    minato, invited = harbour.minato, harbour.meet()
    async with minato.client(minato.service_role_key) as service:
        await post(service, "/invite", {"email": invited})
    token = str(newest(minato, invited, "invite").token_hash)
    ends = await asyncio.gather(*(harbour.sign_in(invite_token=token) for _ in range(AT_ONCE)))
    assert ["access_token" in end.fragment for end in ends].count(True) == 1
    assert {end.query.get("error_code") for end in ends} == {None, "invite_not_found"}
    assert await sessions_of(minato, invited) == 1


async def test_the_way_back_from_a_provider_is_gone_once(harbour: Harbour) -> None:  # noqa: F811
    email = harbour.meet()
    async with harbour.minato.client() as client, httpx.AsyncClient() as browser:
        left = await client.get("/auth/v1/authorize", params={"provider": "google", "redirect_to": APP})
        back = (await browser.get(left.headers["location"])).headers["location"]
        answers = await together(lambda: browser.get(back))
    assert [gave_session(answer) for answer in answers].count(True) == 1
    assert all(answer.status_code == 302 or answer.status_code == 303 for answer in answers)
    assert await sessions_of(harbour.minato, email) == 1


@pytest.mark.parametrize("is_requested", [True, False])
async def test_an_assertion_of_an_organisation_opens_one_session(guild: Minato, is_requested: bool) -> None:  # noqa: F811
    idp, made = await sso.enter(guild)
    email = fresh_address(guild)
    if is_requested:
        url = (await sso.depart(guild, provider_id=made["id"])).json()["url"]
        form = idp.answer(url, mail=email)
    else:
        response = idp.response(f"{guild.url}{sso.ACS}", f"{guild.url}/auth/v1/sso/saml/metadata", mail=email)
        form = {"SAMLResponse": response, "RelayState": APP}
    answers = await together(lambda: sso.post(guild, form))
    assert [gave_session(answer) for answer in answers].count(True) == 1
    assert {answer.status_code for answer in answers} == {302, 303}
    assert await sessions_of(guild, email) == 1
