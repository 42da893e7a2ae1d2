"""Accounts as an administrator sees and changes them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import argon2
import httpx
import pytest

from tests.integration.auth.test_journey import NEW, PASSWORD, bearer, sign_in
from tests.support.server import Minato

USERS = "/auth/v1/admin/users"
NOBODY = "00000000-0000-4000-8000-000000000000"


def as_admin(minato: Minato) -> httpx.AsyncClient:
    return minato.client(minato.service_role_key, **NEW)


async def create(client: httpx.AsyncClient, email: str, **values: Any) -> dict[str, Any]:
    answer = await client.post(USERS, json={"email": email, "password": PASSWORD, "email_confirm": True, **values})
    assert answer.status_code == 200, answer.text
    user: dict[str, Any] = answer.json()
    return user


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/admin/users"),
        ("POST", "/admin/users"),
        ("GET", f"/admin/users/{NOBODY}"),
        ("PUT", f"/admin/users/{NOBODY}"),
        ("DELETE", f"/admin/users/{NOBODY}"),
        ("GET", "/admin/sso/providers"),
        ("GET", "/admin/custom-providers"),
    ],
)
async def test_only_administrators_pass(minato: Minato, method: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=minato.url) as nobody:
        answer = await nobody.request(method, f"/auth/v1{path}", json={})
        assert (answer.status_code, answer.json()["error_code"]) == (401, "no_authorization")
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        for headers in ({}, bearer(session)):
            answer = await client.request(method, f"/auth/v1{path}", json={}, headers=headers)
            assert (answer.status_code, answer.json()) == (403, {"code": "not_admin", "message": "User not allowed"})


async def test_a_created_account_signs_in_and_a_ban_keeps_it_out_until_it_ends(own_minato: Minato) -> None:
    minato, credentials = own_minato, {"email": "ann@example.com", "password": PASSWORD}
    async with as_admin(minato) as admin:
        given = {"app_metadata": {"plan": "pro"}, "user_metadata": {"full_name": "Ann"}}
        user = await create(admin, "Ann@Example.com", **given)
        assert user["app_metadata"] == {"plan": "pro", "provider": "email", "providers": ["email"]}
        assert user["user_metadata"] == {"email_verified": True, "full_name": "Ann"}
        assert user["role"] == "authenticated"
        one = f"{USERS}/{user['id']}"
        session = (await admin.post("/auth/v1/token?grant_type=password", json=credentials)).json()
        banned = (await admin.put(one, json={"ban_duration": "1h30m"})).json()
        assert "banned_until" in banned
        refused = await admin.post("/auth/v1/token?grant_type=password", json=credentials)
        assert (refused.status_code, refused.json()["code"]) == (400, "user_banned")
        mine = await admin.get("/auth/v1/user", headers=bearer(session))
        assert (mine.status_code, mine.json()["code"]) == (403, "user_banned")
        minato.backend.clock.advance(timedelta(minutes=91))
        assert (await admin.post("/auth/v1/token?grant_type=password", json=credentials)).status_code == 200
        assert "banned_until" not in (await admin.put(one, json={"ban_duration": "none"})).json()


async def test_a_change_merges_metadata_and_a_new_password_ends_every_session(minato: Minato) -> None:
    async with as_admin(minato) as admin:
        session = await sign_in(minato, admin)
        one = f"{USERS}/{session['user']['id']}"
        change = {"password": "new horse", "email": f"{minato.backend.entropy.base32(9)}@example.com"}
        metadata = {"user_metadata": {"name": None, "city": "Kobe"}, "app_metadata": {"roles": ["staff"]}}
        changed = (await admin.put(one, json={**change, **metadata})).json()
        assert "name" not in changed["user_metadata"]
        assert changed["user_metadata"]["city"] == "Kobe"
        assert changed["app_metadata"]["roles"] == ["staff"]
        assert changed["email"] == changed["identities"][0]["email"] == change["email"].lower()
        gone = await admin.get("/auth/v1/user", headers=bearer(session))
        assert gone.json()["code"] == "session_not_found"
        assert (await admin.get(one)).json() == changed


@pytest.mark.parametrize(
    ("taken", "code"),
    [({"email": "Held@example.com"}, "email_exists"), ({"phone": "+15557654321"}, "phone_exists")],
)
async def test_a_change_to_what_somebody_else_has_is_refused_and_to_the_own_is_none(
    minato: Minato, taken: dict[str, str], code: str
) -> None:
    async with as_admin(minato) as admin:
        await admin.post(USERS, json={"email": "held@example.com", "phone": "15557654321"})
        held = (await admin.get(USERS, params={"filter": "held@example.com"})).json()["users"][0]
        other = await create(admin, f"{minato.backend.entropy.base32(9)}@example.com")
        refused = await admin.put(f"{USERS}/{other['id']}", json={**taken, "user_metadata": {"a": 1}})
        assert (refused.status_code, refused.json()["code"]) == (422, code)
        assert (await admin.get(f"{USERS}/{other['id']}")).json()["user_metadata"] == other["user_metadata"]
        assert (await admin.put(f"{USERS}/{held['id']}", json=taken)).status_code == 200


async def test_the_list_comes_in_pages_that_know_of_each_other(own_minato: Minato) -> None:
    async with as_admin(own_minato) as admin:
        for name in ("a", "b", "c"):
            await create(admin, f"{name}@example.com", user_metadata={"full_name": f"Person {name.upper()}"})
            own_minato.backend.clock.advance(timedelta(seconds=1))
        first = await admin.get(USERS, params={"per_page": "2"})
        assert [user["email"][0] for user in first.json()["users"]] == ["c", "b"]
        assert first.json()["users"][0]["identities"] is None
        assert first.json()["aud"] == "authenticated"
        assert first.headers["x-total-count"] == "3"
        assert first.headers["link"] == (
            '</admin/users?page=2&per_page=2>; rel="next", </admin/users?page=2&per_page=2>; rel="last"'
        )
        last = await admin.get(USERS, params={"per_page": "2", "page": "2", "sort": "created_at asc"})
        assert [user["email"][0] for user in last.json()["users"]] == ["c"]
        assert last.headers["link"] == '</admin/users?page=2&per_page=2&sort=created_at+asc>; rel="last"'
        for wanted in ("b@ex", "person b"):
            found = (await admin.get(USERS, params={"filter": wanted})).json()["users"]
            assert [user["email"] for user in found] == ["b@example.com"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"sort": "email asc"}, "Bad Sort Parameters: bad field for sort 'email'"),
        ({"page": "x"}, 'Bad Pagination Parameters: strconv.ParseUint: parsing "x": invalid syntax'),
        ({"per_page": "-1"}, 'Bad Pagination Parameters: strconv.ParseUint: parsing "-1": invalid syntax'),
        ({"page": "9" * 30}, f'Bad Pagination Parameters: strconv.ParseUint: parsing "{"9" * 30}": value out of range'),
    ],
)
async def test_a_bad_page_is_refused(minato: Minato, query: dict[str, str], message: str) -> None:
    async with as_admin(minato) as admin:
        answer = await admin.get(USERS, params=query)
        assert (answer.status_code, answer.json()) == (400, {"code": "validation_failed", "message": message})


@pytest.mark.parametrize(
    ("body", "status", "code", "message"),
    [
        ({}, 400, "validation_failed", "Cannot create a user without either an email or phone"),
        ({"id": "x"}, 400, "validation_failed", "ID must conform to the uuid v4 format"),
        (
            {"id": "00000000-0000-0000-0000-000000000000"},
            400,
            "validation_failed",
            "ID cannot be a nil uuid",
        ),
        (
            {"ban_duration": "x"},
            400,
            "validation_failed",
            'invalid format for ban duration: time: invalid duration "x"',
        ),
        (
            {"password": "a", "password_hash": "b"},
            400,
            "validation_failed",
            "Only a password or a password hash should be provided",
        ),
        ({"password": "a" * 73}, 400, "validation_failed", "bcrypt: password length exceeds 72 bytes"),
        ({"email": "x"}, 400, "validation_failed", "Unable to validate email address: invalid format"),
        (
            {"email": "taken@example.com"},
            422,
            "email_exists",
            "A user with this email address has already been registered",
        ),
        ({"phone": "15551234567"}, 422, "phone_exists", "Phone number already registered by another user"),
    ],
)
async def test_an_account_that_cannot_be_is_refused(
    minato: Minato, body: dict[str, Any], status: int, code: str, message: str
) -> None:
    async with as_admin(minato) as admin:
        await admin.post(USERS, json={"email": "taken@example.com", "phone": "15551234567"})
        fresh = {"email": f"{minato.backend.entropy.base32(9)}@example.com"} if body else {}
        answer = await admin.post(USERS, json={**fresh, **body})
        assert (answer.status_code, answer.json()) == (status, {"code": code, "message": message})


async def test_a_given_hash_signs_in_when_it_is_of_a_known_kind(minato: Minato) -> None:
    credentials = {"email": f"{minato.backend.entropy.base32(9)}@example.com", "password": PASSWORD}
    hashed = argon2.PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PASSWORD)
    account = {"email": credentials["email"], "email_confirm": True}
    async with as_admin(minato) as admin:
        unknown = await admin.post(USERS, json={**account, "password_hash": "rot13"})
        assert (unknown.status_code, unknown.json()["message"]) == (500, "Error creating user")
        assert (await admin.post(USERS, json={**account, "password_hash": hashed})).status_code == 200
        assert (await admin.post("/auth/v1/token?grant_type=password", json=credentials)).status_code == 200


async def test_a_deleted_account_is_gone_and_a_softly_deleted_one_tells_nothing(minato: Minato) -> None:
    async with as_admin(minato) as admin:
        email = f"{minato.backend.entropy.base32(9)}@example.com".lower()
        user = await create(admin, email, user_metadata={"full_name": "Ann"})
        one = f"{USERS}/{user['id']}"
        softly = await admin.request("DELETE", one, json={"should_soft_delete": True})
        assert (softly.status_code, softly.text) == (200, "{}")
        rest = (await admin.get(one)).json()
        assert "deleted_at" in rest
        assert email not in str(rest)
        assert "Ann" not in str(rest)
        again = await create(admin, email)
        assert (await admin.delete(f"{USERS}/{again['id']}")).text == "{}"
        gone = await admin.get(f"{USERS}/{again['id']}")
        assert (gone.status_code, gone.json()["code"]) == (404, "user_not_found")
        odd = await admin.get(f"{USERS}/x")
        assert (odd.status_code, odd.json()["message"]) == (404, "user_id must be an UUID")
