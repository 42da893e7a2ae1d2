"""Requests become events: what was asked, by whom, what was run for it and what was answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from struct import pack, unpack
from time import perf_counter
from typing import Final

import orjson
from jose import JWTError, jwt

from minato.http.asgi import ASGIApp, Header, Message, Receive, Scope, Send, header_map
from minato.journal.event import BARE
from minato.journal.journal import Journal
from minato.journal.record import NOTHING, RECORD, Record, Recorded
from minato.journal.secrets import shown_json, shown_query
from minato.json_text import JsonObject

MOST_BODY: Final = 64 * 1024
AUTH: Final = "/auth/"
# In the place of a method.
SOCKET: Final = "SOCKET"
_READABLE: Final = ("json", "text/", "urlencoded", "xml")
# What most answers are: one object for all of them.
_TYPES: Final[Mapping[bytes | None, bytes]] = {
    kind: kind for kind in (b"application/json; charset=utf-8", b"application/json")
}
_FAILED: Final = 500
_REFUSED: Final = 400


class Journaled:
    """The app of a backend, whose requests below `prefixes` are noted; all others are only handed on."""

    def __init__(self, app: ASGIApp, journal: Journal, prefixes: Collection[str]) -> None:
        self._app = app
        self._journal = journal
        self._prefixes = tuple(f"{prefix}/" for prefix in prefixes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        method: str = scope.get("method", SOCKET)
        if outer := scope.get("root_path"):
            path = _below(path, outer)
        if not f"{path}/".startswith(self._prefixes) or (method == "OPTIONS" and _is_preflight(scope)):
            await self._app(scope, receive, send)
            return
        seen = Seen(method, path, scope, receive, send)
        try:
            # What has no body is not listened to: the room waits there for the client to leave. What is answered the
            # gateway tells, which looks at it anyway.
            heard = receive if method == "GET" or method == "HEAD" else seen.receive
            await self._app(scope, heard, seen.send if method == SOCKET else send)
        finally:
            seen.end(self._journal, scope)


def _below(path: str, outer: str) -> str:
    """Without the prefix below which another app may serve us, where that app has left it in."""
    return path[len(outer) :] if f"{path}/".startswith(f"{outer}/") else path


def _is_preflight(scope: Scope) -> bool:
    return any(name == b"access-control-request-method" for name, _ in scope["headers"])


class Seen(Record):
    """One request or socket, as it passes, and then as an event. It runs on every request of a developer: what can wait
    until somebody reads it does, nothing is made that is kept anyway, and of the request nothing is held but what is
    told of it: the collector looks at each object, and each lies somewhere else in memory."""

    _type: bytes | None
    _fault: bytes | None

    __slots__ = (
        "_answered",
        "_began",
        "_fault",
        "_headers",
        "_method",
        "_path",
        "_query",
        "_receive",
        "_send",
        "_sent",
        "_spent",
        "_status",
        "_type",
    )

    _sent: bytes | Body | None
    _answered: bytes | Body | None
    _headers: Sequence[Header]

    def __init__(self, method: str, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        self.id = self.cause = self.role = self.statement = self._sent = self._answered = None
        self.claims = NOTHING
        self.headers = self.values = self.stages = self.spent = self._headers = ()
        self._status = 0
        self.kind = "socket" if method == SOCKET else "request"
        # The gateway takes the prefix off the path.
        self._method, self._path, self._query = method, path, scope["query_string"]
        self._receive, self._send = receive, send
        scope[RECORD] = self
        self._began = perf_counter()

    async def receive(self) -> Message:
        """The client's next message."""
        message = await self._receive()
        if message["type"] == "http.request" and (piece := message.get("body")):
            self._sent = _with(self._sent, piece)
        return message

    async def send(self, message: Message) -> None:
        """A message to the client of a socket."""
        self.saw(message)
        await self._send(message)

    def saw(self, message: Message) -> None:
        kind = message["type"]
        if kind == "http.response.body":
            if piece := message.get("body"):
                self._answered = _with(self._answered, piece)
        elif kind == "http.response.start":
            self._status, self._headers = message["status"], message["headers"]
        elif kind == "websocket.accept":
            self._status = 101
        elif kind == "websocket.close":
            self._status = self._status or 403

    def end(self, journal: Journal, scope: Scope) -> None:
        """Keep it."""
        status = self._status
        # A stream of a client's, or its end: nothing of them is to be held.
        del self._receive, self._send
        if self.role is None:
            self.claims = _claims(scope)
        if self._path.startswith(AUTH):
            # Of a password not even the copy in memory stays.
            self._sent, self._answered = _hidden(self._sent), _hidden(self._answered)
        told = dict(self._headers)
        kind = told.get(b"content-type")
        self._type, self._fault = _TYPES.get(kind, kind), told.get(b"x-minato-fault")
        del self._headers
        self.level = "info" if 0 < status < _REFUSED else "warn" if _REFUSED <= status < _FAILED else "error"
        # One object for all of them.
        self._spent, self.spent = pack(f"{len(self.stages)}f", *self.spent), ()
        self.ms = (perf_counter() - self._began) * 1000
        del self._began
        sent, answered = self._sent, self._answered
        self.size = BARE + (0 if sent is None else len(sent)) + (0 if answered is None else len(answered))
        journal.keep(self)

    @property
    def title(self) -> str:
        return f"{self._method} {self._path} {self._status or 'cut off'}"

    def recorded(self) -> Recorded:
        sent = _body(self._sent)
        is_whole = sent is None or (sent.size == sent.whole and not self._path.startswith(AUTH))
        body = None if not is_whole else sent.content if sent is not None else b""
        query = self._query.decode("latin-1")
        return Recorded(self._method, self._path, query, self.headers, body, self.role, self.claims)

    def data(self, whole: bool) -> JsonObject:
        """What is told of it."""
        sent, answered = _body(self._sent), _body(self._answered)
        refusal = _refusal(answered.content) if answered is not None and self._status >= _REFUSED else {}
        told: JsonObject = {
            **{"method": self._method, "path": self._path, "room": self._path.split("/", 2)[1]},
            **{"status": self._status or None, "query": shown_query(self._query.decode("latin-1"))},
            "caller": self._shown_caller(),
            **{name: refusal.get(name) for name in ("code", "message", "hint")},
            "stages": {stage: round(spent, 3) for stage, spent in zip(self.stages, self._milliseconds(), strict=True)},
            "fault": _latin(self._fault),
        }
        if whole:
            told["statement"] = self.statement
            told["values"] = [_text(value) for value in self.values]
            told["prefer"] = _header(self.headers, b"prefer")
            told["request"] = None if sent is None else sent.as_json(_header(self.headers, b"content-type"))
            told["response"] = None if answered is None else answered.as_json(_latin(self._type))
        return told

    def _milliseconds(self) -> tuple[float, ...]:
        return unpack(f"{len(self.stages)}f", self._spent)

    def _shown_caller(self) -> JsonObject | None:
        """Whom the room knew, else whom the token names without a proof."""
        claims = self.claims
        role = self.role or claims.get("role")
        return None if role is None else {"role": role, **{name: claims.get(name) for name in ("sub", "email", "aal")}}


