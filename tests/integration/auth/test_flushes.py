"""How often a request to auth waits for PostgreSQL: what is known together is asked together, COMMIT rides along."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.auth.request.context import ROLE
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import PASSWORD, refresh
from tests.integration.auth.test_session_rules import EMAIL, serving, sign_in, sign_up
from tests.support.server import Minato

Served = tuple[Minato, httpx.AsyncClient]


@pytest.fixture
async def served(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Served]:
    """A server that nobody else asks, and a client."""
    async with serving(address, tmp_path) as both:
        yield both


@contextmanager
def flushes(served: Served, expected: int) -> Iterator[None]:
    """What is asked in the block takes `expected` flushes."""
    sessions = served[0].backend.database.service(ROLE)
    before = sessions.flushes
    yield
    assert sessions.flushes - before == expected


def bearer(session: dict[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {session['access_token']}"}


async def test_an_account_is_shown_in_one_flush(served: Served) -> None:
    session = await sign_up(served[1])
    with flushes(served, 1):
        answer = await served[1].get("/auth/v1/user", headers=bearer(session))
    assert answer.json() == session["user"]


async def test_a_refresh_takes_two_flushes(served: Served) -> None:
    session = await sign_up(served[1])
    with flushes(served, 2):
        answer = await refresh(served[1], session["refresh_token"])
    assert answer.json()["refresh_token"] != session["refresh_token"]


async def test_an_unknown_refresh_token_is_refused_after_one_flush(served: Served) -> None:
    with flushes(served, 1):
        answer = await refresh(served[1], "aaaaaaaaaaaa")
    assert answer.json()["code"] == "refresh_token_not_found"


async def test_a_sign_in_reads_in_one_flush_and_writes_in_another(served: Served) -> None:
    await sign_up(served[1])
    with flushes(served, 2):
        session = await sign_in(served[1])
    assert session["user"]["email"] == EMAIL


async def test_a_wrong_password_takes_one_flush_as_an_unknown_address_does(served: Served) -> None:
    await sign_up(served[1])
    for email in (EMAIL, "nobody@example.com"):
        with flushes(served, 1):
            body = {"email": email, "password": "wrong"}
            answer = await served[1].post("/auth/v1/token?grant_type=password", json=body)
        assert answer.json()["code"] == "invalid_credentials"


@pytest.mark.parametrize("scope", ["global", "local", "others"])
async def test_a_sign_out_takes_two_flushes(served: Served, scope: str) -> None:
    session = await sign_up(served[1])
    with flushes(served, 2):
        answer = await served[1].post(f"/auth/v1/logout?scope={scope}", headers=bearer(session))
    assert answer.status_code == 204


async def test_a_sign_up_takes_four_flushes(served: Served) -> None:
    """Who has the address; the account in GoTrue's two steps; its confirmation; its session."""
    with flushes(served, 4):
        body = {"email": "new@example.com", "password": PASSWORD}
        answer = await served[1].post("/auth/v1/signup", json=body)
    assert answer.json()["user"]["email"] == "new@example.com"


async def test_a_token_that_nobody_signed_costs_no_flush(served: Served) -> None:
    with flushes(served, 0):
        answer = await served[1].get("/auth/v1/user", headers={"authorization": "Bearer nonsense"})
    assert answer.status_code == 403
