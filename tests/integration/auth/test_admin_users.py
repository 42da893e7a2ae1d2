"""/admin/users: who may, who may not, and what administrators see and do."""

from __future__ import annotations

import httpx
import pytest

from tests.support.server import Minato

PATH = "/auth/v1/admin/users"


@pytest.fixture
def admin(minato: Minato) -> httpx.AsyncClient:
    return minato.client(apikey=minato.service_role_key)


def fresh_address(minato: Minato) -> str:
    return f"{minato.backend.entropy.base32(10)}@example.com"


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", PATH), ("POST", PATH), ("GET", f"{PATH}/x"), ("PUT", f"{PATH}/x"), ("DELETE", f"{PATH}/x")],
)
async def test_nobody_but_administrators_gets_in(minato: Minato, method: str, path: str) -> None:
    async with (
        minato.client() as anonymous,
        minato.client(minato.token("00000000-0000-4000-8000-000000000001")) as user,
    ):
        for client in (anonymous, user):
            answer = await client.request(method, path, json={})
            assert (answer.status_code, answer.json()["error_code"]) == (403, "not_admin")


async def test_an_account_is_made_read_changed_and_deleted(minato: Minato, admin: httpx.AsyncClient) -> None:
    email = fresh_address(minato)
    async with admin:
        body = {"email": email, "password": "correct horse", "email_confirm": True, "user_metadata": {"name": "Aiko"}}
        made = (await admin.post(PATH, json=body)).json()
        assert made["email_confirmed_at"]
        assert made["user_metadata"]["name"] == "Aiko"
        one = f"{PATH}/{made['id']}"
        changes = {"user_metadata": {"name": None, "city": "Kobe"}, "app_metadata": {"plan": "gold"}}
        changed = (await admin.put(one, json=changes)).json()
        assert "name" not in changed["user_metadata"]
        assert changed["app_metadata"] == {"plan": "gold", "provider": "email", "providers": ["email"]}
        assert (await admin.get(one)).json() == changed
        grant = {"email": email, "password": "correct horse"}
        assert (await admin.post("/auth/v1/token?grant_type=password", json=grant)).status_code == 200
        assert (await admin.delete(one)).json() == {}
        gone = await admin.get(one)
    assert (gone.status_code, gone.json()["error_code"]) == (404, "user_not_found")


async def test_pages_are_counted_and_linked(minato: Minato, admin: httpx.AsyncClient) -> None:
    async with admin:
        for _ in range(3):
            await admin.post(PATH, json={"email": fresh_address(minato)})
        answer = await admin.get(PATH, params={"page": 1, "per_page": 2})
    total = int(answer.headers["x-total-count"])
    assert len(answer.json()["users"]) == 2
    assert answer.json()["users"][0]["identities"] is None
    assert answer.headers["link"] == (
        f'</admin/users?page=2&per_page=2>; rel="next", </admin/users?page={-(-total // 2)}&per_page=2>; rel="last"'
    )


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({}, 400, "Cannot create a user without either an email or phone"),
        ({"email": "nobody"}, 400, "Unable to validate email address: invalid format"),
        (
            {"email": "a@b.co", "password": "x", "password_hash": "y"},
            400,
            "Only a password or a password hash should be provided",
        ),
        ({"email": "a@b.co", "password": "x" * 73}, 400, "bcrypt: password length exceeds 72 bytes"),
    ],
)
async def test_what_makes_no_account_is_refused(
    admin: httpx.AsyncClient, body: object, status: int, message: str
) -> None:
    async with admin:
        answer = await admin.post(PATH, json=body)
    assert (answer.status_code, answer.json()["msg"]) == (status, message)


async def test_a_taken_address_and_a_bad_id_are_refused(minato: Minato, admin: httpx.AsyncClient) -> None:
    body = {"email": fresh_address(minato)}
    async with admin:
        await admin.post(PATH, json=body)
        taken = await admin.post(PATH, json=body)
        bad = await admin.get(f"{PATH}/not-a-uuid")
        pages = await admin.get(PATH, params={"page": "x"})
    assert (taken.status_code, taken.json()["error_code"]) == (422, "email_exists")
    assert (bad.status_code, bad.json()["msg"]) == (404, "user_id must be an UUID")
    assert pages.status_code == 400
