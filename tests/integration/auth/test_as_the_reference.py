"""Requests whose answer once differed from the reference's: what supabase/auth bc32168 says and writes to each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from minato.config.auth import AuthSettings
from pydantic import SecretStr

from tests.integration.auth.oauth.test_single_sign_on import PROVIDERS as ORGANISATIONS
from tests.integration.auth.oauth.walk import NEW, PKCE, VERIFIER, bearer, exchange
from tests.integration.auth.test_factors import FACTORS, enroll
from tests.integration.auth.test_journey import PASSWORD, sign_in
from tests.support.accounts import opened_account
from tests.support.postgres import Cluster
from tests.support.saml_idp import IdentityProvider, private_key
from tests.support.server import Minato, running, settings_for

TOKEN = "/auth/v1/token?grant_type=password"
GOTRUE_VERSIONS = Path(__file__).parents[3] / "migrations/platform/20261122_0050_gotrue_versions.sql"


@pytest.fixture(scope="module")
async def harbour(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    auth = AuthSettings(
        external_phone_enabled=True,
        external_anonymous_users_enabled=True,
        security_manual_linking_enabled=True,
        oauth_server_enabled=True,
        saml_enabled=True,
        saml_private_key=SecretStr(private_key()),
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            yield minato


def address() -> str:
    return f"{uuid4().hex}@example.com"


async def logged(minato: Minato, account: str, action: str) -> list[dict[str, Any]]:
    """Entries of the audit log by or about an account, oldest first."""
    rows = await minato.db.fetch(
        "select payload::text as p from auth.audit_log_entries where payload->>'action' = $1 and "
        "(payload->>'actor_id' = $2 or payload->'traits'->>'user_id' = $2) order by created_at",
        action,
        account,
    )
    return [httpx.Response(200, content=row["p"]).json() for row in rows]


async def id_of(minato: Minato, email: str) -> str:
    return str(await minato.db.fetchval("select id from auth.users where email = $1", email))


async def test_null_in_the_metadata_of_a_signup_is_dropped(harbour: Minato) -> None:
    async with harbour.client() as client:
        body = {"email": address(), "password": PASSWORD, "data": {"z": None, "name": "Anna"}}
        user = (await client.post("/auth/v1/signup", json=body)).json()
    assert (user["user_metadata"]["name"], "z" in user["user_metadata"]) == ("Anna", False)
    assert "z" not in user["identities"][0]["identity_data"]
    kept = await harbour.db.fetchval("select raw_user_meta_data from auth.users where id = $1", user["id"])
    assert ('"name"' in kept, '"z"' in kept) == (True, False)


async def test_a_ban_of_no_time_lifts_the_ban(harbour: Minato) -> None:
    account = await opened_account(harbour)
    async with harbour.client(harbour.service_role_key) as admin:
        path = f"/auth/v1/admin/users/{account['id']}"
        assert "banned_until" in (await admin.put(path, json={"ban_duration": "1h"})).json()
        assert "banned_until" not in (await admin.put(path, json={"ban_duration": "0s"})).json()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code", "message"),
    [
        ("POST", TOKEN, {"phone": "x", "password": "y"}, 400, "invalid_credentials", "Invalid login credentials"),
        ("POST", f"{TOKEN}&grant_type=pkce", {}, 400, "validation_failed", "missing email or phone"),
        ("GET", "/auth/v1/verify", None, 400, "validation_failed", "Verify requires a verification type"),
        (
            "GET",
            "/auth/v1/verify?type=signup",
            None,
            400,
            "validation_failed",
            "Verify requires a token or a token hash",
        ),
        ("GET", "/auth/v1/scim/v2/Users", None, 404, "feature_disabled", "SCIM server is disabled"),
        ("GET", "/auth/v1/scim/v2", None, 404, "feature_disabled", "SCIM server is disabled"),
    ],
)
async def test_a_refusal_is_that_of_the_reference(
    harbour: Minato, method: str, path: str, body: Any, status: int, code: str, message: str
) -> None:
    async with harbour.client(**NEW) as client:
        answer = await client.request(method, path, json=body)
    assert (answer.status_code, answer.json()) == (status, {"code": code, "message": message})


@pytest.mark.parametrize(
    ("version", "member"),
    [
        ("2024-02-30", "msg"),
        ("2024-13-01", "msg"),
        ("2023-12-31", "msg"),
        ("2024-02-29", "message"),
        ("9999-12-31", "message"),
    ],
)
async def test_a_version_that_is_no_date_asks_for_nothing_new(harbour: Minato, version: str, member: str) -> None:
    async with harbour.client() as client:
        answer = await client.post(TOKEN, json={}, headers={"x-supabase-api-version": version})
    assert member in answer.json()


@pytest.mark.parametrize(
    ("given", "reason"),
    [("x", "length 1"), ("", "length 0"), ("z" * 36, "format"), ("z" * 32, "format")],
)
async def test_an_id_of_a_challenge_that_is_none_is_bad_json(harbour: Minato, given: str, reason: str) -> None:
    async with harbour.client(**NEW) as client:
        session = await sign_in(harbour, client)
        factor = await enroll(client, session)
        body = {"challenge_id": given, "code": "123456"}
        answer = await client.post(f"{FACTORS}/{factor['id']}/verify", json=body, headers=bearer(session))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")
    assert answer.json()["message"].endswith(f'uuid: incorrect UUID {reason} in string "{given}"')


@pytest.mark.parametrize("path", ["/signup", "/otp", "/magiclink", "/recover"])
async def test_an_unknown_challenge_method_is_the_callers_fault(harbour: Minato, path: str) -> None:
    body = {"email": address(), "password": PASSWORD, "code_challenge": "x" * 43, "code_challenge_method": "md5"}
    async with harbour.client(**NEW) as client:
        answer = await client.post(f"/auth/v1{path}", json=body)
    expected = {"code": "validation_failed", "message": "Invalid code_challenge_method"}
    assert (answer.status_code, answer.json()) == (400, expected)


async def test_a_malformed_refresh_token_of_an_application_is_not_found(harbour: Minato) -> None:
    async with harbour.client(harbour.service_role_key) as admin:
        fields = {"redirect_uris": ["https://other.example/back"], "client_name": "Other"}
        application = (await admin.post("/auth/v1/admin/oauth/clients", json=fields)).json()
    # Of a name given twice the first counts, in a form too.
    form = {"grant_type": ["refresh_token", "authorization_code"], "refresh_token": "no token at all"}
    auth = (application["client_id"], application["client_secret"])
    async with httpx.AsyncClient(base_url=harbour.url, headers=NEW) as client:
        answer = await client.post("/auth/v1/oauth/token", data=form, auth=auth)
    assert (answer.status_code, answer.json()["code"]) == (400, "refresh_token_not_found")


async def test_discovery_names_the_claims_of_id_tokens(harbour: Minato) -> None:
    async with harbour.client() as client:
        shown = (await client.get("/auth/v1/.well-known/openid-configuration")).json()["claims_supported"]
    assert (len(shown), shown[-2:]) == (15, ["preferred_username", "updated_at"])


@pytest.mark.parametrize("path", ["/admin/users", "/admin/audit"])
async def test_page_0_has_a_next_one(harbour: Minato, path: str) -> None:
    await opened_account(harbour)
    async with harbour.client(harbour.service_role_key) as admin:
        answer = await admin.get(f"/auth/v1{path}?page=0&per_page=1")
    assert "page=1" in answer.links["next"]["url"]
    assert "last" in answer.links


async def test_the_flow_of_a_signup_is_by_email_and_its_login_says_so(harbour: Minato) -> None:
    email = address()
    async with harbour.client(**NEW) as client:
        await client.post("/auth/v1/signup", json={"email": email, "password": PASSWORD, **PKCE})
        account = await id_of(harbour, email)
        flow = await harbour.db.fetchrow("select * from auth.flow_state where user_id = $1", account)
        assert (flow["provider_type"], flow["authentication_method"]) == ("email", "email/signup")
        link = harbour.backend.outbox.find(email, "signup")[0].email.link
        assert link is not None
        back = await client.get(link)
        code = dict(httpx.URL(back.headers["location"]).params)["code"]
        assert (await exchange(client, code, VERIFIER)).status_code == 200
    assert (await logged(harbour, account, "login"))[-1]["traits"] == {"provider_type": "email"}


async def test_a_soft_deletion_happens_once(harbour: Minato) -> None:
    account = await opened_account(harbour)
    path, seen = f"/auth/v1/admin/users/{account['id']}", []
    async with harbour.client(harbour.service_role_key) as admin:
        for _ in range(2):
            deleted = await admin.request("DELETE", path, json={"should_soft_delete": True})
            assert (deleted.status_code, deleted.json()) == (200, {})
            row = await harbour.db.fetchrow("select email, deleted_at from auth.users where id = $1", account["id"])
            seen.append((row["email"], row["deleted_at"]))
    assert seen[0] == seen[1]


async def test_an_account_left_without_its_verified_address_says_so(harbour: Minato) -> None:
    async with harbour.client() as client:
        session = await sign_in(harbour, client)
        account = session["user"]["id"]
        await harbour.db.execute(
            "insert into auth.identities (user_id, provider, provider_id, identity_data, created_at) "
            "values ($1, 'github', $2, jsonb_build_object('sub', $2::text, 'email', $3::text), now())",
            account,
            f"person-{account}",
            address(),
        )
        own = next(one for one in session["user"]["identities"] if one["provider"] == "email")
        path = f"/auth/v1/user/identities/{own['identity_id']}"
        assert (await client.delete(path, headers=bearer(session))).status_code == 200
        row = await harbour.db.fetchrow("select * from auth.users where id = $1", account)
    assert row["email_confirmed_at"] is None
    assert '"email_verified": false' in row["raw_user_meta_data"]


@pytest.mark.parametrize("path", ["/otp", "/magiclink"])
async def test_an_account_opened_by_a_link_is_in_the_log(harbour: Minato, path: str) -> None:
    email = address()
    async with harbour.client() as client:
        assert (await client.post(f"/auth/v1{path}", json={"email": email})).status_code == 200
    [entry] = await logged(harbour, await id_of(harbour, email), "user_confirmation_requested")
    assert entry["traits"] == {"provider": "email"}


@pytest.mark.parametrize(
    ("kind", "action"),
    [("magiclink", "user_recovery_requested"), ("recovery", "user_recovery_requested"), ("invite", "user_invited")],
)
async def test_a_generated_link_is_in_the_log(harbour: Minato, kind: str, action: str) -> None:
    account = await opened_account(harbour, email_confirm=kind != "invite")
    async with harbour.client(harbour.service_role_key) as admin:
        link = await admin.post("/auth/v1/admin/generate_link", json={"type": kind, "email": account["email"]})
    assert link.status_code == 200, link.text
    [entry] = await logged(harbour, account["id"], action)
    if kind == "invite":
        assert entry["traits"] == {"user_id": account["id"], "user_email": account["email"]}


async def test_a_changed_address_is_logged_under_the_old_one(harbour: Minato) -> None:
    async with harbour.client() as client:
        session = await sign_in(harbour, client)
        old, new = session["user"]["email"], address()
        await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
        for mailbox in (old, new):
            mail = harbour.backend.outbox.find(mailbox, "email_change")[0].email
            await client.post("/auth/v1/verify", json={"type": "email_change", "token_hash": mail.token_hash})
    entries = await logged(harbour, session["user"]["id"], "user_modified")
    assert [entry["actor_username"] for entry in entries] == [old, old]
    assert await id_of(harbour, new) == session["user"]["id"]


async def test_the_log_of_a_made_account_names_its_own_provider(harbour: Minato) -> None:
    account = await opened_account(harbour, app_metadata={"provider": "github"})
    [entry] = await logged(harbour, account["id"], "user_signedup")
    assert entry["traits"]["provider"] == "email"


async def test_an_empty_mapping_empties_the_mapping(harbour: Minato) -> None:
    idp = IdentityProvider(f"https://{uuid4().hex}.example")
    body = {"type": "saml", "metadata_xml": idp.metadata, "attribute_mapping": {"keys": {"name": {"name": "cn"}}}}
    async with harbour.client(harbour.service_role_key) as admin:
        path = f"{ORGANISATIONS}/{(await admin.post(ORGANISATIONS, json=body)).json()['id']}"
        kept = (await admin.put(path, json={})).json()["saml"]["attribute_mapping"]
        emptied = (await admin.put(path, json={"attribute_mapping": {"keys": {}}})).json()["saml"]["attribute_mapping"]
    assert (kept, emptied) == ({"keys": {"name": {"name": "cn"}}}, {})


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "EOF"),
        (b"  ", "EOF"),
        (b'{"email":', "unexpected EOF"),
        (b"x", "invalid character 'x' looking for beginning of value"),
        (b'{"email":1}', "json: cannot unmarshal number into Go struct field MagicLinkParams.email of type string"),
    ],
)
async def test_a_magic_link_reads_its_body_as_a_stream(harbour: Minato, body: bytes, reason: str) -> None:
    async with harbour.client(**NEW) as client:
        answer = await client.post("/auth/v1/magiclink", content=body)
        expected = {"code": "bad_json", "message": f"Could not read verification params: {reason}"}
        assert (answer.status_code, answer.json()) == (400, expected)
        follows = b'{"email":"' + address().encode() + b'"} and more'
        assert (await client.post("/auth/v1/magiclink", content=follows)).status_code == 200


async def test_gotrues_own_migrations_count_as_done(harbour: Minato) -> None:
    found = [row["version"] for row in await harbour.db.fetch("select version from auth.schema_migrations order by 1")]
    assert (found[0], found[-1], len(found)) == ("00", "20260625000000", 70)
    said = GOTRUE_VERSIONS.read_text()
    assert all(f"('{version}')" in said for version in found)
    # What the newest of them made is there.
    columns = await harbour.db.fetch(
        "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'auth'"
    )
    names = {row["name"] for row in columns}
    assert {"custom_oauth_providers.custom_claims_allowlist", "webauthn_credentials.sign_count"} <= names
    assert {"oauth_clients.token_endpoint_auth_method", "flow_state.email_optional", "sessions.scopes"} <= names
