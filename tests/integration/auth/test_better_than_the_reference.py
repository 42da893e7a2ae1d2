"""Where an answer is better than the reference's on purpose (docs/compatibility.md): it stays so."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from minato.config.auth import AuthSettings

from tests.integration.auth.oauth.conftest import harbour as quay  # noqa: F401
from tests.integration.auth.oauth.walk import NEW, Harbour, bearer
from tests.integration.auth.test_factors import enroll, prove
from tests.integration.auth.test_journey import PASSWORD, sign_in
from tests.support.accounts import opened_account
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

ADMIN = "/auth/v1/admin"


@pytest.fixture(scope="module")
async def harbour(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server that confirms by itself."""
    auth = AuthSettings(
        mailer_autoconfirm=True,
        sms_autoconfirm=True,
        external_phone_enabled=True,
        external_anonymous_users_enabled=True,
    )
    async with cluster.fresh_database() as address:
        async with running(address, settings_for(tmp_path_factory.mktemp("data"), auth=auth)) as minato:
            yield minato


def address() -> str:
    return f"{uuid4().hex}@example.com"


def number() -> str:
    return f"49{uuid4().int % 10**11:011}"


async def test_the_identity_of_an_account_an_administrator_confirmed_is_verified(minato: Minato) -> None:
    account = await opened_account(minato)
    assert account["identities"][0]["identity_data"]["email_verified"] is True
    assert account["confirmed_at"] is not None


async def test_a_strong_password_says_nothing_of_weakness(minato: Minato) -> None:
    account = await opened_account(minato)
    async with minato.client() as client:
        credentials = {"email": account["email"], "password": PASSWORD}
        session = (await client.post("/auth/v1/token?grant_type=password", json=credentials)).json()
    assert "weak_password" not in session


async def test_without_single_sign_on_no_next_key_is_shown(minato: Minato) -> None:
    async with minato.client() as client:
        assert (await client.get("/auth/v1/settings")).json()["saml_private_key_next_configured"] is False


async def test_the_providers_of_an_account_follow_its_identities(harbour: Minato) -> None:
    account = await opened_account(harbour)
    both = {"provider": "email", "providers": ["email", "phone"]}
    async with harbour.client(harbour.service_role_key) as admin:
        changed = (await admin.put(f"{ADMIN}/users/{account['id']}", json={"phone": number()})).json()
        assert changed["app_metadata"] == both
        opened = (await admin.post(f"{ADMIN}/users", json={"phone": number(), "phone_confirm": True})).json()
        changed = (await admin.put(f"{ADMIN}/users/{opened['id']}", json={"email": address()})).json()
        assert sorted(changed["app_metadata"]["providers"]) == ["email", "phone"]
    async with harbour.client() as client:
        session = (await client.post("/auth/v1/signup", json={"email": address(), "password": PASSWORD})).json()
        changed = (await client.put("/auth/v1/user", json={"phone": number()}, headers=bearer(session))).json()
        assert changed["app_metadata"] == both
    async with harbour.client() as client:
        nobody = (await client.post("/auth/v1/signup", json={})).json()
        await client.put("/auth/v1/user", json={"email": address()}, headers=bearer(nobody))
        somebody = (await client.get("/auth/v1/user", headers=bearer(nobody))).json()
    assert (somebody["is_anonymous"], somebody["app_metadata"]["providers"]) == (False, ["email"])


async def test_the_address_in_the_metadata_follows_a_changed_address(minato: Minato) -> None:
    async with minato.client() as client:
        session = await sign_in(minato, client)
        old, new = session["user"]["email"], address()
        assert session["user"]["user_metadata"]["email"] == old
        await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
        for mailbox in (old, new):
            mail = minato.backend.outbox.find(mailbox, "email_change")[0].email
            await client.post("/auth/v1/verify", json={"type": "email_change", "token_hash": mail.token_hash})
        user = (await client.get("/auth/v1/user", headers=bearer(session))).json()
    assert (user["email"], user["user_metadata"]["email"]) == (new, new)


@pytest.mark.parametrize("path", ["/otp", "/magiclink"])
async def test_a_link_to_a_new_account_opens_no_session_that_nobody_gets(harbour: Minato, path: str) -> None:
    email = address()
    async with harbour.client() as client:
        assert (await client.post(f"/auth/v1{path}", json={"email": email})).status_code == 200
    opened = "select count(*) from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1"
    assert await harbour.db.fetchval(opened, email) == 0


