"""Corners of the auth service where who is not signed in learned of what there is."""

from __future__ import annotations

import httpx
import pytest

from tests.integration.auth.test_journey import NEW, bearer, sign_in
from tests.support.server import Minato

CLOSED = [
    ("PATCH", "/admin/users"),
    ("GET", "/admin"),
    ("GET", "/admin/nothing"),
    ("POST", "/admin/users/x/y/z"),
    ("PATCH", "/user"),
    ("POST", "/user/nothing"),
    ("GET", "/factors"),
    ("GET", "/factors/x/nothing"),
]


@pytest.mark.parametrize(("method", "path"), CLOSED)
async def test_below_closed_paths_a_token_is_asked_for_first(minato: Minato, method: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=minato.url, headers=NEW) as nobody:
        answer = await nobody.request(method, f"/auth/v1{path}")
    assert (answer.status_code, answer.json()["code"]) == (401, "no_authorization")


@pytest.mark.parametrize(("method", "path"), [case for case in CLOSED if case[1].startswith("/admin")])
async def test_users_do_not_learn_what_administrators_have(minato: Minato, method: str, path: str) -> None:
    async with minato.client(**NEW) as client:
        session = await sign_in(minato, client)
        answer = await client.request(method, f"/auth/v1{path}", headers=bearer(session))
        assert (answer.status_code, answer.json()["code"]) == (403, "not_admin")
    async with minato.client(minato.service_role_key) as admin:
        assert (await admin.request(method, f"/auth/v1{path}")).status_code in (404, 405)


@pytest.mark.parametrize(
    ("method", "path", "status"), [("PATCH", "/user", 405), ("POST", "/user/nothing", 404), ("GET", "/factors", 405)]
)
async def test_who_is_signed_in_learns_that_there_is_nothing(
    minato: Minato, method: str, path: str, status: int
) -> None:
    async with minato.client() as client:
        session = await sign_in(minato, client)
        assert (await client.request(method, f"/auth/v1{path}", headers=bearer(session))).status_code == status
