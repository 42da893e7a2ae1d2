"""Settings that change what signing in through others does: news of it, unverified addresses, no linking."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from minato.clock import Clock
from minato.database.address import DatabaseAddress

from tests.integration.auth.oauth.conftest import auth_settings
from tests.integration.auth.oauth.test_account_linking import LINK, linked, unlinked
from tests.integration.auth.oauth.walk import NEW, Harbour, bearer
from tests.integration.auth.test_journey import sign_in
from tests.support import accounts
from tests.support.oidc_provider import serving_provider
from tests.support.server import running, settings_for


@asynccontextmanager
async def harbour_with(address: DatabaseAddress, folder: Path, **settings: object) -> AsyncIterator[Harbour]:
    async with serving_provider(Clock()) as provider:
        auth = auth_settings(provider.url, **settings)
        async with running(address, settings_for(folder, auth=auth)) as minato:
            provider.clock = minato.backend.clock
            yield Harbour(minato, provider)


async def test_the_owner_is_told_of_a_provider_linked_and_unlinked(address: DatabaseAddress, tmp_path: Path) -> None:
    wanted = {f"mailer_notifications_identity_{what}_enabled": True for what in ("linked", "unlinked")}
    async with harbour_with(address, tmp_path, **wanted) as harbour, harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        harbour.meet()
        assert "access_token" in (await linked(harbour, client, session)).fragment
        told = harbour.minato.backend.outbox.find(session["user"]["email"], "identity_linked_notification")
        assert ["google" in entry.message.html for entry in told] == [True]
        mine = (await client.get("/auth/v1/user", headers=bearer(session))).json()
        google = next(one["identity_id"] for one in mine["identities"] if one["provider"] == "google")
        gone = await client.delete(f"/auth/v1/user/identities/{google}", headers=bearer(session))
        assert gone.status_code == 200
        told = harbour.minato.backend.outbox.find(session["user"]["email"], "identity_unlinked_notification")
        assert ["google" in entry.message.html for entry in told] == [True]


async def test_an_unverified_address_signs_in_where_that_is_allowed(address: DatabaseAddress, tmp_path: Path) -> None:
    async with harbour_with(address, tmp_path, mailer_allow_unverified_email_sign_ins=True) as harbour:
        email = harbour.meet(verified=False)
        landed = await harbour.sign_in("github")
        assert "access_token" in landed.fragment
        assert len(harbour.minato.backend.outbox.find(email, "signup")) == 1
        confirmed = "select email_confirmed_at from auth.users where email = $1"
        assert await harbour.minato.db.fetchval(confirmed, email) is None


@pytest.mark.parametrize("confirms", [True, False])
async def test_a_claimed_address_an_account_is_left_with_is_confirmed_where_all_are(
    address: DatabaseAddress, tmp_path: Path, confirms: bool
) -> None:
    own = harbour_with(address, tmp_path, mailer_autoconfirm=confirms)
    async with own as harbour, harbour.minato.client(**NEW) as client:
        account, elsewhere = await accounts.opened_account(harbour.minato), harbour.meet(verified=False)
        session = (await accounts.sign_in(client, account["email"])).json()
        await linked(harbour, client, session)
        await unlinked(client, session, "email")
        row = await harbour.minato.db.fetchrow("select * from auth.users where email = $1", elsewhere)
        said = f'"email_verified": {str(confirms).lower()}' in row["raw_user_meta_data"]
        assert (row["email_confirmed_at"] is not None, said) == (confirms, True)


async def test_identities_are_not_linked_where_that_is_off(address: DatabaseAddress, tmp_path: Path) -> None:
    off = harbour_with(address, tmp_path, security_manual_linking_enabled=False)
    async with off as harbour, harbour.minato.client(**NEW) as client:
        session = await sign_in(harbour.minato, client)
        identity = session["user"]["identities"][0]["identity_id"]
        for method, path in (("GET", f"{LINK}?provider=google"), ("DELETE", f"/auth/v1/user/identities/{identity}")):
            refused = await client.request(method, path, headers=bearer(session))
            assert (refused.status_code, refused.json()["code"]) == (404, "manual_linking_disabled")
