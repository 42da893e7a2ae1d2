"""An administrator looks after second factors; the audit log tells the whole story."""

from __future__ import annotations

from uuid import uuid4

import httpx
import pytest

from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import NEW, bearer, sign_in
from tests.support.server import Minato

USERS = "/auth/v1/admin/users"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_only_administrators_see_the_factors_of_others(minato: Minato, method: str) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        factor = await enroll(client, session)
        own = f"{USERS}/{session['user']['id']}/factors"
        path = own if method == "GET" else f"{own}/{factor['id']}"
        refused = await client.request(method, path, json={}, headers=bearer(session))
        assert (refused.status_code, refused.json()["code"]) == (403, "not_admin")
    async with httpx.AsyncClient(base_url=minato.url, headers=NEW) as nobody:
        refused = await nobody.request(method, path, json={})
        assert (refused.status_code, refused.json()["code"]) == (401, "no_authorization")


async def test_a_factor_is_listed_renamed_and_removed(minato: Minato) -> None:
    async with minato.client(**NEW) as client, minato.client(minato.service_role_key, **NEW) as admin:
        session = await sign_in(minato, client)
        path = f"{USERS}/{session['user']['id']}/factors"
        assert (await admin.get(path)).json() == []
        factor = await enroll(client, session)
        strong = (await prove(minato, client, session, factor)).json()
        [listed] = (await admin.get(path)).json()
        known = ["id", "created_at", "updated_at", "status", "friendly_name", "factor_type"]
        assert list(listed) == [*known, "phone", "last_challenged_at"]
        assert (listed["id"], listed["status"], listed["phone"]) == (factor["id"], "verified", "")
        renamed = (await admin.put(f"{path}/{factor['id']}", json={"friendly_name": "new", "phone": "1"})).json()
        assert (renamed["friendly_name"], renamed["phone"]) == ("new", "")
        removed = await admin.delete(f"{path}/{factor['id']}")
        assert (removed.status_code, removed.json()["id"]) == (200, factor["id"])
        weak = await client.post(
            "/auth/v1/token?grant_type=refresh_token", json={"refresh_token": strong["refresh_token"]}
        )
        assert minato.backend.keys.verify(weak.json()["access_token"])["aal"] == "aal1"
        assert (await admin.get(path)).json() == []


async def test_an_unknown_factor_of_a_known_account_is_not_found(minato: Minato) -> None:
    async with minato.client(**NEW) as client, minato.client(minato.service_role_key, **NEW) as admin:
        session = await sign_in(minato, client)
        path = f"{USERS}/{session['user']['id']}/factors"
        unknown = await admin.delete(f"{path}/{uuid4()}")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "mfa_factor_not_found")
        odd = await admin.delete(f"{path}/x")
        assert (odd.status_code, odd.json()["message"]) == (404, "factor_id must be an UUID")
        stranger = await admin.get(f"{USERS}/{uuid4()}/factors")
        assert (stranger.status_code, stranger.json()["code"]) == (404, "user_not_found")


async def test_the_audit_log_tells_the_life_of_a_factor(minato: Minato) -> None:
    async with minato.client(**NEW) as client, minato.client(minato.service_role_key, **NEW) as admin:
        session = await sign_in(minato, client)
        factor = await enroll(client, session)
        strong = (await prove(minato, client, session, factor)).json()
        await client.delete(f"/auth/v1/factors/{factor['id']}", headers=bearer(strong))
        log = await admin.get("/auth/v1/admin/audit", params={"query": f"author:{session['user']['email']}"})
        payloads = [entry["payload"] for entry in reversed(log.json())]
        found = [(payload["action"], payload["log_type"]) for payload in payloads if payload["log_type"] == "factor"]
        actions = ["factor_in_progress", "challenge_created", "verification_attempted", "factor_unenrolled"]
        assert found == [(action, "factor") for action in actions]
        assert all(payload["actor_id"] == session["user"]["id"] for payload in payloads)
        assert all(entry["ip_address"] == "127.0.0.1" for entry in log.json())
