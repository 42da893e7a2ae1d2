"""Passkeys and security keys attacked: answers for other sites, challenges and people, and keys of one's own."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from minato.config.auth import AuthSettings

from tests.integration.auth.test_factors import FACTORS
from tests.integration.auth.test_journey import NEW, PASSWORD, bearer
from tests.integration.auth.test_passkeys import ORIGIN, PASSKEYS, open_account, options, register, sign_in_with
from tests.integration.auth.test_security_keys import ask, enroll_key, prove_key, verify
from tests.support import server
from tests.support.authenticator import BACKUP_ELIGIBLE, PRESENT, VERIFIED, Authenticator, decoded, encoded
from tests.support.postgres import Cluster
from tests.support.server import Minato

SETTINGS = AuthSettings(
    site_url=ORIGIN,
    mailer_autoconfirm=True,
    passkey_enabled=True,
    mfa_web_authn_enroll_enabled=True,
    mfa_web_authn_verify_enabled=True,
)
REFUSED = (400, "webauthn_verification_failed")


@pytest.fixture(scope="module")
async def site(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    settings = server.settings_for(tmp_path_factory.mktemp("site"), auth=SETTINGS)
    async with cluster.fresh_database() as address, server.running(address, settings) as minato:
        yield minato


async def submit(client: Any, asked: dict[str, Any], credential: Any) -> tuple[int, str]:
    body = {"challenge_id": asked["challenge_id"], "credential": credential}
    answer = await client.post(f"{PASSKEYS}/authentication/verify", json=body)
    return answer.status_code, str(answer.json().get("code", ""))


FOREIGN_ORIGINS = (
    "https://evil.example",
    "https://cars.example.evil.example",
    "https://evilcars.example",
    "https://sub.cars.example",
    "https://cars.example:8443",
    "http://cars.example",
    "https://cars.example/",
    "HTTPS://CARS.EXAMPLE",
    "null",
    "",
)


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
async def test_a_page_of_another_origin_signs_nobody_in(site: Minato, origin: str) -> None:
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        key.origin = origin
        refused = await sign_in_with(client, key)
        assert (refused.status_code, refused.json()["code"]) == REFUSED


async def test_an_answer_for_another_site_signs_nobody_in(site: Minato) -> None:
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        asked = await options(client, "authentication", {})
        asked["options"]["rpId"] = "evil.example"
        assert await submit(client, asked, key.get(asked["options"])) == REFUSED


async def test_an_answer_to_one_challenge_is_none_to_another(site: Minato) -> None:
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        first, second = await options(client, "authentication", {}), await options(client, "authentication", {})
        answer = key.get(first["options"])
        assert await submit(client, second, answer) == REFUSED
        assert (await submit(client, first, answer))[0] == 200
        assert await submit(client, first, answer) == (400, "webauthn_challenge_not_found")


async def test_a_challenge_of_one_ceremony_serves_no_other(site: Minato) -> None:
    async with site.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        await register(client, session, key)
        asked = await options(client, "registration", bearer(session))
        credential = key.get({"rpId": "cars.example", "challenge": asked["options"]["challenge"]})
        assert await submit(client, asked, credential) == (400, "webauthn_challenge_not_found")
        asked = await options(client, "authentication", {})
        made = Authenticator(ORIGIN).create(
            {"user": {"id": encoded(session["user"]["id"].encode())}, "rp": {"id": "cars.example"}, **asked["options"]}
        )
        body = {"challenge_id": asked["challenge_id"], "credential": made}
        refused = await client.post(f"{PASSKEYS}/registration/verify", json=body, headers=bearer(session))
        assert refused.json()["code"] == "webauthn_challenge_not_found"


async def test_what_was_said_to_make_a_key_does_not_use_it(site: Minato) -> None:
    """Client data of `webauthn.create` under a signature of the right key."""
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        asked = await options(client, "authentication", {})
        credential = key.get(asked["options"])
        response = credential["response"]
        data = json.dumps({"type": "webauthn.create", "challenge": asked["options"]["challenge"], "origin": ORIGIN})
        signed = decoded(response["authenticatorData"]) + hashlib.sha256(data.encode()).digest()
        response["clientDataJSON"] = encoded(data.encode())
        response["signature"] = encoded(key.key.sign(signed, ec.ECDSA(hashes.SHA256())))
        assert await submit(client, asked, credential) == REFUSED


async def test_nobodys_key_signs_in_as_somebody_else(site: Minato) -> None:
    """The attacker's own key with the victim's handle, and with the victim's credential id."""
    async with site.client(**NEW) as client:
        victim, theirs, own = await open_account(client), Authenticator(ORIGIN), Authenticator(ORIGIN)
        await register(client, victim, theirs)
        await register(client, await open_account(client), own)
        own.user_handle = victim["user"]["id"].encode()
        assert (await sign_in_with(client, own)).json()["code"] == REFUSED[1]
        own.credential_id = theirs.credential_id
        assert (await sign_in_with(client, own)).json()["code"] == REFUSED[1]
        theirs.user_handle = b""
        assert (await sign_in_with(client, theirs)).json()["code"] == REFUSED[1]


