"""Providers an administrator adds: entered, checked, changed, removed, and signed in through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from minato.clock import Clock
from minato.config.auth import AuthSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.oauth.conftest import secure_harbour
from tests.integration.auth.oauth.walk import APP, NEW, PKCE, Harbour, bearer, exchange
from tests.integration.auth.test_journey import sign_in
from tests.support.oidc_provider import CLIENT_ID, CLIENT_SECRET, serving_provider
from tests.support.postgres import Cluster
from tests.support.server import running, settings_for

PROVIDERS = "/auth/v1/admin/custom-providers"
KNOWN = {"name": "Club", "client_id": CLIENT_ID, "client_secret": CLIENT_SECRET}


@pytest.fixture(scope="module")
async def club(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Harbour]:
    """A server and a provider that speaks https, as custom providers must."""
    async with secure_harbour(cluster, tmp_path_factory.mktemp("data")) as harbour:
        yield harbour


def admin(club: Harbour) -> httpx.AsyncClient:
    return club.minato.client(club.minato.service_role_key, **NEW)


async def add(club: Harbour, identifier: str, **fields: Any) -> dict[str, Any]:
    """An OIDC provider unless `fields` say otherwise."""
    body = {"provider_type": "oidc", "identifier": identifier, "issuer": club.provider.url, **KNOWN, **fields}
    async with admin(club) as client:
        answer = await client.post(PROVIDERS, json=body)
    assert answer.status_code == 201, answer.text
    provider: dict[str, Any] = answer.json()
    return provider


def oauth2(club: Harbour) -> dict[str, str]:
    paths = {"authorization_url": "authorize", "token_url": "token", "userinfo_url": "userinfo"}
    return {"provider_type": "oauth2", **{name: f"{club.provider.url}/{path}" for name, path in paths.items()}}


async def test_only_administrators_add_providers(club: Harbour) -> None:
    async with club.minato.client() as client:
        session = await sign_in(club.minato, client)
    one = f"{PROVIDERS}/custom:x"
    calls = [("GET", PROVIDERS), ("POST", PROVIDERS), ("GET", one), ("PUT", one), ("DELETE", one)]
    async with httpx.AsyncClient(base_url=club.minato.url, headers=NEW) as nobody:
        for method, path in calls:
            stranger = await nobody.request(method, path, json={})
            assert (stranger.status_code, stranger.json()["code"]) == (401, "no_authorization")
            user = await nobody.request(method, path, json={}, headers=bearer(session))
            assert (user.status_code, user.json()["code"]) == (403, "not_admin")


async def test_a_provider_is_kept_without_showing_its_secret(club: Harbour) -> None:
    made = await add(club, "custom:kept", scopes=["email"])
    assert made["scopes"] == ["openid", "email"]
    assert made["discovery_document"]["token_endpoint"] == f"{club.provider.url}/token"
    assert "client_secret" not in made
    stored = await club.minato.db.fetchval(
        "select client_secret from auth.custom_oauth_providers where identifier = 'custom:kept'"
    )
    assert CLIENT_SECRET not in stored
    async with admin(club) as client:
        assert (await client.get(f"{PROVIDERS}/custom:kept")).json() == made
        listed = (await client.get(PROVIDERS, params={"type": "oidc"})).json()["providers"]
        assert made in listed
        assert made not in (await client.get(PROVIDERS, params={"type": "oauth2"})).json()["providers"]
        bad = await client.get(PROVIDERS, params={"type": "saml"})
        assert (bad.status_code, bad.json()["message"]) == (400, "type must be either 'oauth2' or 'oidc'")
        changed = await client.put(f"{PROVIDERS}/custom:kept", json={"name": "New", "enabled": False})
        assert (changed.status_code, changed.json()["name"], changed.json()["enabled"]) == (200, "New", False)
        assert (await client.delete(f"{PROVIDERS}/custom:kept")).status_code == 204
        for method in ("GET", "PUT", "DELETE"):
            gone = await client.request(method, f"{PROVIDERS}/custom:kept", json={})
            assert (gone.status_code, gone.json()["code"]) == (404, "custom_provider_not_found")


@pytest.mark.parametrize("kind", ["oidc", "oauth2"])
async def test_people_sign_in_through_it(club: Harbour, kind: str) -> None:
    name = f"custom:walk-{kind}"
    await add(
        club,
        name,
        attribute_mapping={"full_name": "name", "gender": "given"},
        custom_claims_allowlist=["login"],
        authorization_params={"prompt": "login"},
        **(oauth2(club) if kind == "oauth2" else {}),
    )
    email = club.meet()
    async with club.minato.client() as client:
        session = (await exchange(client, (await club.sign_in(name, **PKCE)).query["code"])).json()
        asked = club.provider.seen[-1]
        assert (asked["prompt"], asked["code_challenge_method"]) == ("login", "S256")
        assert (session["user"]["email"], session["user"]["app_metadata"]["provider"]) == (email, name)
        data = session["user"]["identities"][0]["identity_data"]
        assert (data["full_name"], data["custom_claims"]) == ("Anna Hafen", {"login": club.provider.person["login"]})
        assert session["provider_token"] == "provider-access"


async def test_its_tokens_sign_in_too_while_it_is_enabled(club: Harbour) -> None:
    await add(club, "custom:tokens", acceptable_client_ids=["club-app"])
    club.meet()
    body = {"provider": "custom:tokens", "id_token": club.provider.id_token(aud="club-app")}
    path = "/auth/v1/token?grant_type=id_token"
    async with club.minato.client(**NEW) as client:
        assert (await client.post(path, json=body)).status_code == 200
        async with admin(club) as administrator:
            await administrator.put(f"{PROVIDERS}/custom:tokens", json={"enabled": False})
            await administrator.post(
                PROVIDERS, json={"identifier": "custom:plain", **KNOWN, **oauth2(club), "pkce_enabled": False}
            )
        for name, code, message in (
            ("custom:tokens", "provider_disabled", 'Custom provider "custom:tokens" is disabled'),
            ("custom:none", "validation_failed", 'Custom provider "custom:none" not found'),
            ("custom:plain", "validation_failed", 'Provider "custom:plain" is not an OIDC provider'),
        ):
            refused = await client.post(path, json={**body, "provider": name})
            assert (refused.status_code, refused.json()) == (400, {"code": code, "message": message})
        left = await client.get("/auth/v1/authorize", params={"provider": "custom:tokens"})
        assert left.json()["message"] == "Unsupported provider: custom provider custom:tokens is disabled"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"provider_type": "saml"}, "provider_type must be either 'oauth2' or 'oidc'"),
        ({"identifier": ""}, "identifier is required"),
        ({"identifier": "club"}, "identifier must start with 'custom:' prefix, e.g. 'custom:club'"),
        ({"name": ""}, "name is required"),
        ({"client_id": ""}, "client_id is required"),
        ({"client_secret": ""}, "client_secret is required"),
        ({"issuer": ""}, "issuer is required for OIDC providers"),
        ({"provider_type": "oauth2"}, "authorization_url is required for OAuth2 providers"),
        ({"authorization_params": {"state": "x"}}, "Cannot override reserved OAuth parameter: state"),
        ({"authorization_params": {"x": 1}}, 'Authorization parameter "x" must be a string'),
        ({"attribute_mapping": {"role": "x"}}, "Cannot map to protected system field: role"),
        ({"custom_claims_allowlist": [None]}, "custom_claims_allowlist entries must be non-empty strings"),
        ({"custom_claims_allowlist": [" "]}, "custom_claims_allowlist entries must be non-empty strings"),
        ({"issuer": "http://localhost"}, "URL must use HTTPS"),
        ({"issuer": "https://"}, "URL must have a valid hostname"),
    ],
)
async def test_a_provider_that_makes_no_sense_is_refused(club: Harbour, fields: dict[str, Any], message: str) -> None:
    body = {"provider_type": "oidc", "identifier": "custom:bad", "issuer": club.provider.url, **KNOWN, **fields}
    async with admin(club) as client:
        answer = await client.post(PROVIDERS, json=body)
    assert (answer.status_code, answer.json()) == (400, {"code": "validation_failed", "message": message})


async def test_an_issuer_that_is_none_is_noticed_before_anybody_signs_in(club: Harbour) -> None:
    body = {"provider_type": "oidc", "identifier": "custom:none", "issuer": f"{club.provider.url}/realm", **KNOWN}
    async with admin(club) as client:
        answer = await client.post(PROVIDERS, json=body)
        url = f"{club.provider.url}/realm/.well-known/openid-configuration"
        assert (answer.status_code, answer.json()["message"]) == (
            400,
            f'OIDC discovery from "{url}" failed: {url} answered 404',
        )
        await add(club, "custom:twice")
        twice = await client.post(PROVIDERS, json={**body, "identifier": "custom:twice", "issuer": club.provider.url})
        assert (twice.status_code, twice.json()["code"]) == (400, "conflict")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://localhost/x", "URL cannot point to localhost or loopback addresses"),
        ("https://a.localhost/x", "URL cannot point to localhost or loopback addresses"),
        ("https://127.0.0.2/x", "URL cannot resolve to loopback addresses"),
        ("https://10.0.0.1/x", "URL cannot resolve to private network addresses"),
        ("https://169.254.169.254/x", "URL cannot resolve to link-local addresses"),
        ("https://[::ffff:10.0.0.1]/x", "URL cannot resolve to private network addresses"),
        ("https://224.0.0.1/x", "URL cannot resolve to multicast addresses"),
    ],
)
async def test_in_production_a_provider_is_no_way_into_the_network(production: Harbour, url: str, message: str) -> None:
    body = {"provider_type": "oidc", "identifier": "custom:inside", "issuer": url, **KNOWN}
    async with admin(production) as client:
        answer = await client.post(PROVIDERS, json=body)
    assert (answer.status_code, answer.json()) == (400, {"code": "validation_failed", "message": message})


@pytest.fixture(scope="module")
async def production(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Harbour]:
    """A server that does not serve a developer."""
    folder = tmp_path_factory.mktemp("data")
    server = ServerSettings(data_dir=folder, environment="production", web_root=None)
    async with serving_provider(Clock()) as provider, cluster.fresh_database() as address:
        async with running(address, settings_for(folder, server=server)) as minato:
            yield Harbour(minato, provider)


async def test_there_is_a_limit_and_an_off_switch(address: DatabaseAddress, tmp_path: Any, club: Harbour) -> None:
    urls = oauth2(club)
    limited = AuthSettings(custom_oauth_max_providers=1)
    async with running(address, settings_for(tmp_path, auth=limited)) as minato:
        async with minato.client(minato.service_role_key, **NEW) as client:
            assert (await client.post(PROVIDERS, json={"identifier": "custom:one", **KNOWN, **urls})).status_code == 201
            second = await client.post(PROVIDERS, json={"identifier": "custom:two", **KNOWN, **urls})
            assert (second.status_code, second.json()["code"]) == (400, "over_custom_provider_quota")
    off = AuthSettings(custom_oauth_enabled=False)
    async with running(address, settings_for(tmp_path, auth=off)) as minato:
        async with minato.client(minato.service_role_key, **NEW) as client:
            refused = await client.get(PROVIDERS)
            assert (refused.status_code, refused.json()["code"]) == (404, "feature_disabled")
            left = await client.get("/auth/v1/authorize", params={"provider": "custom:one"})
            assert left.json()["message"] == "Unsupported provider: custom OAuth providers are disabled"


@pytest.mark.parametrize(
    ("meanwhile", "code", "description"),
    [
        ("delete from auth.oauth_client_states", "oauth_client_state_not_found", "OAuth state not found"),
        (
            "update auth.oauth_client_states set created_at = created_at - interval '301 seconds'",
            "oauth_client_state_expired",
            "OAuth state expired",
        ),
        ("update auth.oauth_client_states set provider_type = 'x'", "oauth_invalid_state", "OAuth provider mismatch"),
        (
            "delete from auth.custom_oauth_providers where identifier = 'custom:lost'",
            "oauth_provider_not_supported",
            "Unsupported provider: custom provider custom:lost not found",
        ),
    ],
)
async def test_who_comes_back_to_what_is_gone_is_told(
    club: Harbour, meanwhile: str, code: str, description: str
) -> None:
    await club.minato.db.execute("delete from auth.custom_oauth_providers where identifier = 'custom:lost'")
    await add(club, "custom:lost")
    club.meet()
    async with club.minato.client() as client:
        asked = {"provider": "custom:lost", "redirect_to": APP}
        left = await client.get("/auth/v1/authorize", params=asked)
        await club.minato.db.execute(meanwhile)
        end = await club.return_from(left.headers["location"])
    assert (end.page, end.query["error_code"], end.query["error_description"]) == (APP, code, description)
