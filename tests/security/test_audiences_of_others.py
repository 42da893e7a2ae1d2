"""An address is one account's, whatever audience a client names: naming another tells nothing and breaks nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.auth.rows import users
from minato.auth.rows.users import User
from minato.database.wire.transaction import ServiceTransaction

from tests.security.test_discretion import HIDDEN, finished, said, shape
from tests.support.accounts import (
    PASSWORD,
    bearer,
    fresh_address,
    member,
    newest,
    opened_account,
    post,
    server,
    sign_up,
    verify,
)
from tests.support.postgres import Cluster
from tests.support.server import Minato

OTHER = {"x-jwt-aud": "somebody-elses"}
PHONES: dict[str, Any] = {"external_phone_enabled": True}


async def sign_up_elsewhere(client: httpx.AsyncClient, **address: str) -> httpx.Response:
    return await post(client, "/signup", {**address, "password": PASSWORD}, **OTHER)


@pytest.mark.parametrize("confirmed", [True, False])
async def test_a_sign_up_for_another_audience_looks_like_that_of_a_free_address(
    minato: Minato, confirmed: bool
) -> None:
    async with minato.client() as client:
        email = fresh_address(minato)
        await sign_up(client, email)
        if confirmed:
            await verify(client, "signup", newest(minato, email).token_hash)
        before = await minato.db.fetchrow("select * from auth.users where email = $1", email)
        taken = await sign_up_elsewhere(client, email=email)
        free = await sign_up_elsewhere(client, email=fresh_address(minato))
        assert await minato.db.fetchrow("select * from auth.users where email = $1", email) == before
    assert (taken.status_code, free.status_code) == (200, 200)
    assert shape(taken.json()) == shape(free.json())
    assert taken.json()["id"] != str(before["id"])


@pytest.mark.parametrize("confirmed", [True, False])
async def test_a_number_of_another_audience_looks_free_too(cluster: Cluster, tmp_path: Path, confirmed: bool) -> None:
    async with server(cluster, tmp_path, **PHONES) as minato, minato.client() as client:
        await post(client, "/signup", {"phone": "491510000001", "password": PASSWORD})
        if confirmed:
            await minato.db.execute("update auth.users set phone_confirmed_at = now()")
        taken = await sign_up_elsewhere(client, phone="491510000001")
        free = await sign_up_elsewhere(client, phone="491510000002")
    assert (taken.status_code, free.status_code) == (200, 200)
    assert shape(taken.json()) == shape(free.json())


async def test_where_nothing_is_confirmed_an_account_of_another_audience_is_one_already(
    cluster: Cluster, tmp_path: Path
) -> None:
    settings = {**PHONES, "mailer_autoconfirm": True, "sms_autoconfirm": True}
    async with server(cluster, tmp_path, **settings) as minato, minato.client() as client:
        for address in ({"email": "anna@example.com"}, {"phone": "491510000001"}):
            assert (await post(client, "/signup", {**address, "password": PASSWORD})).status_code == 200
            again = await sign_up_elsewhere(client, **address)
            assert (again.status_code, again.json()["code"]) == (422, "user_already_exists")


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("path", ["/otp", "/magiclink"])
async def test_a_link_for_another_audience_is_not_sent(
    cluster: Cluster, tmp_path: Path, path: str, hidden: bool
) -> None:
    settings = {**HIDDEN, **PHONES, "security_hide_accounts": hidden, "sms_max_frequency": 60}
    async with server(cluster, tmp_path, **settings) as minato, minato.client() as client:
        email = (await member(minato, client))["user"]["email"]
        await post(client, "/signup", {"phone": "491510000001", "password": PASSWORD})
        sent = len(minato.backend.outbox.find(email)), len(minato.backend.sms_outbox.find("491510000001"))
        for address in ({"email": email}, {"phone": "491510000001"})[: 2 if path == "/otp" else 1]:
            answer = await post(client, path, address, **OTHER)
            await finished(minato)
            if hidden:
                free = {"email": fresh_address(minato)} if "email" in address else {"phone": "491510000002"}
                assert said(answer) == said(await post(client, path, free, **OTHER))
                await finished(minato)
            else:
                code = "email_exists" if "email" in address else "phone_exists"
                assert (answer.status_code, answer.json()["code"]) == (422, code)
        now = len(minato.backend.outbox.find(email)), len(minato.backend.sms_outbox.find("491510000001"))
    assert now == sent


@pytest.mark.parametrize("confirmed", [True, False])
async def test_a_number_leads_to_no_account_of_single_sign_on(
    cluster: Cluster, tmp_path: Path, confirmed: bool
) -> None:
    async with server(cluster, tmp_path, **PHONES) as minato, minato.client() as client:
        account = await opened_account(minato, phone="491510000001", phone_confirm=confirmed)
        await minato.db.execute("update auth.users set is_sso_user = true where id = $1", account["id"])
        before = await minato.db.fetchrow("select * from auth.users where id = $1", account["id"])
        code = await post(client, "/otp", {"phone": "491510000001"})
        assert (code.status_code, code.json()["code"]) == (422, "phone_exists")
        taken = await post(client, "/signup", {"phone": "491510000001", "password": PASSWORD})
        free = await post(client, "/signup", {"phone": "491510000002", "password": PASSWORD})
        assert minato.backend.sms_outbox.find("491510000001") == []
        assert await minato.db.fetchrow("select * from auth.users where id = $1", account["id"]) == before
    assert (taken.status_code, shape(taken.json())) == (200, shape(free.json()))
    assert taken.json()["id"] != account["id"]


async def test_nobody_changes_to_an_address_of_another_audience(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, **PHONES) as minato, minato.client() as client:
        await opened_account(minato, email="anna@example.com", phone="491510000001", aud="somebody-elses")
        session = await member(minato, client)
        for address, code in (
            ({"email": "anna@example.com"}, "email_exists"),
            ({"phone": "491510000001"}, "phone_exists"),
        ):
            answer = await client.put("/auth/v1/user", json=address, headers=bearer(session))
            assert (answer.status_code, answer.json()["error_code"]) == (422, code)


async def test_an_administrator_is_told_that_the_address_is_taken(cluster: Cluster, tmp_path: Path) -> None:
    async with server(cluster, tmp_path, **PHONES) as minato, minato.client(minato.service_role_key) as admin:
        await opened_account(minato, email="anna@example.com", phone="491510000001")
        other = await opened_account(minato)
        email = {"email": "anna@example.com"}
        signing = {**email, "password": PASSWORD}
        asked = [
            ("/admin/users", email, "email_exists"),
            ("/admin/users", {"phone": "491510000001"}, "phone_exists"),
            ("/invite", email, "email_exists"),
            *(("/admin/generate_link", {**signing, "type": kind}, "email_exists") for kind in LINKS),
        ]
        for path, body, code in asked:
            answer = await post(admin, path, body, **OTHER)
            assert (answer.status_code, answer.json()["code"]) == (422, code), (path, body)
        await minato.db.execute("update auth.users set aud = 'somebody-elses' where id = $1", other["id"])
        for body, code in ((email, "email_exists"), ({"phone": "491510000001"}, "phone_exists")):
            answer = await admin.put(f"/auth/v1/admin/users/{other['id']}", json=body)
            assert (answer.status_code, answer.json()["error_code"]) == (422, code)


LINKS = ("signup", "invite", "magiclink")


@pytest.mark.parametrize("path", ["/signup", "/otp", "/token?grant_type=password"])
async def test_an_audience_that_no_account_can_have_is_refused(minato: Minato, path: str) -> None:
    async with minato.client() as client:
        body = {"email": fresh_address(minato), "password": PASSWORD}
        longest = await post(client, path, body, **{"x-jwt-aud": "a" * 255})
        longer = await post(client, path, body, **{"x-jwt-aud": "a" * 256})
    assert longest.json().get("code") != "validation_failed"
    assert (longer.status_code, longer.json()["code"]) == (400, "validation_failed")


@pytest.mark.parametrize("name", ["aud", "role"])
async def test_nor_does_an_administrator_give_one(minato: Minato, name: str) -> None:
    account = await opened_account(minato)
    async with minato.client(minato.service_role_key) as admin:
        opened = await post(admin, "/admin/users", {"email": fresh_address(minato), name: "é" * 256})
        changed = await admin.put(f"/auth/v1/admin/users/{account['id']}", json={name: "é" * 256})
    assert (opened.status_code, opened.json()["code"]) == (400, "validation_failed")
    assert (changed.status_code, changed.json()["error_code"]) == (400, "validation_failed")


@pytest.mark.parametrize(("path", "more"), [("/invite", {}), ("/admin/generate_link", {"type": "signup"})])
async def test_an_account_that_is_opened_meanwhile_is_no_other_audiences(
    minato: Minato, monkeypatch: pytest.MonkeyPatch, path: str, more: dict[str, str]
) -> None:
    email, find = fresh_address(minato), users.find_by_email

    async def find_too_early(db: ServiceTransaction, address: str, audience: str) -> User | None:
        monkeypatch.undo()
        found = await find(db, address, audience)
        async with minato.client() as other:
            assert (await sign_up(other, email)).status_code == 200
        return found

    monkeypatch.setattr(users, "find_by_email", find_too_early)
    async with minato.client(minato.service_role_key) as admin:
        answer = await post(admin, path, {"email": email, "password": PASSWORD, **more})
    assert answer.status_code == 200, answer.text
