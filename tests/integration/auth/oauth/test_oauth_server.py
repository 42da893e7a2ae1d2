"""Being the provider: applications ask, users consent, tokens come and go."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from jose import jwt
from minato.config.auth import AuthSettings
from minato.config.server import ServerSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.walk import CHALLENGE, NEW, VERIFIER, bearer, landing
from tests.integration.auth.test_journey import sign_in
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.signing_key import es256_jwks

CLIENTS, BACK = "/auth/v1/admin/oauth/clients", "https://other.example/back"
ASKED = {"response_type": "code", "code_challenge": CHALLENGE, "code_challenge_method": "S256", "state": "s t"}


@pytest.fixture(scope="module")
async def authority(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server whose OAuth server is on and signs with a key that others can check."""
    folder = tmp_path_factory.mktemp("data")
    server = ServerSettings(data_dir=folder, environment="development", web_root=None, jwt_keys=SecretStr(es256_jwks()))
    auth = AuthSettings(
        oauth_server_enabled=True, oauth_server_allow_dynamic_registration=True, site_url="https://app.example"
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(folder, server=server, auth=auth)) as minato:
            yield minato


async def register(minato: Minato, **fields: Any) -> dict[str, Any]:
    async with minato.client(minato.service_role_key) as admin:
        answer = await admin.post(CLIENTS, json={"redirect_uris": [BACK], "client_name": "Other", **fields})
    assert answer.status_code == 201, answer.text
    client: dict[str, Any] = answer.json()
    return client


async def ask(minato: Minato, client: dict[str, Any], **query: str) -> httpx.Response:
    """A browser arrives from the application."""
    asked = {"client_id": client["client_id"], "redirect_uri": BACK, **ASKED, **query}
    async with httpx.AsyncClient(base_url=minato.url) as browser:
        return await browser.get("/auth/v1/oauth/authorize", params=asked, headers=NEW)


async def pending(minato: Minato, client: dict[str, Any], **query: str) -> str:
    """The id of a request that waits for a decision."""
    answer = await ask(minato, client, **query)
    end = landing(answer.headers["location"])
    assert (answer.status_code, end.page) == (302, "https://app.example/oauth/consent")
    return end.query["authorization_id"]


async def approved(minato: Minato, session: dict[str, Any], client: dict[str, Any], **query: str) -> str:
    """The code of a user who agreed."""
    one = f"/auth/v1/oauth/authorizations/{await pending(minato, client, **query)}"
    async with minato.client(session["access_token"], **NEW) as user:
        assert (await user.get(one)).status_code == 200
        answer = await user.post(f"{one}/consent", json={"action": "approve"})
    assert answer.status_code == 200, answer.text
    end = landing(answer.json()["redirect_url"])
    assert (end.page, end.query["state"]) == (BACK, "s t")
    return end.query["code"]


async def trade(minato: Minato, client: dict[str, Any], **form: str) -> httpx.Response:
    """What the application's server asks for, authenticated by Basic when it has a secret."""
    secret = client.get("client_secret")
    auth = httpx.BasicAuth(client["client_id"], secret) if secret else httpx.USE_CLIENT_DEFAULT
    given = form if secret else {"client_id": client["client_id"], **form}
    async with httpx.AsyncClient(base_url=minato.url) as application:
        return await application.post("/auth/v1/oauth/token", data=given, auth=auth)


async def redeem(minato: Minato, client: dict[str, Any], code: str, **form: str) -> httpx.Response:
    given = {"grant_type": "authorization_code", "code": code, "code_verifier": VERIFIER, **form}
    return await trade(minato, client, **given)


async def fresh_user(minato: Minato) -> dict[str, Any]:
    async with minato.client() as client:
        return await sign_in(minato, client)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/oauth/authorizations/x"),
        ("POST", "/oauth/authorizations/x/consent"),
        ("GET", "/oauth/userinfo"),
        ("GET", "/user/oauth/grants"),
        ("DELETE", "/user/oauth/grants"),
    ],
)
async def test_only_users_consent(authority: Minato, method: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=authority.url, headers=NEW) as client:
        nobody = await client.request(method, f"/auth/v1{path}")
        assert (nobody.status_code, nobody.json()["code"]) == (401, "no_authorization")
    async with authority.client(**NEW) as client:
        anon = await client.request(method, f"/auth/v1{path}")
        assert (anon.status_code, anon.json()["code"]) == (403, "bad_jwt")


