"""Hooks and mails of accounts that others vouch for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from minato.clock import Clock
from minato.database.address import DatabaseAddress

from tests.integration.auth.oauth.conftest import auth_settings
from tests.integration.auth.oauth.walk import NEW, Harbour
from tests.integration.auth.test_hooks import FUNCTION, make_hook
from tests.support.loopback import Asked, Told, loopback
from tests.support.oidc_provider import serving_provider
from tests.support.server import running, settings_for

REFUSAL = {"error": {"http_code": 403, "message": "Members only"}}


async def test_an_account_is_announced_and_may_be_refused(address: DatabaseAddress, tmp_path: Path) -> None:
    hook = {"hook_before_user_created_enabled": True, "hook_before_user_created_uri": FUNCTION}
    async with serving_provider(Clock()) as provider:
        settings = settings_for(tmp_path, auth=auth_settings(provider.url, **hook))
        async with running(address, settings) as minato:
            harbour = Harbour(minato, provider)
            body = """begin if event #>> '{user,email}' like 'no-%' then return
                '{"error": {"http_code": 403, "message": "Members only"}}'::jsonb; end if;
                return '{}'::jsonb; end"""
            await make_hook(minato, body)
            harbour.meet("no-body@example.com")
            end = await harbour.sign_in()
            assert (end.query["error"], end.query["error_description"]) == ("access_denied", "Members only")
            assert await minato.db.fetchval("select count(*) from auth.users") == 0
            harbour.meet("yes@example.com")
            assert "access_token" in (await harbour.sign_in()).fragment


@pytest.mark.parametrize("refuses", [True, False])
async def test_a_hook_on_the_web_is_asked_before_anything_is_written(
    address: DatabaseAddress, tmp_path: Path, refuses: bool
) -> None:
    asked: list[Any] = []

    def answer(request: Asked) -> Told:
        asked.append(request.json)
        return Told(body=REFUSAL if refuses else {})

    async with serving_provider(Clock()) as provider, loopback(answer) as other:
        hook = {"hook_before_user_created_enabled": True, "hook_before_user_created_uri": f"{other.url}/hook"}
        hook["hook_before_user_created_secrets"] = "v1,whsec_" + "c2VjcmV0" * 8
        async with running(address, settings_for(tmp_path, auth=auth_settings(provider.url, **hook))) as minato:
            harbour = Harbour(minato, provider)
            email = harbour.meet()
            end = await harbour.sign_in()
            assert asked[0]["user"]["email"] == email
            assert asked[0]["user"]["app_metadata"] == {"provider": "google", "providers": ["google"]}
            assert ("access_token" in end.fragment) is not refuses


async def test_an_unverified_address_is_mailed_by_every_way_in(harbour: Harbour) -> None:
    email = harbour.meet(verified=False)
    body = {"provider": "google", "id_token": harbour.provider.id_token()}
    async with harbour.minato.client(**NEW) as client:
        refused = await client.post("/auth/v1/token?grant_type=id_token", json=body)
        assert (refused.status_code, refused.json()["code"]) == (422, "provider_email_needs_verification")
    assert len(harbour.minato.backend.outbox.find(email, "signup")) == 1
