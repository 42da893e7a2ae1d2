"""What is asked of an app within the process: by a room as somebody without a key, whose rights are nobody's, or as
what came over HTTP before."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import orjson

from minato.http.asgi import JSON, ASGIApp, Header, Message, Scope


class Inner(NamedTuple):
    """A request. `path` is decoded, `query` is not; `client` is where it is said to come from."""

    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: Sequence[Header]
    body: bytes
    client: tuple[str, int] | None = None


class Answer(NamedTuple):
    """How one was answered, but for its body; 0 where it was not."""

    status: int
    headers: Sequence[Header]


async def status_of(app: ASGIApp, path: str, body: Mapping[str, str]) -> int:
    """POST `body` as JSON to `path` of a room; the status of its answer."""
    sent = orjson.dumps(body)
    headers = [JSON, (b"content-length", str(len(sent)).encode())]
    return (await answer_of(app, Inner("POST", path, path.encode(), b"", headers, sent))).status


async def answer_of(app: ASGIApp, asked: Inner, within: float | None = None) -> Answer:
    """Ask; whoever answers for longer than `within` seconds hears that the client has left."""
    asking = _Asking(asked.body)
    # A task of its own has a context of its own, as each request has.
    task = asyncio.create_task(_run(app, _request(asked), asking))
    try:
        await asyncio.wait({task}, timeout=within)
        if task.done():
            task.result()
    finally:
        if not task.done():
            asking.left.set()
            task.cancel()
            await asyncio.wait({task})
    return asking.answer


class _Asking:
    """The client's side of one request."""

    def __init__(self, body: bytes) -> None:
        self._body: bytes | None = body
        self.left = asyncio.Event()
        self.answer = Answer(0, ())

    async def receive(self) -> Message:
        body, self._body = self._body, None
        if body is None:
            await self.left.wait()
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.answer = Answer(message["status"], message.get("headers", ()))


async def _run(app: ASGIApp, scope: Scope, asking: _Asking) -> None:
    await app(scope, asking.receive, asking.send)


def _request(asked: Inner) -> Scope:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.raw_path,
        "root_path": "",
        "query_string": asked.query,
        "headers": list(asked.headers),
        "client": asked.client,
        "server": None,
        "state": {},
    }
