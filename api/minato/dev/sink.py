"""`/_dev/sink/<name>/…` takes what webhooks, hooks and pg_net send, and `/_dev/v1/sinks/<name>` tells a test of it."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import json
import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

import orjson
from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, StringConstraints

from minato.backend import Backend
from minato.config.auth_hooks import HOOKS
from minato.config.base import Span
from minato.http.asgi import read_body
from minato.http.errors import BodyTooLarge

METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
LARGEST_BODY = 1024 * 1024
KEPT, MOST_SINKS = 200, 100
LONGEST_WAIT = 60.0
# Standard Webhooks: a message that is older or newer counts as sent again.
TOLERANCE = 300
NO_BODY = frozenset({204, 205, 304})
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
Name = Annotated[str, StringConstraints(pattern=f"^{NAME.pattern}$")]
HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")]
HeaderValue = Annotated[str, StringConstraints(pattern=r"^[\x20-\x7e]*$")]


class Reply(BaseModel, extra="forbid"):
    """One answer; a `body` that is no text goes out as JSON."""

    status: int = Field(200, ge=200, le=599)
    headers: dict[HeaderName, HeaderValue] = Field(default_factory=dict)
    body: object = Field(default_factory=dict)
    delay_ms: int = Field(0, ge=0, le=60_000)


class Arranged(BaseModel, extra="forbid"):
    """What a sink does: its answers in their order, the last one for ever, and the secret that messages are signed
    with, beside those of the hooks in the settings."""

    replies: list[Reply] = Field(default_factory=list, max_length=100)
    secret: str | None = None


class Wanted(BaseModel, extra="forbid"):
    """Those after `since`; `wait` are seconds to wait for one."""

    since: int = 0
    wait: Annotated[Span, Field(le=LONGEST_WAIT)] = 0.0
    required: bool = False


@dataclass
class Sink:
    """What came, the oldest first, and what is answered."""

    arranged: Arranged = field(default_factory=Arranged)
    answered: int = 0
    count: int = 0
    kept: deque[dict[str, object]] = field(default_factory=lambda: deque(maxlen=KEPT))
    arrival: asyncio.Event = field(default_factory=asyncio.Event)

    def keep(self, entry: dict[str, object]) -> None:
        self.count += 1
        self.kept.append({"n": self.count, **entry})
        self.arrival.set()
        self.arrival = asyncio.Event()

    def reply(self) -> Reply:
        """The next answer."""
        replies = self.arranged.replies
        if not replies:
            return Reply()
        self.answered += 1
        return replies[min(self.answered, len(replies)) - 1]

    async def after(self, since: int, seconds: float) -> list[dict[str, object]]:
        """What came after the message numbered so; while there is none, up to the wait."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := [entry for entry in self.kept if _number(entry) > since]):
                    await self.arrival.wait()
                return found
        except TimeoutError:
            return []


def _number(entry: Mapping[str, object]) -> int:
    number = entry["n"]
    assert isinstance(number, int)
    return number


def add_sinks(app: FastAPI, backend: Backend) -> None:
    """The calls, and the sinks themselves. Of several workers each would have some of what came."""
    sinks = Sinks(backend)

    @app.get("/v1/sinks")
    async def listed() -> Response:
        return JSONResponse([{"name": name, "count": sink.count} for name, sink in sinks.known.items()])

    @app.put("/v1/sinks/{name}")
    async def arrange(name: Annotated[Name, Path()], arranged: Arranged) -> Response:
        sink = sinks.find(name)
        if sink is None:
            return _refused(409, "too_many_sinks", f"There are {MOST_SINKS} already.")
        sink.arranged, sink.answered = arranged, 0
        return JSONResponse({"name": name, "url": f"{backend.public_url}/_dev/sink/{name}"})

    @app.get("/v1/sinks/{name}")
    async def received(name: Annotated[Name, Path()], wanted: Annotated[Wanted, Query()]) -> Response:
        sink = sinks.find(name)
        found = await sink.after(wanted.since, wanted.wait) if sink is not None else []
        if wanted.required and not found:
            return _refused(408, "no_message", f"Nothing came to the sink {name} within {wanted.wait:g} s.")
        return Response(orjson.dumps(found), media_type="application/json", headers={"cache-control": "no-store"})

    @app.delete("/v1/sinks/{name}")
    async def forget(name: Annotated[Name, Path()]) -> Response:
        sinks.known.pop(name, None)
        return Response(status_code=204)

    app.add_route("/sink/{name}", sinks.take, methods=METHODS)
    app.add_route("/sink/{name}/{path:path}", sinks.take, methods=METHODS)