async def test_a_code_to_a_new_number_opens_no_session_that_nobody_gets(harbour: Minato) -> None:
    phone = number()
    async with harbour.client() as client:
        assert (await client.post("/auth/v1/otp", json={"phone": phone})).status_code == 200
    found = await harbour.db.fetchrow(
        "select phone_confirmed_at, (select count(*) from auth.sessions s where s.user_id = u.id) as sessions "
        "from auth.users u where phone = $1",
        phone,
    )
    assert (found["phone_confirmed_at"] is not None, found["sessions"]) == (True, 0)


async def test_a_generated_link_to_the_new_address_is_the_one_that_is_stored(minato: Minato) -> None:
    account, new = await opened_account(minato), address()
    async with minato.client(minato.service_role_key) as admin, minato.client() as client:
        links = {}
        for kind in ("email_change_current", "email_change_new"):
            body = {"type": kind, "email": account["email"], "new_email": new}
            links[kind] = (await admin.post(f"{ADMIN}/generate_link", json=body)).json()
            stored = "select count(*) from auth.one_time_tokens where user_id = $1 and token_hash = $2"
            assert await minato.db.fetchval(stored, account["id"], links[kind]["hashed_token"]) == 1
        await client.get(links["email_change_current"]["action_link"])
        typed = {"type": "email_change", "email": new, "token": links["email_change_new"]["email_otp"]}
        changed = (await client.post("/auth/v1/verify", json=typed)).json()
    assert changed["user"]["email"] == new


async def test_what_is_a_500_in_the_reference_is_answered(minato: Minato) -> None:
    async with minato.client(minato.service_role_key, **NEW) as admin:
        assert (await admin.get(f"{ADMIN}/users?per_page=0")).status_code == 200
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        half = {"email": address(), "code_challenge": "x" * 43}
        assert (await client.put("/auth/v1/user", json=half, headers=bearer(session))).status_code == 400
        dots = {"email": f"a..b@{uuid4().hex}.example", "password": PASSWORD}
        assert (await client.post("/auth/v1/signup", json=dots)).status_code < 500
        broken = {b"authorization": "Bearer \udcff\udcfe.x.y".encode("utf-8", "surrogateescape")}
        assert (await client.get("/auth/v1/user", headers=broken)).status_code in (401, 403)


async def test_a_large_number_keeps_its_digits(minato: Minato) -> None:
    account = await opened_account(minato, user_metadata={"n": 9007199254740993})
    assert account["user_metadata"]["n"] == 9007199254740993


async def test_a_name_with_an_ampersand_stays_whole_in_the_address_of_a_factor(minato: Minato) -> None:
    async with minato.client() as client:
        session = await sign_in(minato, client)
        body = {"factor_type": "totp", "friendly_name": "app", "issuer": "Cars & Co"}
        uri = (await client.post("/auth/v1/factors", json=body, headers=bearer(session))).json()["totp"]["uri"]
    assert httpx.URL(uri).params["issuer"] == "Cars & Co"


async def test_the_log_knows_where_a_request_came_from(minato: Minato) -> None:
    async with minato.client() as client:
        session = await sign_in(minato, client)
    addresses = await minato.db.fetch(
        "select ip_address from auth.audit_log_entries where payload->>'actor_id' = $1", session["user"]["id"]
    )
    assert {row["ip_address"] for row in addresses} == {"127.0.0.1"}


async def test_a_proven_factor_is_shown_without_those_it_removed(minato: Minato) -> None:
    async with minato.client() as client:
        session = await sign_in(minato, client)
        await enroll(client, session, "first")
        factor = await enroll(client, session, "second")
        proven = (await prove(minato, client, session, factor)).json()
    assert [one["id"] for one in proven["user"]["factors"]] == [factor["id"]]


