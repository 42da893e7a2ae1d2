"""How often a request to auth waits for PostgreSQL: what is known together is asked together, COMMIT rides along."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.auth.request.context import ROLE
from minato.config.auth import AuthSettings
from minato.database.address import DatabaseAddress

from tests.integration.auth.test_journey import NEW, PASSWORD, refresh
from tests.integration.auth.test_session_rules import EMAIL, serving, sign_in, sign_up
from tests.support import server
from tests.support.server import Minato

Served = tuple[Minato, httpx.AsyncClient]


@pytest.fixture
async def served(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Served]:
    """A server that nobody else asks, and a client."""
    async with serving(address, tmp_path) as both:
        yield both


@pytest.fixture
async def mailing(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Served]:
    """The same where mails confirm addresses, and the next one must wait, though no longer than it takes to ask."""
    settings = server.settings_for(tmp_path, auth=AuthSettings(smtp_max_frequency=0.000001))
    async with server.running(address, settings) as minato, minato.client(**NEW) as client:
        yield minato, client


def proof(served: Served, way: str, kind: str) -> dict[str, str]:
    """What shows that the newest mail to the address was read: its link's hash, or its code."""
    mail = served[0].backend.outbox.find(EMAIL)[0].email
    assert mail.token
    assert mail.token_hash
    if way == "code":
        return {"type": kind, "email": EMAIL, "token": mail.token}
    return {"type": kind, "token_hash": mail.token_hash}


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


async def test_a_sign_up_asks_who_has_the_address_and_writes_all_the_rest_in_one_flush(served: Served) -> None:
    with flushes(served, 2):
        body = {"email": "new@example.com", "password": PASSWORD}
        answer = await served[1].post("/auth/v1/signup", json=body)
    assert answer.json()["user"]["email"] == "new@example.com"


async def test_a_sign_up_of_an_address_that_is_taken_takes_as_many(served: Served) -> None:
    await sign_up(served[1])
    with flushes(served, 2):
        answer = await served[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    assert answer.json()["code"] == "user_already_exists"


async def test_an_anonymous_sign_in_takes_one_flush(served: Served) -> None:
    with flushes(served, 1):
        answer = await served[1].post("/auth/v1/signup", json={"data": {"name": "Somebody"}})
    user = answer.json()["user"]
    assert (user["is_anonymous"], user["role"]) == (True, "authenticated")
    assert user["user_metadata"] == {"name": "Somebody"}


@pytest.mark.parametrize(
    "change", [{"data": {"name": "Anna"}}, {"password": "another horse"}, {"password": "new horse", "data": {"a": 1}}]
)
async def test_a_change_of_ones_account_takes_two_flushes(served: Served, change: dict[str, object]) -> None:
    session = await sign_up(served[1])
    with flushes(served, 2):
        answer = await served[1].put("/auth/v1/user", headers=bearer(session), json=change)
    assert answer.status_code == 200
    assert (await served[1].get("/auth/v1/user", headers=bearer(session))).json() == answer.json()


async def test_a_sign_up_that_a_mail_confirms_takes_two_flushes(mailing: Served) -> None:
    with flushes(mailing, 2):
        answer = await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    assert (answer.status_code, answer.json()["email"]) == (200, EMAIL)
    assert [found.email.type for found in mailing[0].backend.outbox.find(EMAIL)] == ["signup"]


async def test_a_sign_up_that_is_repeated_reads_the_account_once_more_in_its_turn(mailing: Served) -> None:
    await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    with flushes(mailing, 3):
        answer = await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    assert answer.status_code == 200


@pytest.mark.parametrize("way", ["token_hash", "code"])
async def test_a_token_is_redeemed_for_a_session_in_two_flushes(mailing: Served, way: str) -> None:
    await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    with flushes(mailing, 2):
        answer = await mailing[1].post("/auth/v1/verify", json=proof(mailing, way, "signup"))
    assert answer.json()["user"]["email_confirmed_at"]
    assert answer.json()["user"]["user_metadata"]["email_verified"] is True
    with flushes(mailing, 2):
        again = await mailing[1].post("/auth/v1/verify", json=proof(mailing, way, "signup"))
    assert again.json()["code"] == "otp_expired"


async def test_a_wrong_code_takes_as_many_flushes_for_a_stranger(mailing: Served) -> None:
    await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    for email in (EMAIL, "nobody@example.com"):
        with flushes(mailing, 2):
            body = {"type": "signup", "email": email, "token": "000000"}
            answer = await mailing[1].post("/auth/v1/verify", json=body)
        assert answer.json()["code"] == "otp_expired"


async def test_the_link_of_a_mail_is_followed_in_two_flushes(mailing: Served) -> None:
    await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    hashed = mailing[0].backend.outbox.find(EMAIL)[0].email.token_hash
    with flushes(mailing, 2):
        answer = await mailing[1].get(f"/auth/v1/verify?type=signup&token={hashed}")
    assert "#access_token=" in answer.headers["location"]


@pytest.mark.parametrize(("path", "kind"), [("recover", "recovery"), ("otp", "magiclink"), ("magiclink", "magiclink")])
async def test_a_mail_to_sign_in_with_is_asked_for_and_answered_in_two_flushes_each(
    mailing: Served, path: str, kind: str
) -> None:
    await mailing[1].post("/auth/v1/signup", json={"email": EMAIL, "password": PASSWORD})
    await mailing[1].post("/auth/v1/verify", json=proof(mailing, "code", "signup"))
    with flushes(mailing, 2):
        assert (await mailing[1].post(f"/auth/v1/{path}", json={"email": EMAIL})).json() == {}
    with flushes(mailing, 2):
        answer = await mailing[1].post("/auth/v1/verify", json=proof(mailing, "token_hash", kind))
    assert answer.json()["user"]["email"] == EMAIL


@pytest.mark.parametrize("path", ["recover", "otp", "magiclink"])
async def test_such_a_mail_takes_as_many_flushes_for_a_stranger(mailing: Served, path: str) -> None:
    with flushes(mailing, 2):
        assert (await mailing[1].post(f"/auth/v1/{path}", json={"email": "nobody@example.com"})).json() == {}


async def test_a_token_that_nobody_signed_costs_no_flush(served: Served) -> None:
    with flushes(served, 0):
        answer = await served[1].get("/auth/v1/user", headers={"authorization": "Bearer nonsense"})
    assert answer.status_code == 403
