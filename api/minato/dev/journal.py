"""`/_dev/v1/events` and `/_dev/v1/requests`: what happened in one backend, as JSON and as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from minato.backend import Backend
from minato.dev.snippets import Language, snippet
from minato.journal.event import Event, Level
from minato.journal.journal import Journal, Wanted
from minato.json_text import JsonObject, encode

MOST: Final = 1000
BEAT_SECONDS: Final = 15.0
EVENT_STREAM: Final = "text/event-stream"
UNAVAILABLE: Final = "No journal is kept: MINATO_JOURNAL is off, or several workers serve, who have none in common."


def add_journal(app: FastAPI, backend: Backend) -> None:
    """The calls."""
    journal = backend.journal

    @app.get("/v1/events")
    async def events(
        request: Request,
        kind: str = "",
        level: Level = "info",
        cause: str | None = None,
        q: str = "",
        after: Annotated[int, Query(ge=0)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST)] = 200,
        last_event_id: Annotated[int | None, Header(ge=0)] = None,
    ) -> Response:
        wanted = Wanted(frozenset(kind.split(",")) if kind else (), level, cause, q, after)
        if not journal.on:
            return _refused(501, "journal_unavailable", UNAVAILABLE)
        if EVENT_STREAM in request.headers.get("accept", ""):
            begin = last_event_id if last_event_id is not None else after or journal.last
            told = _told(journal, wanted._replace(after=begin))
            return StreamingResponse(told, media_type=EVENT_STREAM, headers={"cache-control": "no-store"})
        return JSONResponse([event.as_json() for event in journal.newest(wanted, limit)])

    @app.delete("/v1/events")
    async def clear() -> Response:
        journal.clear()
        return Response(status_code=204)

    @app.get("/v1/requests/{asked}")
    async def one(asked: str) -> Response:
        event = journal.request(asked)
        return unknown(journal, asked) if event is None else JSONResponse(_whole(journal, event))

    @app.get("/v1/requests/{asked}/as/{language}")
    async def as_text(asked: str, language: Language) -> Response:
        event = journal.request(asked)
        if event is None:
            return unknown(journal, asked)
        text = snippet(language, event.as_json(True), backend.public_url)
        return Response(text, media_type="text/plain")


def _whole(journal: Journal, event: Event) -> JsonObject:
    led_to = [each.as_json() for each in journal.led_to(event.id)] if event.id is not None else []
    return {**event.as_json(True), "led_to": led_to}


def unknown(journal: Journal, asked: str) -> Response:
    """The refusal of a request that is not among those kept."""
    if not journal.on:
        return _refused(501, "journal_unavailable", UNAVAILABLE)
    message = "Nothing was asked yet." if asked.startswith("last") else f'There is no request "{asked[:100]}".'
    return _refused(404, "request_not_found", f"{message} The last {journal.most} events are kept.")


def _refused(status: int, code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status)


async def _told(journal: Journal, wanted: Wanted) -> AsyncIterator[bytes]:
    """The stream: `id`, `event` and `data` of each event, `gap` where some went unread, and a beat now and then."""
    yield b": hello\n\n"
    following = journal.follow(wanted)
    coming = asyncio.ensure_future(anext(following))
    try:
        while True:
            done, _ = await asyncio.wait({coming}, timeout=BEAT_SECONDS)
            if not done:
                yield b": beat\n\n"
                continue
            event = coming.result()
            yield b"event: gap\ndata: {}\n\n" if event is None else _sent(event)
            coming = asyncio.ensure_future(anext(following))
    finally:
        coming.cancel()
        await asyncio.wait({coming})
        await following.aclose()


def _sent(event: Event) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.kind.encode(), encode(event.as_json()))