async def test_an_application_signs_a_user_in_and_stays_signed_in(authority: Minato) -> None:
    client, session = await register(authority), await fresh_user(authority)
    code = await approved(authority, session, client, scope="openid email profile", nonce="n-1")
    answer = await redeem(authority, client, code, redirect_uri=BACK)
    assert answer.status_code == 200, answer.text
    tokens = answer.json()
    assert list(tokens) == ["access_token", "expires_in", "id_token", "refresh_token", "token_type"]
    claims = authority.backend.keys.verify(tokens["access_token"])
    assert (claims["client_id"], claims["scope"]) == (client["client_id"], "openid email profile")
    assert claims["amr"][0]["method"] == "oauth_provider/authorization_code"
    async with httpx.AsyncClient(base_url=authority.url) as other:
        keys = (await other.get("/auth/v1/.well-known/jwks.json")).json()
        about = jwt.decode(tokens["id_token"], keys, audience=client["client_id"], algorithms=["ES256"])
        assert (about["sub"], about["nonce"], about["email"]) == (
            session["user"]["id"],
            "n-1",
            session["user"]["email"],
        )
        info = (await other.get("/auth/v1/oauth/userinfo", headers=bearer(tokens))).json()
        assert (info["sub"], info["email"], info["email_verified"]) == (about["sub"], about["email"], True)
        assert info["user_metadata"]["sub"] == about["sub"]
        bare = await other.post(
            "/auth/v1/token?grant_type=refresh_token", json={"refresh_token": tokens["refresh_token"]}
        )
        assert bare.json() == {
            "error": "invalid_client",
            "error_description": "Client authentication required for OAuth session",
        }
    again = await trade(authority, client, grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert again.status_code == 200, again.text
    assert authority.backend.keys.verify(again.json()["access_token"])["scope"] == "openid email profile"
    foreign = await register(authority)
    stolen = {"grant_type": "refresh_token", "refresh_token": again.json()["refresh_token"]}
    assert (await trade(authority, foreign, **stolen)).json()["error_description"] == (
        "Client does not match the session's OAuth client"
    )
    own = {"grant_type": "refresh_token", "refresh_token": session["refresh_token"]}
    assert (await trade(authority, client, **own)).json()["error_description"] == (
        "Client authentication not allowed for non-OAuth session"
    )


async def test_an_id_token_is_for_one_and_says_what_is_not_verified(authority: Minato) -> None:
    client, session = await register(authority), await fresh_user(authority)
    code = await approved(authority, session, client, scope="openid phone")
    about = jwt.get_unverified_claims((await redeem(authority, client, code, redirect_uri=BACK)).json()["id_token"])
    assert (about["aud"], about["phone_number_verified"], about["email_verified"]) == (
        client["client_id"],
        False,
        False,
    )
    assert {"email", "phone_number"} & set(about) == set()


async def test_a_revoked_grant_is_in_the_log(authority: Minato) -> None:
    client, session = await register(authority), await fresh_user(authority)
    await redeem(authority, client, await approved(authority, session, client), redirect_uri=BACK)
    async with authority.client(session["access_token"]) as user:
        await user.delete("/auth/v1/user/oauth/grants", params={"client_id": client["client_id"]})
    traits = await authority.db.fetchval(
        "select payload->'traits'->>'action' from auth.audit_log_entries where payload->>'action' = 'token_revoked' "
        "and payload->'traits'->>'oauth_client_id' = $1",
        client["client_id"],
    )
    assert traits == "revoke_oauth_grant"


async def test_without_openid_there_is_no_id_token_and_less_to_know(authority: Minato) -> None:
    client, session = await register(authority), await fresh_user(authority)
    tokens = (await redeem(authority, client, await approved(authority, session, client))).json()
    assert "id_token" not in tokens
    async with httpx.AsyncClient(base_url=authority.url) as other:
        info = (await other.get("/auth/v1/oauth/userinfo", headers=bearer(tokens))).json()
        assert set(info) == {"sub", "email", "email_verified"}
        minimal = (await other.get("/auth/v1/oauth/userinfo", headers=bearer(session))).json()
        assert minimal == {"sub": session["user"]["id"]}


async def test_a_code_is_good_once_for_its_client_with_its_verifier(authority: Minato) -> None:
    client, foreign, session = await register(authority), await register(authority), await fresh_user(authority)
    code = await approved(authority, session, client)

    async def why(asking: dict[str, Any], **form: str) -> str:
        answer = await redeem(authority, asking, **{"code": code, **form})
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
        return str(answer.json()["error_description"])

    for nobodys in ("x", "\0", f"{code}\0"):
        assert await why(client, code=nobodys) == "Invalid authorization code"
    assert await why(foreign) == "Authorization code was not issued for this client"
    assert await why(client, redirect_uri="https://other.example/else") == "Invalid redirect_uri"
    assert await why(client, resource="https://x.example") == (
        "Authorization code resource does not match the resource parameter"
    )
    assert await why(client, code_verifier="w" * 64) == (
        "PKCE verification failed: code challenge does not match previously saved code verifier"
    )
    assert await why(client, code_verifier="") == (
        "PKCE verification failed: code_verifier is required when PKCE challenge is present"
    )
    assert (await redeem(authority, client, code)).status_code == 200
    assert await why(client) == "Invalid authorization code"
    late = await approved(authority, await fresh_user(authority), client)
    authority.backend.clock.advance(timedelta(seconds=601))
    assert await why(client, code=late) == "Authorization code has expired"


async def test_the_first_who_looks_decides_and_only_once(authority: Minato) -> None:
    client, session, other = await register(authority), await fresh_user(authority), await fresh_user(authority)
    one = f"/auth/v1/oauth/authorizations/{await pending(authority, client)}"
    async with authority.client(session["access_token"], **NEW) as user:
        unseen = await user.post(f"{one}/consent", json={"action": "approve"})
        assert (unseen.status_code, unseen.json()["code"]) == (404, "oauth_authorization_not_found")
        shown = (await user.get(one)).json()
        assert list(shown) == ["authorization_id", "redirect_uri", "client", "user", "scope"]
        assert (shown["client"], shown["scope"]) == ({"id": client["client_id"], "name": "Other"}, "email")
        assert shown["user"] == {"id": session["user"]["id"], "email": session["user"]["email"]}
        foreign = {"origin": "https://evil.example"}
        refused = await user.get(one, headers=foreign)
        assert (refused.status_code, refused.json()["message"]) == (400, "unauthorized request origin")
        bad = await user.post(f"{one}/consent", json={"action": "maybe"})
        assert bad.json() == {"code": "validation_failed", "message": "action must be 'approve' or 'deny'"}
        broken = await user.post(f"{one}/consent", content=b"{")
        assert broken.json() == {"code": "bad_json", "message": "invalid JSON body"}
    async with authority.client(other["access_token"], **NEW) as stranger:
        assert (await stranger.get(one)).status_code == 404
        assert (await stranger.post(f"{one}/consent", json={"action": "approve"})).status_code == 404
    async with authority.client(session["access_token"], **NEW) as user:
        denied = (await user.post(f"{one}/consent", json={"action": "deny"})).json()["redirect_url"]
        assert landing(denied).query == {
            "error": "access_denied",
            "error_description": "User denied the request",
            "state": "s t",
        }
        again = await user.get(one)
        assert (again.status_code, again.json()["message"]) == (400, "authorization request cannot be processed")
        late = f"/auth/v1/oauth/authorizations/{await pending(authority, client)}"
        authority.backend.clock.advance(timedelta(seconds=601))
        assert (await user.get(late)).json()["code"] == "oauth_authorization_not_found"
        assert (await user.get("/auth/v1/oauth/authorizations/none")).status_code == 404


async def test_a_revoked_grant_voids_the_codes_that_were_handed_over(authority: Minato) -> None:
    client, other, session = await register(authority), await register(authority), await fresh_user(authority)
    code, of_other = await approved(authority, session, client), await approved(authority, session, other)
    async with authority.client(session["access_token"]) as user:
        gone = await user.delete("/auth/v1/user/oauth/grants", params={"client_id": client["client_id"]})
        assert gone.status_code == 204
    late = await redeem(authority, client, code)
    assert (late.status_code, late.json()["error_description"]) == (400, "Invalid authorization code")
    assert (await redeem(authority, other, of_other)).status_code == 200


async def test_who_agreed_once_is_not_asked_again_until_the_grant_is_revoked(authority: Minato) -> None:
    client, session = await register(authority), await fresh_user(authority)
    tokens = (await redeem(authority, client, await approved(authority, session, client))).json()
    grants = "/auth/v1/user/oauth/grants"
    async with authority.client(session["access_token"], **NEW) as user:
        known = await user.get(f"/auth/v1/oauth/authorizations/{await pending(authority, client)}")
        assert "code" in landing(known.json()["redirect_url"]).query
        wider = await user.get(f"/auth/v1/oauth/authorizations/{await pending(authority, client, scope='phone')}")
        assert "redirect_url" not in wider.json()
        listed = (await user.get(grants)).json()
        assert [(one["client"]["id"], one["scopes"]) for one in listed] == [(client["client_id"], ["email"])]
        for query, code, message in (
            ({}, "validation_failed", "client_id query parameter is required"),
            ({"client_id": "x"}, "validation_failed", "invalid client_id format"),
            ({"client_id": str(uuid4())}, "oauth_consent_not_found", "No active grant found for this client"),
        ):
            assert (await user.delete(grants, params=query)).json() == {"code": code, "message": message}
        gone = await user.delete(grants, params={"client_id": client["client_id"]})
        assert gone.status_code == 204
        assert (await user.get(grants)).json() == []
        ended = await user.get("/auth/v1/user", headers=bearer(tokens))
        assert ended.json()["code"] == "session_not_found"
        assert (await user.get("/auth/v1/user")).status_code == 200
        asked = await user.get(f"/auth/v1/oauth/authorizations/{await pending(authority, client)}")
        assert "redirect_url" not in asked.json()


@pytest.mark.parametrize(
    ("query", "code", "message"),
    [
        ({"client_id": ""}, "validation_failed", "client_id is required"),
        ({"redirect_uri": ""}, "validation_failed", "redirect_uri is required"),
        ({"client_id": "x"}, "oauth_client_not_found", "invalid client_id format"),
        ({"client_id": str(uuid4())}, "oauth_client_not_found", "invalid client_id"),
        ({"redirect_uri": f"{BACK}/"}, "validation_failed", "invalid redirect_uri"),
    ],
)
async def test_errors_only_travel_to_the_clients_own_pages(
    authority: Minato, query: dict[str, str], code: str, message: str
) -> None:
    answer = await ask(authority, await register(authority), **query)
    assert (answer.status_code, answer.json()) == (400, {"code": code, "message": message})


@pytest.mark.parametrize(
    ("query", "description"),
    [
        ({"response_type": "token"}, "only response_type=code is supported"),
        ({"scope": "money"}, "unsupported scope: money"),
        ({"scope": " "}, "scope parameter cannot be empty"),
        ({"code_challenge": ""}, "PKCE flow requires both code_challenge and code_challenge_method"),
        ({"code_challenge": "short"}, "code_challenge must be between 43 and 128 characters"),
        ({"code_challenge_method": "md5"}, "code_challenge_method must be 'S256' or 'plain'"),
        ({"resource": "/x"}, "resource must be an absolute URI"),
        ({"resource": "https://x.example#y"}, "resource must not include a fragment component"),
        ({"resource": "https://x.example?y=1"}, "resource must not include a query component"),
    ],
)
async def test_a_bad_request_is_told_to_the_client(authority: Minato, query: dict[str, str], description: str) -> None:
    answer = await ask(authority, await register(authority), **query)
    end = landing(answer.headers["location"])
    assert (answer.status_code, end.page) == (302, BACK)
    assert end.query == {"error": "invalid_request", "error_description": description, "state": "s t"}


async def test_a_client_authenticates_only_as_it_is_registered(authority: Minato) -> None:
    basic, public = await register(authority), await register(authority, token_endpoint_auth_method="none")
    posting = await register(authority, token_endpoint_auth_method="client_secret_post")
    assert (public["client_type"], "client_secret" in public) == ("public", False)

    async def why(headers: dict[str, str] | None = None, **form: str) -> str:
        async with httpx.AsyncClient(base_url=authority.url, headers={**NEW, **(headers or {})}) as application:
            answer = await application.post("/auth/v1/oauth/token", data={"grant_type": "x", **form})
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_credentials")
        return str(answer.json()["message"])

    assert await why() == "Invalid client credentials: client_id is required"
    assert await why({"authorization": "Basic !"}) == "Invalid client credentials: invalid basic auth encoding"
    without = base64.b64encode(b"x").decode()
    assert await why({"authorization": f"Basic {without}"}) == "Invalid client credentials: invalid basic auth format"
    assert await why(client_id="x") == "Invalid client_id format"
    assert await why(client_id=str(uuid4())) == "Invalid client credentials"
    assert await why(client_id=basic["client_id"], client_secret=basic["client_secret"]) == (
        "invalid authentication method: client is registered for 'client_secret_basic' "
        "but 'client_secret_post' was used"
    )
    assert await why(client_id=posting["client_id"], client_secret="x") == "invalid client credentials"
    async with httpx.AsyncClient(base_url=authority.url) as application:
        given = {"client_id": posting["client_id"], "client_secret": posting["client_secret"]}
        for form, error in (({}, "invalid_request"), ({"grant_type": "password"}, "unsupported_grant_type")):
            answer = await application.post("/auth/v1/oauth/token", json={**given, **form})
            assert (answer.status_code, answer.json()["error"]) == (400, error)
    session = await fresh_user(authority)
    assert (await redeem(authority, public, await approved(authority, session, public))).status_code == 200


async def test_only_administrators_keep_clients(authority: Minato) -> None:
    session, client = await fresh_user(authority), await register(authority)
    one = f"{CLIENTS}/{client['client_id']}"
    calls = [("GET", CLIENTS), ("POST", CLIENTS), ("GET", one), ("PUT", one), ("DELETE", one)]
    async with httpx.AsyncClient(base_url=authority.url, headers=NEW) as nobody:
        for method, path in [*calls, ("POST", f"{one}/regenerate_secret")]:
            stranger = await nobody.request(method, path, json={})
            assert (stranger.status_code, stranger.json()["code"]) == (401, "no_authorization")
            user = await nobody.request(method, path, json={}, headers=bearer(session))
            assert (user.status_code, user.json()["code"]) == (403, "not_admin")


async def test_a_client_is_listed_changed_rekeyed_and_deleted(authority: Minato) -> None:
    client = await register(authority, client_uri="https://other.example")
    assert list(client) == [
        "client_id",
        "client_secret",
        "client_type",
        "redirect_uris",
        "token_endpoint_auth_method",
        "grant_types",
        "response_types",
        "client_name",
        "client_uri",
        "registration_type",
        "created_at",
        "updated_at",
    ]
    one = f"{CLIENTS}/{client['client_id']}"
    async with authority.client(authority.service_role_key, **NEW) as admin:
        listed = (await admin.get(CLIENTS)).json()["clients"]
        assert client["client_id"] in [shown["client_id"] for shown in listed]
        assert all("client_secret" not in shown for shown in listed)
        changed = (await admin.put(one, json={"client_name": "New", "grant_types": ["authorization_code"]})).json()
        assert (changed["client_name"], changed["grant_types"]) == ("New", ["authorization_code"])
        assert (await admin.get(one)).json() == changed
        rekeyed = (await admin.post(f"{one}/regenerate_secret")).json()
        assert rekeyed["client_secret"] != client["client_secret"]
        old = await trade(authority, client, grant_type="authorization_code", code="x")
        assert old.json()["msg"] == "invalid client credentials"
        assert (await admin.delete(one)).status_code == 204
        gone = await admin.get(one)
        assert (gone.status_code, gone.json()["code"]) == (404, "oauth_client_not_found")
        bad = await admin.get(f"{CLIENTS}/x")
        assert (bad.status_code, bad.json()["message"]) == (400, "invalid client_id format")
        public = await register(authority, client_type="public")
        secret = await admin.post(f"{CLIENTS}/{public['client_id']}/regenerate_secret")
        assert secret.json()["message"] == "Cannot regenerate secret for public client"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"redirect_uris": []}, "400: redirect_uris is required"),
        ({"redirect_uris": [BACK] * 11}, "400: redirect_uris cannot exceed 10 items"),
        ({"redirect_uris": [""]}, "400: invalid redirect_uri '': redirect URI cannot be empty"),
        ({"redirect_uris": ["/x"]}, "400: invalid redirect_uri '/x': must have scheme and host"),
        (
            {"redirect_uris": ["javascript://x/%0aalert(1)"]},
            "400: invalid redirect_uri 'javascript://x/%0aalert(1)': "
            "scheme 'javascript' is not allowed for security reasons",
        ),
        (
            {"redirect_uris": ["http://x.example"]},
            "400: invalid redirect_uri 'http://x.example': HTTP scheme only allowed for localhost",
        ),
        (
            {"redirect_uris": ["https://x.example#y"]},
            "400: invalid redirect_uri 'https://x.example#y': fragment not allowed in redirect URI",
        ),
        (
            {"grant_types": ["password"]},
            "400: grant_types must only contain 'authorization_code' and/or 'refresh_token'",
        ),
        ({"client_name": "x" * 1025}, "400: client_name cannot exceed 1024 characters"),
        ({"logo_uri": "no url"}, "400: logo_uri must be a valid URL"),
        ({"client_type": "secret"}, "400: client_type must be 'public' or 'confidential'"),
        (
            {"token_endpoint_auth_method": "tls"},
            "400: token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]",
        ),
        (
            {"client_type": "public", "token_endpoint_auth_method": "client_secret_basic"},
            "400: client_type 'public' is inconsistent with token_endpoint_auth_method 'client_secret_basic' "
            "(expected client_type 'confidential')",
        ),
    ],
)
async def test_a_client_that_makes_no_sense_is_not_registered(
    authority: Minato, fields: dict[str, Any], message: str
) -> None:
    async with authority.client(authority.service_role_key, **NEW) as admin:
        answer = await admin.post(CLIENTS, json={"redirect_uris": [BACK], **fields})
        assert (answer.status_code, answer.json()) == (400, {"code": "validation_failed", "message": message})
        for body in (b"", b"{", b'{"redirect_uris":"x"}', b"[]"):
            broken = await admin.post(CLIENTS, content=body)
            assert broken.json() == {"code": "bad_json", "message": "Invalid JSON body"}


