"""Mailpit's websocket `/api/events`: what happens to the mailbox, as its page and some test suites follow it.

Every message is `{"Type": …, "Data": …}`: `new` with a summary, `update` and `delete` with an id, `truncate`, `prune`
and `stats`. What clients send is read and left.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

import orjson
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from minato import __version__
from minato.mailpit.answers import JSON, summary
from minato.mailpit.letter import Letter
from minato.mailpit.mailbox import Mailbox

PATH: Final = "/api/events"
# Seconds between two looks at the mailbox; Mailpit tells its counts four times a second at most.
PAUSE: Final = 0.25
# Of more than these together Mailpit names none.
MANY: Final = 200
MAX_FOLLOWERS: Final = 32
TRY_LATER: Final = 1013

# Of each message by its id, newest first: whether it was read, and its tags.
State = Mapping[str, tuple[bool, tuple[str, ...]]]


class Events:
    """Who follows one mailbox."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._followers = 0

    @property
    def routes(self) -> list[WebSocketRoute]:
        return [WebSocketRoute(PATH, self.follow)]

    async def follow(self, socket: WebSocket) -> None:
        """Tell one client until it leaves."""
        await socket.accept()
        if self._followers >= MAX_FOLLOWERS:
            await socket.close(TRY_LATER)
            return
        self._followers += 1
        telling = asyncio.create_task(self._tell(socket))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                continue
        finally:
            self._followers -= 1
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling

    async def _tell(self, socket: WebSocket) -> None:
        letters = self._mailbox.letters()
        before, news = state(letters), [stats(letters)]
        # A client that has left in between is noticed by who reads.
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                for event in news:
                    await socket.send_text(orjson.dumps(event).decode())
                await asyncio.sleep(PAUSE)
                letters = self._mailbox.letters()
                news = list(changes(before, letters))
                before = state(letters)


def state(letters: list[Letter]) -> State:
    """What is compared between two looks."""
    return {letter.id: (letter.is_read, tuple(letter.tags)) for letter in letters}


def changes(before: State, letters: list[Letter]) -> Iterator[JSON]:
    """What has happened since `before`, the counts last; nothing where nothing has."""
    events = [*_arrived(before, letters), *_gone(before, state(letters)), *_changed(before, letters)]
    yield from events
    if events:
        yield stats(letters)


def stats(letters: list[Letter]) -> JSON:
    """How many there are."""
    unread = sum(not letter.is_read for letter in letters)
    return _event("stats", {"Total": len(letters), "Unread": unread, "Version": f"minato {__version__}"})


def _arrived(before: State, letters: list[Letter]) -> Iterator[JSON]:
    yield from (_event("new", summary(letter)) for letter in reversed(letters) if letter.id not in before)


def _gone(before: State, now: State) -> Iterator[JSON]:
    gone = [name for name in before if name not in now]
    if gone and not now:
        yield _event("truncate", None)
    elif len(gone) > MANY:
        yield _event("prune", None)
    else:
        yield from (_event("delete", {"ID": name}) for name in gone)


def _changed(before: State, letters: list[Letter]) -> Iterator[JSON]:
    for letter in letters:
        was_read, tags = before.get(letter.id, (letter.is_read, tuple(letter.tags)))
        if was_read != letter.is_read:
            yield _event("update", {"ID": letter.id, "Read": letter.is_read})
        if tags != tuple(letter.tags):
            yield _event("update", {"ID": letter.id, "Tags": letter.tags})


def _event(kind: str, data: object) -> JSON:
    return {"Type": kind, "Data": data}
