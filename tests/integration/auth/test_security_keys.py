"""A security key as second factor: enrolled, proven, demanded again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from minato.config.auth import AuthSettings

from tests.integration.auth.test_factors import FACTORS
from tests.integration.auth.test_journey import NEW, bearer
from tests.integration.auth.test_passkeys import ORIGIN, open_account
from tests.support import server
from tests.support.authenticator import Authenticator
from tests.support.postgres import Cluster
from tests.support.server import Minato

KEYS = AuthSettings(
    site_url=ORIGIN,
    mailer_autoconfirm=True,
    webauthn_rp_display_name="Cars",
    mfa_web_authn_enroll_enabled=True,
    mfa_web_authn_verify_enabled=True,
)


@pytest.fixture(scope="module")
async def keys(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    settings = server.settings_for(tmp_path_factory.mktemp("keys"), auth=KEYS)
    async with cluster.fresh_database() as address, server.running(address, settings) as minato:
        yield minato


async def enroll_key(client: httpx.AsyncClient, session: dict[str, Any], name: str = "key") -> str:
    body = {"factor_type": "webauthn", "friendly_name": name}
    answer = await client.post(FACTORS, json=body, headers=bearer(session))
    assert list(answer.json()) == ["id", "type", "friendly_name"], answer.text
    return str(answer.json()["id"])


async def ask(client: httpx.AsyncClient, session: dict[str, Any], factor: str) -> dict[str, Any]:
    answer = await client.post(f"{FACTORS}/{factor}/challenge", json={}, headers=bearer(session))
    assert answer.status_code == 200, answer.text
    asked: dict[str, Any] = answer.json()
    return asked


async def verify(
    client: httpx.AsyncClient, session: dict[str, Any], factor: str, asked: dict[str, Any], given: Any
) -> httpx.Response:
    body = {"challenge_id": asked["id"], "webauthn": given}
    return await client.post(f"{FACTORS}/{factor}/verify", json=body, headers=bearer(session))


async def prove_key(
    client: httpx.AsyncClient, session: dict[str, Any], factor: str, key: Authenticator
) -> httpx.Response:
    asked = await ask(client, session, factor)
    kind, options = asked["webauthn"]["type"], asked["webauthn"]["credential_options"]["publicKey"]
    response = key.create(options) if kind == "create" else key.get(options)
    return await verify(client, session, factor, asked, {"type": kind, "credential_response": response})


async def test_a_security_key_lifts_the_session_when_made_and_when_used(keys: Minato) -> None:
    async with keys.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        factor = await enroll_key(client, session)
        asked = await ask(client, session, factor)
        assert (asked["type"], list(asked)) == ("webauthn", ["id", "type", "expires_at", "webauthn"])
        shown = asked["webauthn"]["credential_options"]["publicKey"]
        assert shown["rp"] == {"name": "Cars", "id": "cars.example"}
        assert shown["authenticatorSelection"] == {"requireResidentKey": False, "userVerification": "preferred"}
        for _ in range(2):
            opened = await prove_key(client, session, factor, key)
            assert opened.status_code == 200, opened.text
            session = opened.json()
            claims = keys.backend.keys.verify(session["access_token"])
            assert (claims["aal"], claims["amr"][0]["method"] in {"mfa/webauthn", "password"}) == ("aal2", True)
        [stored] = session["user"]["factors"]
        assert (stored["status"], stored["web_authn_aaguid"]) == ("verified", "00000000-0000-0000-0000-000000000000")
        assert stored["last_webauthn_challenge_data"]["type"] == "request"
        request = (await ask(client, session, factor))["webauthn"]["credential_options"]["publicKey"]
        assert [known["transports"] for known in request["allowCredentials"]] == [["usb"]]


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        (None, 400, "WebAuthn config required"),
        ({"type": "x"}, 400, "WebAuthn type must be create or request"),
        ({"type": "create"}, 400, "credential_response required"),
        ({"type": "create", "credential_response": {}}, 400, "Invalid credential_response"),
        ({"type": "request", "credential_response": "x"}, 422, "Failed to validate WebAuthn MFA response"),
    ],
)
async def test_an_incomplete_answer_of_a_key_is_refused(
    keys: Minato, given: dict[str, Any] | None, status: int, message: str
) -> None:
    async with keys.client(**NEW) as client:
        session = await open_account(client)
        factor = await enroll_key(client, session)
        refused = await verify(client, session, factor, await ask(client, session, factor), given)
        assert (refused.status_code, refused.json()["message"]) == (status, message)


async def test_another_key_does_not_prove_the_factor(keys: Minato) -> None:
    async with keys.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        factor = await enroll_key(client, session)
        strong = (await prove_key(client, session, factor, key)).json()
        refused = await prove_key(client, strong, factor, Authenticator(ORIGIN))
        assert (refused.status_code, refused.json()["message"]) == (422, "Failed to validate WebAuthn MFA response")
        other = await enroll_key(client, strong, "other")
        shown = (await ask(client, strong, other))["webauthn"]["credential_options"]["publicKey"]
        assert [known["transports"] for known in shown["excludeCredentials"]] == [["usb", "nfc"]]
        assert (await prove_key(client, strong, factor, key)).status_code == 200


async def test_security_keys_that_are_off_are_neither_enrolled_nor_proven(keys: Minato) -> None:
    async with keys.client(**NEW) as client:
        session = await open_account(client)
        factor = await enroll_key(client, session)
    off = server.settings_for(keys.backend.settings.server.data_dir, auth=AuthSettings(site_url=ORIGIN))
    async with server.running(keys.backend.database.address, off) as strict, strict.client(**NEW) as client:
        refused = await client.post(FACTORS, json={"factor_type": "webauthn"}, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (422, "mfa_webauthn_enroll_not_enabled")
        refused = await client.post(f"{FACTORS}/{factor}/challenge", json={}, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (422, "mfa_webauthn_verify_not_enabled")
        refused = await client.post(f"{FACTORS}/{factor}/verify", json={}, headers=bearer(session))
        # The reference's slip: it names enrolling.
        assert (refused.status_code, refused.json()["code"]) == (422, "mfa_webauthn_enroll_not_enabled")
