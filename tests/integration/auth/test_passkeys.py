"""Passkeys: registered, used alone to sign in, renamed, removed; forged, copied and late answers are refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from minato.config.auth import AuthSettings

from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import NEW, PASSWORD, bearer
from tests.support import server
from tests.support.authenticator import Authenticator
from tests.support.postgres import Cluster
from tests.support.server import Minato

ORIGIN = "https://cars.example"
PASSKEYS = "/auth/v1/passkeys"
SETTINGS = AuthSettings(
    site_url=ORIGIN,
    mailer_autoconfirm=True,
    external_anonymous_users_enabled=True,
    passkey_enabled=True,
    passkey_max_passkeys_per_user=2,
)


@pytest.fixture(scope="module")
async def passkeys(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    settings = server.settings_for(tmp_path_factory.mktemp("passkeys"), auth=SETTINGS)
    async with cluster.fresh_database() as address, server.running(address, settings) as minato:
        yield minato


async def open_account(client: httpx.AsyncClient, **data: str) -> dict[str, Any]:
    body = {"email": f"{uuid4().hex}@example.com", "password": PASSWORD, "data": data}
    session: dict[str, Any] = (await client.post("/auth/v1/signup", json=body)).json()
    return session


async def options(client: httpx.AsyncClient, ceremony: str, headers: dict[str, str]) -> dict[str, Any]:
    answer = await client.post(f"{PASSKEYS}/{ceremony}/options", json={}, headers=headers)
    assert answer.status_code == 200, answer.text
    asked: dict[str, Any] = answer.json()
    return asked


async def register(client: httpx.AsyncClient, session: dict[str, Any], key: Authenticator) -> httpx.Response:
    asked = await options(client, "registration", bearer(session))
    body = {"challenge_id": asked["challenge_id"], "credential": key.create(asked["options"])}
    return await client.post(f"{PASSKEYS}/registration/verify", json=body, headers=bearer(session))


async def sign_in_with(client: httpx.AsyncClient, key: Authenticator) -> httpx.Response:
    asked = await options(client, "authentication", {})
    body = {"challenge_id": asked["challenge_id"], "credential": key.get(asked["options"])}
    return await client.post(f"{PASSKEYS}/authentication/verify", json=body)


async def test_a_passkey_signs_its_owner_in(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        created = (await register(client, session, key)).json()
        assert list(created) == ["id", "friendly_name", "created_at"]
        assert created["friendly_name"] == "Passkey"
        opened = await sign_in_with(client, key)
        assert opened.status_code == 200, opened.text
        assert opened.json()["user"]["id"] == session["user"]["id"]
        claims = passkeys.backend.keys.verify(opened.json()["access_token"])
        assert (claims["aal"], [entry["method"] for entry in claims["amr"]]) == ("aal1", ["passkey"])
        [listed] = (await client.get(PASSKEYS, headers=bearer(session))).json()
        assert list(listed) == ["id", "friendly_name", "created_at", "last_used_at"]
        log = await passkeys.db.fetch(
            "select payload->>'action' as a, payload->'traits' as t from auth.audit_log_entries"
        )
        assert ("passkey_created", f'{{"passkey_id": "{created["id"]}"}}') in [(row["a"], row["t"]) for row in log]


async def test_the_options_are_worded_as_the_reference_does(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session = await open_account(client, name="Anna")
        asked = await options(client, "registration", bearer(session))
        shown = asked["options"]
        assert list(asked) == ["challenge_id", "options", "expires_at"]
        assert shown["rp"] == {"name": "Minato", "id": "cars.example"}
        assert (shown["user"]["name"], shown["user"]["displayName"]) == (session["user"]["email"], "Anna")
        selection = {"requireResidentKey": True, "residentKey": "required", "userVerification": "preferred"}
        assert (shown["authenticatorSelection"], shown["attestation"]) == (selection, "none")
        assert "excludeCredentials" not in shown
        key = Authenticator(ORIGIN, aaguid=bytes.fromhex("d548826e79b4db40a3d811116f7e8349"))
        assert (await register(client, session, key)).json()["friendly_name"] == "Bitwarden"
        again = (await options(client, "registration", bearer(session)))["options"]
        assert [known["type"] for known in again["excludeCredentials"]] == ["public-key"]
        login = (await options(client, "authentication", {}))["options"]
        assert list(login) == ["challenge", "timeout", "rpId", "userVerification"]


async def test_a_challenge_is_answered_once_and_in_time(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session, key = await open_account(client), Authenticator(ORIGIN)
        await register(client, session, key)
        asked = await options(client, "authentication", {})
        body = {"challenge_id": asked["challenge_id"], "credential": {"id": "garbage"}}
        path = f"{PASSKEYS}/authentication/verify"
        garbage = await client.post(path, json=body)
        assert (garbage.status_code, garbage.json()["message"]) == (400, "Invalid credential response")
        body["credential"] = key.get(asked["options"])
        again = await client.post(path, json=body)
        assert (again.status_code, again.json()["code"]) == (400, "webauthn_challenge_not_found")
        asked = await options(client, "authentication", {})
        passkeys.backend.clock.advance(timedelta(seconds=301))
        body = {"challenge_id": asked["challenge_id"], "credential": key.get(asked["options"])}
        late = await client.post(path, json=body)
        assert (late.status_code, late.json()["code"]) == (400, "webauthn_challenge_expired")


@pytest.mark.parametrize("fault", ["origin", "key", "owner", "copied", "unregistered", "absent", "handle"])
async def test_a_forged_assertion_is_refused(passkeys: Minato, fault: str) -> None:
    async with passkeys.client(**NEW) as client:
        key, other = Authenticator(ORIGIN), Authenticator(ORIGIN)
        session = await open_account(client)
        await register(client, session, key)
        assert (await sign_in_with(client, key)).status_code == 200
        match fault:
            case "origin":
                key.origin = "https://evil.example"
            case "key":
                key.key = other.key
            case "owner":
                key.user_handle = (await open_account(client))["user"]["id"].encode()
            case "copied":
                key.sign_count -= 1
            case "unregistered":
                key.credential_id = other.credential_id
            case "absent":
                key.flags = 0
            case "handle":
                key.user_handle = b"\xff not an id"
        refused = await sign_in_with(client, key)
        shown = {"code": "webauthn_verification_failed", "message": "Credential verification failed"}
        assert (refused.status_code, refused.json()) == (400, shown)


async def test_a_key_is_registered_once_and_not_by_a_stranger(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session, stranger, key = await open_account(client), await open_account(client), Authenticator(ORIGIN)
        assert (await register(client, session, key)).status_code == 200
        twice = await register(client, stranger, key)
        assert (twice.status_code, twice.json()["code"]) == (422, "webauthn_credential_exists")
        asked = await options(client, "registration", bearer(session))
        body = {"challenge_id": asked["challenge_id"], "credential": Authenticator(ORIGIN).create(asked["options"])}
        stolen = await client.post(f"{PASSKEYS}/registration/verify", json=body, headers=bearer(stranger))
        assert stolen.json()["code"] == "webauthn_challenge_not_found"
        foreign = await register(client, session, Authenticator("https://evil.example"))
        assert (foreign.status_code, foreign.json()["code"]) == (400, "webauthn_verification_failed")


async def test_an_account_has_so_many_passkeys_and_no_more(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session = await open_account(client)
        late = await options(client, "registration", bearer(session))
        for _ in range(2):
            assert (await register(client, session, Authenticator(ORIGIN))).status_code == 200
        refused = await client.post(f"{PASSKEYS}/registration/options", json={}, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (422, "too_many_passkeys")
        body = {"challenge_id": late["challenge_id"], "credential": Authenticator(ORIGIN).create(late["options"])}
        refused = await client.post(f"{PASSKEYS}/registration/verify", json=body, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (422, "too_many_passkeys")


async def test_passkeys_are_renamed_and_removed_by_their_owner_only(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session, stranger, key = await open_account(client), await open_account(client), Authenticator(ORIGIN)
        path = f"{PASSKEYS}/{(await register(client, session, key)).json()['id']}"
        renamed = await client.patch(path, json={"friendly_name": "blue key"}, headers=bearer(session))
        assert (renamed.status_code, renamed.json()["friendly_name"]) == (200, "blue key")
        for name, message in (("", "friendly_name is required"), ("x" * 121, "must be 120 characters or less")):
            refused = await client.patch(path, json={"friendly_name": name}, headers=bearer(session))
            assert (refused.status_code, refused.json()["code"]) == (400, "validation_failed")
            assert message in refused.json()["message"]
        for method in ("PATCH", "DELETE"):
            answer = await client.request(method, path, json={"friendly_name": "mine"}, headers=bearer(stranger))
            assert (answer.status_code, answer.json()["message"]) == (404, "Passkey not found")
        assert (await client.get(PASSKEYS, headers=bearer(stranger))).json() == []
        assert (await client.delete(path, headers=bearer(session))).status_code == 204
        assert (await sign_in_with(client, key)).json()["code"] == "webauthn_verification_failed"


async def test_an_administrator_lists_and_removes_passkeys(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client, passkeys.client(passkeys.service_role_key, **NEW) as admin:
        session = await open_account(client)
        passkey = (await register(client, session, Authenticator(ORIGIN))).json()
        path = f"/auth/v1/admin/users/{session['user']['id']}/passkeys"
        assert [item["id"] for item in (await admin.get(path)).json()] == [passkey["id"]]
        for method, where in (("GET", path), ("DELETE", f"{path}/{passkey['id']}")):
            refused = await client.request(method, where, headers=bearer(session))
            assert (refused.status_code, refused.json()["code"]) == (403, "not_admin")
        assert (await admin.delete(f"{path}/{passkey['id']}")).status_code == 204
        assert (await admin.delete(f"{path}/{passkey['id']}")).status_code == 404
        assert (await admin.delete(f"{path}/x")).json()["message"] == "Passkey not found"


async def test_whoever_has_a_second_factor_proves_it_before_touching_passkeys(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        session = await open_account(client)
        passkey = (await register(client, session, Authenticator(ORIGIN))).json()
        strong = (await prove(passkeys, client, session, await enroll(client, session))).json()
        credentials = {"email": session["user"]["email"], "password": PASSWORD}
        weak = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        for method, where in (("POST", f"{PASSKEYS}/registration/options"), ("DELETE", f"{PASSKEYS}/{passkey['id']}")):
            refused = await client.request(method, where, json={}, headers=bearer(weak))
            assert (refused.status_code, refused.json()["code"]) == (403, "insufficient_aal")
        assert (await register(client, strong, Authenticator(ORIGIN))).status_code == 200


async def test_banned_and_unconfirmed_accounts_do_not_get_in_with_a_passkey(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client, passkeys.client(passkeys.service_role_key, **NEW) as admin:
        session, key = await open_account(client), Authenticator(ORIGIN)
        await register(client, session, key)
        user = session["user"]["id"]
        await admin.put(f"/auth/v1/admin/users/{user}", json={"ban_duration": "1h"})
        banned = await sign_in_with(client, key)
        assert (banned.status_code, banned.json()["code"]) == (403, "user_banned")
        await passkeys.db.execute(
            "update auth.users set banned_until = null, email_confirmed_at = null where id = $1", user
        )
        unconfirmed = await sign_in_with(client, key)
        assert (unconfirmed.status_code, unconfirmed.json()["code"]) == (403, "email_not_confirmed")


async def test_anonymous_users_register_no_passkeys(passkeys: Minato) -> None:
    async with passkeys.client(**NEW) as client:
        nobody = (await client.post("/auth/v1/signup", json={})).json()
        refused = await client.post(f"{PASSKEYS}/registration/options", json={}, headers=bearer(nobody))
        assert (refused.status_code, refused.json()["code"]) == (403, "no_authorization")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "challenge_id is required"),
        ({"challenge_id": "x"}, "credential is required"),
        ({"challenge_id": "x", "credential": {}}, "challenge_id must be a valid UUID"),
        ({"challenge_id": str(uuid4()), "credential": 1}, "Challenge not found or already used"),
    ],
)
async def test_an_incomplete_answer_is_refused(passkeys: Minato, body: dict[str, Any], message: str) -> None:
    async with passkeys.client(**NEW) as client:
        refused = await client.post(f"{PASSKEYS}/authentication/verify", json=body)
        assert (refused.status_code, refused.json()["message"]) == (400, message)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("PATCH", "/x"),
        ("DELETE", "/x"),
        ("POST", "/registration/options"),
        ("POST", "/registration/verify"),
        ("POST", "/authentication/options"),
        ("POST", "/authentication/verify"),
    ],
)
async def test_passkeys_that_are_off_do_not_exist_for_anybody(minato: Minato, method: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=minato.url, headers=NEW) as nobody:
        refused = await nobody.request(method, PASSKEYS + path, json={})
        assert (refused.status_code, refused.json()["code"]) == (404, "passkey_disabled")
