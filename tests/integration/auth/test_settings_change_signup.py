"""Signing up under other settings than the default ones."""

from __future__ import annotations

from pathlib import Path

from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW, PASSWORD, bearer
from tests.support import server

OPEN = AuthSettings(mailer_autoconfirm=True, external_anonymous_users_enabled=True)
SLOW = AuthSettings(smtp_max_frequency=60)


async def test_without_confirmation_signup_gives_a_session(address: DatabaseAddress, tmp_path: Path) -> None:
    async with server.running(address, server.settings_for(tmp_path, auth=OPEN)) as minato, minato.client() as client:
        body = {"email": "Anna@example.com", "password": PASSWORD}
        session = (await client.post("/auth/v1/signup", json=body)).json()
        assert session["user"]["email"] == "anna@example.com"
        again = await client.post("/auth/v1/signup", json=body, headers=NEW)
        assert (again.status_code, again.json()["code"]) == (422, "user_already_exists")
        nobody = (await client.post("/auth/v1/signup", json={})).json()
        assert (nobody["user"]["is_anonymous"], nobody["user"]["identities"]) == (True, [])
        assert (await client.get("/auth/v1/user", headers=bearer(nobody))).status_code == 200


async def test_a_second_mail_too_soon_is_refused(address: DatabaseAddress, tmp_path: Path) -> None:
    async with server.running(address, server.settings_for(tmp_path, auth=SLOW)) as minato, minato.client() as client:
        body = {"email": "anna@example.com", "password": PASSWORD}
        assert (await client.post("/auth/v1/signup", json=body)).status_code == 200
        again = await client.post("/auth/v1/signup", json=body, headers=NEW)
        assert (again.status_code, again.json()["code"]) == (429, "over_email_send_rate_limit")


async def test_a_raising_trigger_is_shown_only_in_the_old_format(address: DatabaseAddress, tmp_path: Path) -> None:
    async with server.running(address, server.settings_for(tmp_path)) as minato, minato.client() as client:
        await minato.db.execute(
            "create function public.refuse() returns trigger language plpgsql as"
            " $$ begin raise exception 'no'; end $$;"
            " create trigger refuse before insert on auth.users for each row execute function public.refuse()"
        )
        body = {"email": "anna@example.com", "password": PASSWORD}
        new = await client.post("/auth/v1/signup", json=body, headers=NEW)
        assert new.json() == {"code": "unexpected_failure", "message": "Database error saving new user"}
        old = await client.post("/auth/v1/signup", json=body)
        assert (old.status_code, old.json()) == (500, {"code": "P0001", "message": "no"})


async def test_what_is_off_says_so(address: DatabaseAddress, tmp_path: Path) -> None:
    closed = AuthSettings(oauth_server_enabled=True)
    async with (
        server.running(address, server.settings_for(tmp_path, auth=closed)) as minato,
        minato.client(**NEW) as client,
    ):
        anonymous = await client.post("/auth/v1/signup", json={})
        assert (anonymous.status_code, anonymous.json()["code"]) == (422, "anonymous_provider_disabled")
        other = await client.post("/auth/v1/oauth/clients/register", json={"redirect_uris": ["https://other.example"]})
        assert (other.status_code, other.json()["code"]) == (403, "oauth_dynamic_client_registration_disabled")