@pytest.mark.parametrize("path", ["/signup", "/otp", "/recover", "/invite"])
async def test_every_mail_knows_where_it_goes_and_the_hash_of_its_token(
    cluster: Cluster, tmp_path: Path, path: str
) -> None:
    template = "[{{ .SendingTo }} {{ .TokenHash }}]"
    kinds = ("confirmation", "invite", "recovery", "magic_link", "email_change", "reauthentication")
    auth = AuthSettings.model_validate({f"mailer_templates_{kind}": template for kind in kinds})
    async with cluster.fresh_database() as database:
        async with running(database, settings_for(tmp_path, auth=auth)) as minato:
            email = (await opened_account(minato))["email"] if path in ("/otp", "/recover") else address()
            async with minato.client(minato.service_role_key) as service:
                answer = await service.post(f"/auth/v1{path}", json={"email": email, "password": PASSWORD})
                assert answer.status_code == 200
            mail = minato.backend.outbox.find(email)[0].email
            assert mail.html == f"[{email} {mail.token_hash}]"


async def test_a_nonce_knows_where_it_goes_and_its_hash(cluster: Cluster, tmp_path: Path) -> None:
    auth = AuthSettings(mailer_templates_reauthentication="[{{ .SendingTo }} {{ .TokenHash }}]")
    async with cluster.fresh_database() as database:
        async with running(database, settings_for(tmp_path, auth=auth)) as minato, minato.client() as client:
            session = await sign_in(minato, client)
            assert (await client.get("/auth/v1/reauthenticate", headers=bearer(session))).status_code == 200
            mail = minato.backend.outbox.find(session["user"]["email"], "reauthentication")[0].email
            assert mail.html == f"[{mail.to} {mail.token_hash}]"


async def test_both_mails_of_a_change_of_address_say_where_they_go(cluster: Cluster, tmp_path: Path) -> None:
    auth = AuthSettings(mailer_templates_email_change="[{{ .SendingTo }} {{ .TokenHash }}]")
    async with cluster.fresh_database() as database:
        async with running(database, settings_for(tmp_path, auth=auth)) as minato, minato.client() as client:
            session, new = await sign_in(minato, client), address()
            await client.put("/auth/v1/user", json={"email": new}, headers=bearer(session))
            for email in (session["user"]["email"], new):
                mail = minato.backend.outbox.find(email, "email_change")[0].email
                assert mail.html == f"[{email} {mail.token_hash}]"


async def test_a_used_token_leaves_none_of_the_others_in_the_account(minato: Minato) -> None:
    account = await opened_account(minato)
    async with minato.client() as client:
        for path in ("/recover", "/otp"):
            await client.post(f"/auth/v1{path}", json={"email": account["email"]})
        used = minato.backend.outbox.find(account["email"], "magiclink")[0].email.token_hash
        session = (await client.post("/auth/v1/verify", json={"type": "magiclink", "token_hash": used})).json()
        await client.put("/auth/v1/user", json={"email": address()}, headers=bearer(session))
        changed = {"password": f"another {PASSWORD}"}
        assert (await client.put("/auth/v1/user", json=changed, headers=bearer(session))).status_code == 200
    columns = "recovery_token, email_change_token_new, email_change_token_current, reauthentication_token"
    row = await minato.db.fetchrow(f"select {columns} from auth.users where id = $1", account["id"])
    assert set(row) == {""}


async def test_the_sites_own_host_in_capitals_is_the_same_host(cluster: Cluster, tmp_path: Path) -> None:
    auth = AuthSettings(site_url="https://cars.example")
    target = "https://CARS.Example/Welcome"
    async with cluster.fresh_database() as database:
        async with running(database, settings_for(tmp_path, auth=auth)) as minato, minato.client() as client:
            email = address()
            await client.post(f"/auth/v1/signup?redirect_to={target}", json={"email": email, "password": PASSWORD})
            answer = await client.get(str(minato.backend.outbox.find(email)[0].email.link))
    assert answer.status_code == 303
    assert answer.headers["location"].partition("#")[0] == target


@pytest.mark.parametrize("token", ["no token", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "\u8eca.\u8eca.\u8eca"])
async def test_what_is_no_token_of_keycloak_is_refused(quay: Harbour, token: str) -> None:  # noqa: F811
    async with quay.minato.client(**NEW) as client:
        body = {"provider": "keycloak", "id_token": token}
        answer = await client.post("/auth/v1/token?grant_type=id_token", json=body)
    assert (answer.status_code, answer.json()["error_description"]) == (400, "Bad ID token")
