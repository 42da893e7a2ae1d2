"""What was found by playing the same requests to a GoTrue (supabase/auth bc32168) and to this server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from minato.config.auth import AuthSettings
from minato.config.auth_external import read_providers
from minato.database.address import DatabaseAddress

from tests.integration.auth.oauth.walk import NEW, bearer
from tests.integration.auth.test_hooks import hooked as hooked_on
from tests.integration.auth.test_journey import PASSWORD, sign_in
from tests.support.accounts import opened_account
from tests.support.loopback import Told, loopback
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

GITHUB = {f"GOTRUE_EXTERNAL_GITHUB_{name}": "true" for name in ("ENABLED", "CLIENT_ID", "SECRET")}
HOOKED = """
create function public.readdress(event jsonb) returns jsonb language sql as
    $$ select jsonb_set(event, '{claims,aud}', '"hooked"') $$;
grant execute on function public.readdress to supabase_auth_admin;
grant usage on schema public to supabase_auth_admin;
"""


@pytest.fixture(scope="module")
async def harbour(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    auth = AuthSettings(external_phone_enabled=True, external=read_providers(GITHUB))
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            yield minato


@pytest.fixture(scope="module")
async def hooked(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server whose hook gives tokens an audience that is not their account's."""
    auth = AuthSettings(
        security_manual_linking_enabled=True,
        hook_custom_access_token_enabled=True,
        hook_custom_access_token_uri="pg-functions://postgres/public/readdress",
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            await minato.db.execute(HOOKED)
            yield minato


async def test_identities_made_at_once_stand_email_first(harbour: Minato) -> None:
    for number in range(8):
        account = await opened_account(harbour, phone=f"4915100000{number}", phone_confirm=True)
        async with harbour.client(harbour.service_role_key) as admin:
            shown = (await admin.get(f"/auth/v1/admin/users/{account['id']}")).json()
        for answer in (account, shown):
            assert [one["provider"] for one in answer["identities"]] == ["email", "phone"]


@pytest.mark.parametrize(("confirmed", "told"), [(True, "magiclink"), (False, "signup")])
async def test_a_link_of_the_type_email_tells_the_page_what_it_was(harbour: Minato, confirmed: bool, told: str) -> None:
    account = await opened_account(harbour, email_confirm=confirmed)
    async with harbour.client(harbour.service_role_key) as admin:
        body = {"type": told, "email": account["email"], "password": PASSWORD}
        link = (await admin.post("/auth/v1/admin/generate_link", json=body)).json()
    async with harbour.client() as client:
        answer = await client.get(f"/auth/v1/verify?type=email&token={link['hashed_token']}")
    assert f"type={told}" in answer.headers["location"].partition("#")[2].split("&")


@pytest.mark.parametrize("kind", ["email_change_current", "email_change_new"])
async def test_no_link_changes_an_address_to_itself(harbour: Minato, kind: str) -> None:
    email = (await opened_account(harbour))["email"]
    async with harbour.client(harbour.service_role_key, **NEW) as admin:
        body = {"type": kind, "email": email, "new_email": email.upper()}
        answer = await admin.post("/auth/v1/admin/generate_link", json=body)
    assert (answer.status_code, answer.json().get("code")) == (422, "email_exists")


async def test_a_token_whose_audience_a_hook_changed_opens_its_account(hooked: Minato) -> None:
    async with hooked.client(**NEW) as client:
        session = await sign_in(hooked, client)
        answer = await client.get("/auth/v1/user", headers=bearer(session))
        assert (answer.status_code, answer.json().get("id")) == (200, session["user"]["id"])
        other = await client.get("/auth/v1/user", headers={**bearer(session), "x-jwt-aud": "authenticated"})
        assert (other.status_code, other.json()["code"]) == (400, "validation_failed")
        only = f"/auth/v1/user/identities/{session['user']['identities'][0]['identity_id']}"
        kept = await client.delete(only, headers=bearer(session))
        assert (kept.status_code, kept.json()["code"]) == (422, "single_identity_not_deletable")


async def test_hooks_are_told_of_no_identities_yet_and_where_the_service_is(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    async with loopback(lambda _: Told(200, {})) as hook:
        names = ("before_user_created", "send_email")
        async with hooked_on(address, tmp_path, hook.url, *names) as minato, minato.client() as client:
            await client.post("/auth/v1/signup", json={"email": "anna@example.com", "password": PASSWORD})
            before, mail = (asked.json for asked in hook.asked)
            assert before["user"]["identities"] == []
            link = {"token": mail["email_data"]["token_hash"], "type": "signup"}
            answer = await client.get(f"{mail['email_data']['site_url']}/verify", params=link)
    assert (mail["email_data"]["site_url"], answer.status_code) == (f"{minato.url}/auth/v1", 303)
    assert "access_token=" in answer.headers["location"]


async def test_a_fragment_tells_no_description_where_the_provider_gave_none(harbour: Minato) -> None:
    async with harbour.client() as client:
        begun = await client.get("/auth/v1/authorize?provider=github")
        state = dict(parse_qsl(urlsplit(begun.headers["location"]).query))["state"]
        back = urlsplit((await client.get(f"/auth/v1/callback?state={state}&error=server_error")).headers["location"])
    assert dict(parse_qsl(back.query, keep_blank_values=True)) == {"error": "server_error", "error_description": ""}
    assert dict(parse_qsl(back.fragment, keep_blank_values=True)) == {"error": "server_error", "sb": ""}
