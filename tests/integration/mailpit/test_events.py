"""Mailpit's websocket: who follows it hears of every message. The client is websockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from minato.mail.email import Email
from minato.mailpit.events import MANY, MAX_FOLLOWERS, TRY_LATER, changes, state
from minato.mailpit.mailbox import Mailbox
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.mail_catcher import mail_catcher
from tests.support.server import Minato

LONGEST = 30
MAIL = Email("anna@example.com", "Hello", "<p>Hello</p>", "Hello\n", "signup", sender="Admin <admin@email.com>")


@dataclass
class Follower:
    """One client of the events, and one of the API."""

    socket: ClientConnection
    mailpit: httpx.AsyncClient

    async def hear(self, kind: str) -> Any:
        """What the next event tells that is of this kind; counts in between are let go."""
        while True:
            event = json.loads(await asyncio.wait_for(self.socket.recv(), LONGEST))
            if event["Type"] == kind:
                return event["Data"]
            assert event["Type"] == "stats", event


def address(mailpit: httpx.AsyncClient) -> str:
    return str(mailpit.base_url.copy_with(scheme="ws", path="/api/events"))


@pytest.fixture
async def mailpit(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with mail_catcher(minato.backend) as client:
        yield client


@pytest.fixture
async def follower(mailpit: httpx.AsyncClient) -> AsyncIterator[Follower]:
    async with connect(address(mailpit)) as socket:
        yield Follower(socket, mailpit)


async def test_a_follower_hears_what_happens_to_a_message(follower: Follower, minato: Minato) -> None:
    first = await follower.hear("stats")
    assert (first["Total"], first["Unread"]) == (0, 0)
    minato.backend.outbox.add(MAIL)
    new = await follower.hear("new")
    [summary] = (await follower.mailpit.get("/api/v1/messages")).json()["messages"]
    assert new == summary
    assert (await follower.hear("stats"))["Unread"] == 1
    await follower.mailpit.get(f"/api/v1/message/{new['ID']}")
    assert await follower.hear("update") == {"ID": new["ID"], "Read": True}
    await follower.mailpit.put("/api/v1/tags", json={"IDs": [new["ID"]], "Tags": ["shop"]})
    assert await follower.hear("update") == {"ID": new["ID"], "Tags": ["shop"]}
    minato.backend.outbox.add(MAIL)
    await follower.hear("new")
    await follower.mailpit.request("DELETE", "/api/v1/messages", json={"IDs": [new["ID"]]})
    assert await follower.hear("delete") == {"ID": new["ID"]}
    await follower.mailpit.delete("/api/v1/messages")
    assert await follower.hear("truncate") is None


async def test_what_a_follower_says_is_left(follower: Follower, minato: Minato) -> None:
    await follower.socket.send("anything")
    await follower.socket.send(b"\x00")
    minato.backend.outbox.add(MAIL)
    assert (await follower.hear("new"))["Subject"] == "Hello"


async def test_many_that_go_together_are_not_named(minato: Minato) -> None:
    minato.backend.outbox.clear()
    mailbox = Mailbox(minato.backend.outbox)
    for _ in range(MANY + 2):
        minato.backend.outbox.add(MAIL)
    before = state(mailbox.letters())
    mailbox.remove(list(before)[: MANY + 1])
    assert [event["Type"] for event in changes(before, mailbox.letters())] == ["prune", "stats"]
    assert list(changes(state(mailbox.letters()), mailbox.letters())) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://attacker.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"X-Forwarded-For": "203.0.113.1"},
        {"Host": "attacker.example"},
    ],
)
async def test_a_page_of_another_origin_hears_nothing(mailpit: httpx.AsyncClient, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connect(address(mailpit), additional_headers=headers):
            pass
    assert refused.value.response.status_code in (400, 403)


async def test_a_page_of_the_catchers_own_follows(mailpit: httpx.AsyncClient) -> None:
    own = {"Origin": str(mailpit.base_url).rstrip("/"), "Sec-Fetch-Site": "same-origin"}
    async with connect(address(mailpit), additional_headers=own) as socket:
        assert json.loads(await asyncio.wait_for(socket.recv(), LONGEST))["Type"] == "stats"


@pytest.mark.parametrize("path", ["/", "/api/v1/messages", "/_dev/mailbox"])
async def test_there_is_one_websocket(mailpit: httpx.AsyncClient, path: str) -> None:
    with pytest.raises(InvalidStatus):
        async with connect(str(mailpit.base_url.copy_with(scheme="ws", path=path))):
            pass


async def test_followers_are_so_many_and_no_more(mailpit: httpx.AsyncClient) -> None:
    async with AsyncExitStack() as held:
        for _ in range(MAX_FOLLOWERS):
            socket = await held.enter_async_context(connect(address(mailpit)))
            await asyncio.wait_for(socket.recv(), LONGEST)
        late = await held.enter_async_context(connect(address(mailpit)))
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(late.recv(), LONGEST)
        assert late.close_code == TRY_LATER