class Sinks:
    """All of one backend."""

    def __init__(self, backend: Backend) -> None:
        self.known: dict[str, Sink] = {}
        self._backend = backend

    def find(self, name: str) -> Sink | None:
        """The sink called so, made at its first need; None where there are too many."""
        if name not in self.known and len(self.known) >= MOST_SINKS:
            return None
        return self.known.setdefault(name, Sink())

    async def take(self, request: Request) -> Response:
        """Keep a request and answer it as was arranged."""
        name = request.path_params["name"]
        if NAME.fullmatch(name) is None:
            return _refused(400, "bad_request", "A sink's name is of letters, digits, _ and -, 64 at most.")
        sink = self.find(name)
        if sink is None:
            return _refused(409, "too_many_sinks", f"There are {MOST_SINKS} already.")
        try:
            body = await read_body(request.receive, LARGEST_BODY)
        except BodyTooLarge:
            return _refused(413, "bad_request", f"A sink takes {LARGEST_BODY} bytes.")
        reply = sink.reply()
        sink.keep(self._entry(request, body, sink))
        if reply.delay_ms:
            await asyncio.sleep(reply.delay_ms / 1000)
        return _answer(reply)

    def _entry(self, request: Request, body: bytes, sink: Sink) -> dict[str, object]:
        text = body.decode("utf-8", "replace")
        path = "/" + request.path_params.get("path", "")
        query = request.url.query
        now = self._backend.clock.now()
        return {
            "method": request.method,
            "path": f"{path}?{query}" if query else path,
            "headers": dict(request.headers),
            "json": _json(text),
            "body": text,
            "signature": verdict(request.headers, body, self._secrets(sink), now.timestamp()),
            "at": now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        }

    def _secrets(self, sink: Sink) -> list[str]:
        hooks = map(self._backend.settings.auth.hook, HOOKS)
        configured = [secret for hook in hooks if hook is not None for secret in hook.secrets]
        return [*([sink.arranged.secret] if sink.arranged.secret else []), *configured]


def verdict(headers: Mapping[str, str], body: bytes, secrets: Iterable[str], now: float) -> str:
    """What Standard Webhooks says of a message: `valid`, `invalid`, `too_old` or `unsigned`; `no_secret` where nobody
    knows what it should be signed with.

    >>> verdict({}, b"", [], 0.0)
    'unsigned'
    """
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    id_, sent, signatures = (headers.get(name, "") for name in names)
    if not (id_ and sent and signatures):
        return "unsigned"
    keys = [key for secret in secrets if (key := _key(secret)) is not None]
    if not keys:
        return "no_secret"
    content = f"{id_}.{sent}.".encode() + body
    expected = [base64.b64encode(hmac.digest(key, content, hashlib.sha256)) for key in keys]
    given = [one.partition(",")[2].encode() for one in signatures.replace(", ", " ").split() if one.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in given for other in expected):
        return "invalid"
    is_recent = sent.isdecimal() and abs(now - int(sent)) <= TOLERANCE
    return "valid" if is_recent else "too_old"


def _key(secret: str) -> bytes | None:
    try:
        return base64.b64decode(secret.removeprefix("v1,").removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        return None


def _json(text: str) -> object:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _answer(reply: Reply) -> Response:
    if reply.status in NO_BODY:
        return Response(status_code=reply.status, headers=reply.headers)
    is_text = isinstance(reply.body, str)
    content = str(reply.body).encode("utf-8", "replace") if is_text else json.dumps(reply.body).encode()
    named = {name.lower() for name in reply.headers}
    kind = {} if "content-type" in named else {"content-type": "text/plain" if is_text else "application/json"}
    return Response(content, reply.status, {**reply.headers, **kind})


def _refused(status: int, code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status)
