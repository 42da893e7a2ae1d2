"""Whoever holds a session and a mailbox of their own does not carry the account there without the old mailbox."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from tests.support.accounts import bearer, fresh_address, member, newest, post
from tests.support.server import Minato

CHANGE = "email_change"


class Thief:
    """Has the owner's session and reads the mails of every address but the owner's."""

    def __init__(self, minato: Minato, client: httpx.AsyncClient, session: dict[str, Any]) -> None:
        self._minato, self.client, self._session = minato, client, session
        self.owner: str = session["user"]["email"]

    async def asks_for(self, address: str) -> None:
        answer = await self.client.put("/auth/v1/user", json={"email": address}, headers=bearer(self._session))
        assert answer.status_code == 200, answer.text

    async def answers(self, address: str, by: str = "hash") -> int:
        """Answers the newest mail of `address`."""
        mail = newest(self._minato, address, CHANGE)
        if by == "link":
            return (await self.client.get(mail.link or "")).status_code
        body = {"token_hash": mail.token_hash} if by == "hash" else {"email": address, "token": mail.token}
        return (await post(self.client, "/verify", {"type": CHANGE, **body})).status_code

    async def address_now(self) -> str:
        statement = "select email from auth.users where id = $1::uuid"
        return str(await self._minato.db.fetchval(statement, self._session["user"]["id"]))


@pytest.fixture
async def thief(minato: Minato) -> AsyncIterator[Thief]:
    async with minato.client() as client:
        yield Thief(minato, client, await member(minato, client))


@pytest.mark.parametrize("by", ["hash", "code", "link"])
async def test_one_half_answered_twice_is_no_second_half(minato: Minato, thief: Thief, by: str) -> None:
    own = fresh_address(minato)
    await thief.asks_for(own)
    assert await thief.answers(own, by) in (200, 303)
    for again in ("hash", "code", "link"):
        await thief.answers(own, again)
    assert await thief.address_now() == thief.owner


async def test_asking_again_does_not_count_the_half_that_was_answered(minato: Minato, thief: Thief) -> None:
    own = fresh_address(minato)
    for _ in range(3):
        await thief.asks_for(own)
        assert await thief.answers(own) == 200
    assert await thief.address_now() == thief.owner


async def test_a_mail_sent_again_is_no_second_half(minato: Minato, thief: Thief) -> None:
    own = fresh_address(minato)
    await thief.asks_for(own)
    assert await thief.answers(own) == 200
    for email in (own, thief.owner):
        await post(thief.client, "/resend", {"type": CHANGE, "email": email})
        await thief.answers(own)
    assert await thief.address_now() == thief.owner


async def test_a_half_for_one_address_does_not_count_for_another(minato: Minato, thief: Thief) -> None:
    first, second = fresh_address(minato), fresh_address(minato)
    await thief.asks_for(first)
    await thief.answers(first)
    await thief.asks_for(second)
    await thief.answers(second)
    await thief.answers(first)
    assert await thief.address_now() == thief.owner


async def test_the_old_mailboxs_answer_to_one_change_does_not_carry_the_account_elsewhere(
    minato: Minato, thief: Thief
) -> None:
    """The owner agrees to an address of their own; the thief asks for another one meanwhile."""
    wanted, own = fresh_address(minato), fresh_address(minato)
    await thief.asks_for(wanted)
    assert await thief.answers(thief.owner) == 200
    await thief.asks_for(own)
    await thief.answers(own)
    assert await thief.address_now() == thief.owner


async def test_both_mailboxes_carry_it(minato: Minato, thief: Thief) -> None:
    own = fresh_address(minato)
    await thief.asks_for(own)
    assert [await thief.answers(address) for address in (own, thief.owner)] == [200, 200]
    assert await thief.address_now() == own