class Body:
    """The first bytes of a body."""

    __slots__ = ("_pieces", "is_hidden", "size", "whole")

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = self.whole = 0
        self.is_hidden = False

    def __len__(self) -> int:
        """Of what is kept."""
        return self.size

    def add(self, piece: bytes) -> None:
        """The next piece, which is kept as it is while there is room."""
        if piece and self.size < MOST_BODY:
            kept = piece if self.size + len(piece) <= MOST_BODY else bytes(piece[: MOST_BODY - self.size])
            self._pieces.append(kept)
            self.size += len(kept)
        self.whole += len(piece)

    def hide(self) -> None:
        """Keep of a JSON body what is no secret, and nothing of another."""
        content = shown_json(self.content) if self.whole == self.size else None
        self.is_hidden = content is None and self.size > 0
        self._pieces, self.size = ([content], len(content)) if content is not None else ([], 0)

    @property
    def content(self) -> bytes:
        """What is kept."""
        return b"".join(self._pieces)

    def as_json(self, kind: str | None) -> JsonObject:
        """`{"type", "bytes", "text", "truncated"}`; the text is null where it is none, or hidden."""
        is_readable = not self.is_hidden and any(word in (kind or "json") for word in _READABLE)
        content = self.content
        # Of a JSON that is cut off nobody knows what is a secret.
        is_readable = is_readable and (self.whole == self.size or "json" not in (kind or "json"))
        text = (shown_json(content) or content).decode("utf-8", "replace") if is_readable else None
        return {"type": kind, "bytes": self.whole, "text": text, "truncated": self.whole > self.size}


def _with(before: bytes | Body | None, piece: bytes) -> bytes | Body:
    """Most bodies are one piece, which is kept as it is."""
    if before is None and len(piece) <= MOST_BODY:
        return piece
    body = _body(before) or Body()
    body.add(piece)
    return body


def _body(kept: bytes | Body | None) -> Body | None:
    if kept is None or isinstance(kept, Body):
        return kept
    body = Body()
    body.add(kept)
    return body


def _hidden(kept: bytes | Body | None) -> Body | None:
    body = _body(kept)
    if body is not None:
        body.hide()
    return body


def _text(value: str | bytes) -> str:
    content = value.encode() if isinstance(value, str) else value
    is_json = content[:1] in (b"{", b"[")
    return ((shown_json(content) if is_json else None) or content).decode("utf-8", "replace")


def _latin(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


def _header(headers: Iterable[Header], wanted: bytes) -> str | None:
    return next((value.decode("latin-1") for name, value in headers if name.lower() == wanted), None)


def _refusal(body: bytes) -> Mapping[str, object]:
    """Code, message and hint, by the names that the rooms give them."""
    try:
        told = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(told, dict):
        return {}
    code = told.get("error_code") or told.get("code") or told.get("error")
    message = told.get("message") or told.get("msg") or told.get("error_description")
    return {"code": code, "message": message, "hint": told.get("hint")}


def _claims(scope: Scope) -> Mapping[str, object]:
    try:
        told: dict[str, object] = jwt.get_unverified_claims(
            header_map(scope).get("authorization", "").removeprefix("Bearer ")
        )
    except JWTError:
        return {}
    return told
