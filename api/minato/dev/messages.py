"""`/_dev/v1/messages`, `mails` and `sms`: what a test reads of a message without parsing it, and waiting for it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from html import unescape
from itertools import takewhile
from typing import Annotated, Literal
from uuid import UUID

from fastapi import FastAPI, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, StringConstraints

from minato.backend import Backend
from minato.config.base import Span
from minato.mail.email import Email
from minato.mail.outbox import Outbox, OutboxEntry
from minato.sms.sender import TextMessage

LONGEST_WAIT = 60.0
Channel = Literal["email", "sms"]
Entry = OutboxEntry[Email] | OutboxEntry[TextMessage]
Box = Outbox[Email] | Outbox[TextMessage]
Boxes = Sequence[Box]
ADDRESS = re.compile(r"https?://[^\s<>\"'()]+")
HREF = re.compile(r"href=[\"'](https?://[^\"']+)[\"']", re.I)
CODE = re.compile(r"(?<![\w.-])\d{6,10}(?![\w-])")
# To whom codes are sent, and what a code of theirs may be.
Recipient = Annotated[str, StringConstraints(pattern=r"@|^\+?[0-9 ]*[0-9][0-9 ]*$", max_length=320)]
Code = Annotated[str, StringConstraints(pattern=r"^[0-9]{6,10}$")]
NOT_KEPT = {"cache-control": "no-store"}


class Wanted(BaseModel, extra="forbid"):
    """Which messages. `since` is the id of one already seen; `wait` are seconds to wait for one that fits, and
    `required` makes it an error that none came."""

    to: str | None = None
    type: str | None = None
    since: UUID | None = None
    wait: Annotated[Span, Field(le=LONGEST_WAIT)] = 0.0
    required: bool = False


class WantedMessages(Wanted):
    """The same of both channels, or of one."""

    channel: Channel | None = None


def add_messages(app: FastAPI, backend: Backend) -> None:
    """The calls."""
    boxes: dict[Channel, Box] = {"email": backend.outbox, "sms": backend.sms_outbox}

    @app.get("/v1/messages")
    async def messages(wanted: Annotated[WantedMessages, Query()]) -> Response:
        asked = [boxes[wanted.channel]] if wanted.channel else list(boxes.values())
        return await _answered(asked, wanted, "message")

    @app.get("/v1/mails")
    async def mails(wanted: Annotated[Wanted, Query()]) -> Response:
        return await _answered([backend.outbox], wanted, "mail")

    @app.get("/v1/sms")
    async def texts(wanted: Annotated[Wanted, Query()]) -> Response:
        return await _answered([backend.sms_outbox], wanted, "text message")

    @app.get("/v1/messages/{entry_id}")
    async def message(entry_id: UUID) -> Response:
        entry = backend.outbox.get(entry_id) or backend.sms_outbox.get(entry_id)
        if entry is None:
            said = {"code": "message_not_found", "message": f'There is no message "{entry_id}".'}
            return JSONResponse(said, 404)
        return JSONResponse(shown(entry), headers=NOT_KEPT)

    @app.put("/v1/messages/codes")
    async def fix_codes(fixed: dict[Recipient, Code]) -> Response:
        if backend.machine is not None:
            message = "Several workers do not know of each other's codes: serve with one."
            return JSONResponse({"code": "codes_unavailable", "message": message}, 501)
        backend.codes.fix(fixed)
        return JSONResponse(fixed, headers=NOT_KEPT)

    @app.delete("/v1/messages")
    async def clear() -> Response:
        for box in boxes.values():
            box.clear()
        return Response(status_code=204)


async def _answered(boxes: Boxes, wanted: Wanted, what: str) -> Response:
    found = await _wait(boxes, wanted)
    if found or not wanted.required:
        return JSONResponse([shown(entry) for entry in found], headers=NOT_KEPT)
    named = "".join(f" {name} {value}" for name, value in (("of type", wanted.type), ("to", wanted.to)) if value)
    kept = [f"{entry.message.type} to {entry.message.to}" for entry in _newest_first(boxes, lambda box: box.find())]
    hint = f"There are: {', '.join(kept[:5])}." if kept else "There are none at all."
    said = f"No {what}{named} came within {wanted.wait:g} s."
    return JSONResponse({"code": "no_message", "message": said, "hint": hint}, 408)


async def _wait(boxes: Boxes, wanted: Wanted) -> list[Entry]:
    """What fits, newest first; while nothing does, up to the wait."""
    try:
        async with asyncio.timeout(wanted.wait):
            while True:
                arrivals = [box.arrival for box in boxes]
                found = _newest_first(boxes, lambda box: _found(box, wanted))
                if found:
                    return found
                await _first_of(arrivals)
    except TimeoutError:
        return []


async def _first_of(events: Sequence[asyncio.Event]) -> None:
    waiting = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


def _newest_first(boxes: Boxes, look: Callable[[Box], Sequence[Entry]]) -> list[Entry]:
    found = [entry for box in boxes for entry in look(box)]
    return sorted(found, key=lambda entry: entry.created_at, reverse=True) if len(boxes) > 1 else found


def _found(box: Box, wanted: Wanted) -> list[Entry]:
    to = wanted.to
    if to is not None and "@" not in to:
        to = to.replace(" ", "").removeprefix("+")
    fitting = {entry.id for entry in box.find(to, wanted.type)}
    # Where the one that was seen is kept no more, whatever is kept came later.
    kept: list[Entry] = [*box.find()]
    newer = takewhile(lambda entry: entry.id != wanted.since, kept)
    return [entry for entry in newer if entry.id in fitting]


def shown(entry: Entry) -> dict[str, object]:
    """A message as these calls give it: `link` and `code` are found in the text where whoever sent it did not say."""
    kept, message = entry.as_json(), entry.message
    mail = message if isinstance(message, Email) else None
    return {
        "id": kept["id"],
        "channel": message.channel if isinstance(message, TextMessage) else "email",
        "to": message.to,
        "from": mail.sender if mail else None,
        "subject": mail.subject if mail else None,
        "type": message.type,
        "link": (mail.link or link_in(mail.text, mail.html)) if mail else link_in(message.text, ""),
        "code": message.token or code_in(message.text),
        "token_hash": mail.token_hash if mail else None,
        "text": message.text,
        "html": mail.html if mail else None,
        "created_at": kept["created_at"],
    }


def link_in(text: str, html: str) -> str | None:
    """The first address.

    >>> link_in("Go to https://a.example/x?y=1.", ""), link_in("", '<a href="http://b.example/?a=1&amp;b=2">')
    ('https://a.example/x?y=1', 'http://b.example/?a=1&b=2')
    """
    found = HREF.search(html)
    if found:
        return unescape(found[1])
    plain = ADDRESS.search(text)
    return plain[0].rstrip(".,;:!?") if plain else None


def code_in(text: str) -> str | None:
    """The first number of six to ten digits that is no part of an address.

    >>> code_in("https://a.example/123456 Your code: 654321. Call +81-9012345678"), code_in("In 2026")
    ('654321', None)
    """
    found = CODE.search(ADDRESS.sub(" ", text))
    return found[0] if found else None