async def test_the_names_of_the_credential_in_an_answer_agree(site: Minato) -> None:
    """`id` says whose key it is to the database, `rawId` to the verifier: they are one."""
    async with site.client(**NEW) as client:
        victim, own = Authenticator(ORIGIN), Authenticator(ORIGIN)
        await register(client, await open_account(client), victim)
        await register(client, await open_account(client), own)
        asked = await options(client, "authentication", {})
        credential = {**own.get(asked["options"]), "id": encoded(victim.credential_id)}
        credential["response"]["userHandle"] = encoded(victim.user_handle)
        assert (await submit(client, asked, credential))[0] == 400


@pytest.mark.parametrize("count", [0, 1])
async def test_a_copied_key_whose_counter_began_anew_is_refused(site: Minato, count: int) -> None:
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        for _ in range(2):
            assert (await sign_in_with(client, key)).status_code == 200
        key.counts, key.sign_count = False, count
        assert (await sign_in_with(client, key)).json()["code"] == REFUSED[1]


async def test_a_key_that_could_not_be_copied_when_made_cannot_be_later(site: Minato) -> None:
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        key.flags |= BACKUP_ELIGIBLE
        assert (await sign_in_with(client, key)).json()["code"] == REFUSED[1]


@pytest.mark.parametrize(("flags", "status"), [(PRESENT | VERIFIED, 200), (PRESENT, 200), (VERIFIED, 400), (0, 400)])
async def test_somebody_must_be_present_and_need_not_be_verified(site: Minato, flags: int, status: int) -> None:
    """Verification is preferred, as the options say; a passkey alone gives aal1, whatever the flag."""
    async with site.client(**NEW) as client:
        key = Authenticator(ORIGIN)
        await register(client, await open_account(client), key)
        key.flags = flags
        opened = await sign_in_with(client, key)
        assert opened.status_code == status
        if status == 200:
            assert site.backend.keys.verify(opened.json()["access_token"])["aal"] == "aal1"


async def test_a_removed_passkey_and_one_of_a_deleted_account_sign_nobody_in(site: Minato) -> None:
    async with site.client(**NEW) as client, site.client(site.service_role_key, **NEW) as admin:
        session, key = await open_account(client), Authenticator(ORIGIN)
        await register(client, session, key)
        await admin.request("DELETE", f"/auth/v1/admin/users/{session['user']['id']}", json={})
        assert (await sign_in_with(client, key)).json()["code"] == REFUSED[1]
        session, key = await open_account(client), Authenticator(ORIGIN)
        await register(client, session, key)
        path = f"/auth/v1/admin/users/{session['user']['id']}"
        await admin.request("DELETE", path, json={"should_soft_delete": True})
        assert (await sign_in_with(client, key)).json()["code"] == REFUSED[1]


async def strong_account(client: Any) -> tuple[dict[str, Any], str, Authenticator, dict[str, Any]]:
    """An account with a proven security key, and a session of somebody who only knows its password."""
    session, key = await open_account(client), Authenticator(ORIGIN)
    factor = await enroll_key(client, session)
    assert (await prove_key(client, session, factor, key)).status_code == 200
    credentials = {"email": session["user"]["email"], "password": PASSWORD}
    weak = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
    return session, factor, key, weak