async def test_applications_register_themselves_where_that_is_allowed(authority: Minato, minato: Minato) -> None:
    async with httpx.AsyncClient(headers=NEW) as application:
        path = "/auth/v1/oauth/clients/register"
        answer = await application.post(authority.url + path, json={"redirect_uris": ["http://localhost:1/back"]})
        assert (answer.status_code, answer.json()["registration_type"]) == (201, "dynamic")
        found = (await application.get(f"{authority.url}/auth/v1/.well-known/oauth-authorization-server")).json()
        assert found["registration_endpoint"] == f"{authority.url}{path}"
        off = await application.post(minato.url + path, json={})
        assert (off.status_code, off.json()["code"]) == (404, "feature_disabled")


async def test_a_server_that_is_off_says_so(minato: Minato) -> None:
    async with minato.client(minato.service_role_key, **NEW) as admin:
        for method, path in (
            ("GET", "/oauth/authorize"),
            ("POST", "/oauth/token"),
            ("GET", "/admin/oauth/clients"),
            ("GET", "/.well-known/oauth-authorization-server"),
        ):
            answer = await admin.request(method, f"/auth/v1{path}")
            assert (answer.status_code, answer.json()) == (
                404,
                {"code": "feature_disabled", "message": "OAuth server is disabled"},
            )
