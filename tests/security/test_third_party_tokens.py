"""Whoever chooses claims at another issuer gains no more here than its users have: no role, room or name of ours."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.clock import Clock
from minato.config.auth import AuthSettings
from minato.config.rest import RestSettings
from minato.tokens.keys import KeySet, secret_key

from tests.integration.realtime.phoenix import phoenix
from tests.integration.third_party.conftest import Abroad, going_abroad, settings_of
from tests.support.oidc_provider import serving_provider
from tests.support.postgres import Cluster
from tests.support.server import JWT_SECRET, running, settings_for

ROLES = (
    "service_role",
    "postgres",
    "supabase_admin",
    "supabase_storage_admin",
    "authenticator",
    "none",
    "SERVICE_ROLE",
)
NOBODY = "/rest/v1/rpc/nothing"
OWN_SUBJECT = "7f2a8b7e-9c1d-4a53-8a63-0d9f4d1e2c3b"


@pytest.fixture(scope="module")
async def abroad(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Abroad]:
    async with going_abroad(cluster, tmp_path_factory.mktemp("abroad")) as found:
        yield found


async def statuses(abroad: Abroad, token: str) -> dict[str, int]:
    """How each room of data answers the token; storage says its status in the body."""
    async with abroad.client(token) as client:
        rest = await client.get(NOBODY)
        storage = await client.get("/storage/v1/bucket")
        message = {"topic": "a", "event": "b", "payload": {}}
        realtime = await client.post("/realtime/v1/api/broadcast", json={"messages": [message]})
    return {
        "rest": rest.status_code,
        "storage": int(storage.json()["statusCode"]) if isinstance(storage.json(), dict) else storage.status_code,
        "realtime": realtime.status_code,
    }


async def joins(abroad: Abroad, token: str) -> Any:
    async with phoenix(abroad.minato) as client:
        return (await client.join("open", access_token=token)).payload


TAKEN = {"rest": 404, "storage": 200, "realtime": 202}
REFUSED = {"rest": 401, "storage": 403, "realtime": 401}


async def test_the_rooms_of_data_take_a_users_token(abroad: Abroad) -> None:
    assert await statuses(abroad, abroad.token()) == TAKEN
    assert (await joins(abroad, abroad.token()))["status"] == "ok"


@pytest.mark.parametrize("role", ROLES)
async def test_no_room_takes_a_role_that_policies_do_not_bind(abroad: Abroad, role: str) -> None:
    token = abroad.token(role=role)
    assert await statuses(abroad, token) == REFUSED
    refused = await joins(abroad, token)
    assert refused["status"] == "error"
    assert "MINATO_THIRD_PARTY_ROLES" in refused["response"]["reason"]


async def test_the_refusal_of_a_role_says_which_setting_decides(abroad: Abroad) -> None:
    async with abroad.client(abroad.token(role="service_role")) as client:
        rest, storage = await client.get(NOBODY), await client.get("/storage/v1/bucket")
    assert rest.json()["message"] == "A token of another issuer may not have this role: MINATO_THIRD_PARTY_ROLES"
    assert rest.headers["www-authenticate"].startswith("Bearer")
    assert "MINATO_THIRD_PARTY_ROLES" in storage.json()["message"]


async def test_a_role_that_another_claim_names_is_refused_as_well(cluster: Cluster, tmp_path: Path) -> None:
    async with serving_provider(Clock()) as provider, cluster.fresh_database() as address:
        rest = RestSettings.of({"PGRST_JWT_ROLE_CLAIM_KEY": ".app.role"})
        settings = settings_for(tmp_path, server=settings_of(tmp_path, provider.url), rest=rest)
        async with running(address, settings) as minato:
            provider.clock = minato.backend.clock
            abroad = Abroad(minato, provider)
            await abroad.know()
            for role, status in (("authenticated", 404), ("service_role", 401), (["service_role"], 401), (None, 401)):
                async with abroad.client(abroad.token(role=None, app={"role": role})) as client:
                    assert (await client.get(NOBODY)).status_code == status, role


async def test_the_references_way_lets_them_name_any_role_but_opens_nothing_that_is_for_our_own_keys(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with going_abroad(cluster, tmp_path, third_party_roles="*") as abroad:
        token = abroad.token(role="service_role")
        assert await statuses(abroad, token) == TAKEN
        async with abroad.client(token) as client:
            assert (await client.get("/auth/v1/admin/users")).status_code == 403
            assert (await client.get("/functions/v1/_internal/metric")).status_code != 200


AUTH = [
    ("GET", "/user"),
    ("PUT", "/user"),
    ("POST", "/logout"),
    ("GET", "/admin/users"),
    ("POST", "/admin/users"),
    ("POST", "/factors"),
    ("GET", "/reauthenticate"),
]


@pytest.mark.parametrize(("method", "path"), AUTH)
async def test_accounts_are_for_tokens_of_ours_alone(abroad: Abroad, method: str, path: str) -> None:
    for token in (abroad.token(OWN_SUBJECT), abroad.token(OWN_SUBJECT, role="service_role")):
        async with abroad.client(token) as client:
            answer = await client.request(method, f"/auth/v1{path}", json={"password": "a new password"})
        assert (answer.status_code, answer.json()["error_code"]) == (403, "bad_jwt"), answer.text
        assert answer.json()["msg"].startswith("invalid JWT: unable to parse or verify signature, ")


async def test_the_developers_pages_know_nobody_by_such_a_token(abroad: Abroad) -> None:
    async with abroad.client() as client:
        imagined = await client.post("/_dev/v1/why", json={"path": "/moorings", "token": abroad.token()})
    assert imagined.status_code == 401, imagined.text


async def test_what_our_keys_sign_in_the_name_of_an_issuer_is_nobodys(abroad: Abroad) -> None:
    forged = KeySet([secret_key(JWT_SECRET)]).sign(
        {"iss": abroad.provider.url, "sub": OWN_SUBJECT, "role": "authenticated", "exp": int(time.time()) + 600}
    )
    assert await statuses(abroad, forged) == REFUSED
    async with abroad.client(forged) as client:
        assert (await client.get("/auth/v1/user")).json()["error_code"] == "bad_jwt"
    # Nor once the other rooms have seen it.
    assert await statuses(abroad, forged) == REFUSED


async def test_an_issuer_signs_nothing_in_our_name_or_in_nobodys(abroad: Abroad) -> None:
    for issuer in (
        f"{abroad.minato.url}/auth/v1",
        "supabase-demo",
        None,
        "https://evil.example",
        f"{abroad.provider.url}/",
    ):
        assert await statuses(abroad, abroad.token(iss=issuer)) == REFUSED, issuer


async def test_a_server_that_names_itself_among_the_others_verifies_its_tokens_by_its_own_keys(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with cluster.fresh_database() as address:
        own = "https://harbour.example/auth/v1"
        settings = settings_for(
            tmp_path, server=settings_of(tmp_path, own), auth=AuthSettings.of({"GOTRUE_JWT_ISSUER": own})
        )
        async with running(address, settings) as minato:
            assert minato.backend.third_party.issuers == {}
            token = minato.token(OWN_SUBJECT, iss=own)
            async with minato.client(token) as client:
                assert (await client.get(NOBODY)).status_code == 404


async def test_a_signed_address_of_theirs_opens_nothing(abroad: Abroad) -> None:
    token = abroad.token(url="logs/own.txt", scope="download", role=None)
    async with httpx.AsyncClient(base_url=abroad.minato.url) as client:
        answer = await client.get("/storage/v1/object/sign/logs/own.txt", params={"token": token})
    assert answer.json()["error"] == "InvalidJWT"