async def test_a_new_key_does_not_prove_a_factor_that_has_one(site: Minato) -> None:
    """Who knows the password answers `create` where `request` was asked, with a key made for the purpose."""
    async with site.client(**NEW) as client:
        session, factor, key, weak = await strong_account(client)
        asked = await ask(client, weak, factor)
        challenge = asked["webauthn"]["credential_options"]["publicKey"]["challenge"]
        person = {"id": encoded(session["user"]["id"].encode())}
        own = Authenticator(ORIGIN).create({"user": person, "rp": {"id": "cars.example"}, "challenge": challenge})
        refused = await verify(client, weak, factor, asked, {"type": "create", "credential_response": own})
        assert (refused.status_code, refused.json()["message"]) == (400, "WebAuthn type must be request")
        assert "access_token" not in refused.json()
        assert (await prove_key(client, weak, factor, key)).status_code == 200


async def test_a_challenge_of_one_factor_proves_no_other(site: Minato) -> None:
    async with site.client(**NEW) as client:
        _, factor, _, weak = await strong_account(client)
        other, theirs, key, _ = await strong_account(client)
        asked = await ask(client, other, theirs)
        response = key.get(asked["webauthn"]["credential_options"]["publicKey"])
        given = {"type": "request", "credential_response": response}
        refused = await verify(client, weak, factor, asked, given)
        assert (refused.status_code, refused.json()["code"]) == (422, "mfa_factor_not_found")
        refused = await client.post(
            f"{FACTORS}/{theirs}/verify", json={"challenge_id": asked["id"], "webauthn": given}, headers=bearer(weak)
        )
        assert (refused.status_code, refused.json()["code"]) == (404, "mfa_factor_not_found")


async def test_an_answer_of_a_key_proves_a_factor_once(site: Minato) -> None:
    async with site.client(**NEW) as client:
        _, factor, key, weak = await strong_account(client)
        asked = await ask(client, weak, factor)
        response = key.get(asked["webauthn"]["credential_options"]["publicKey"])
        given = {"type": "request", "credential_response": response}
        assert (await verify(client, weak, factor, asked, given)).status_code == 200
        again = await verify(client, weak, factor, asked, given)
        assert again.status_code >= 400
        assert "access_token" not in again.json()


BROKEN = {
    "no CBOR": b"\xff\xff",
    "nothing": b"",
    "no map": b"\x01",
    "an empty map": b"\xa0",
    "a short authData": base64.b64decode("o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUEA"),
    "deep": b"\x81" * 5000,
}


@pytest.mark.parametrize("broken", BROKEN)
async def test_a_broken_attestation_is_the_callers_fault(site: Minato, broken: str) -> None:
    async with site.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        factor = await enroll_key(client, session)
        asked = await ask(client, session, factor)
        response = key.create(asked["webauthn"]["credential_options"]["publicKey"])
        response["response"]["attestationObject"] = encoded(BROKEN[broken])
        refused = await verify(client, session, factor, asked, {"type": "create", "credential_response": response})
        assert (refused.status_code, refused.json()["message"]) == (400, "Invalid credential_response")
        asked = await options(client, "registration", bearer(session))
        response = key.create(asked["options"])
        response["response"]["attestationObject"] = encoded(BROKEN[broken])
        body = {"challenge_id": asked["challenge_id"], "credential": response}
        refused = await client.post(f"{PASSKEYS}/registration/verify", json=body, headers=bearer(session))
        assert (refused.status_code, refused.json()["message"]) == (400, "Invalid credential response")


@pytest.mark.parametrize("member", ["clientDataJSON", "authenticatorData"])
async def test_a_broken_assertion_is_the_callers_fault(site: Minato, member: str) -> None:
    async with site.client(**NEW) as client:
        _, factor, key, weak = await strong_account(client)
        asked = await ask(client, weak, factor)
        response = key.get(asked["webauthn"]["credential_options"]["publicKey"])
        response["response"][member] = encoded(b"\xff")
        refused = await verify(client, weak, factor, asked, {"type": "request", "credential_response": response})
        assert (refused.status_code, refused.json()["message"]) == (400, "Invalid credential_response")
