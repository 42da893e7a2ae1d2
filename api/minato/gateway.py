"""What stands in front of the rooms, as Kong does in front of the reference.

Turns an API key into a role's token, answers CORS, tells browsers what they may do, names each request, believes
forwarded headers only from trusted proxies and hands the request to the room its prefix belongs to. Rooms see paths
without the prefix and read only the Authorization header. It runs on every request, so it is ASGI by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote_plus, urlsplit

import orjson
from structlog.contextvars import bind_contextvars

from minato.auth.routes import WITHOUT_KEY
from minato.backend import Backend
from minato.dev.guard import Guard
from minato.front_door import FrontDoor
from minato.http.asgi import JSON, ASGIApp, Header, Receive, Scope, Send, send_response
from minato.http.client_address import CLIENT_ADDRESS
from minato.http.repeated import REPEATED_HEADERS, RepeatedHeaders
from minato.incoming import API_KEY, AUTHORIZATION, Admission, Incoming, IncomingHeaders, header
from minato.journal.record import record_of
from minato.observation import Observer
from minato.page_headers import CorsPolicy, PageHeaders

MAX_URL_BYTES = 32 * 1024
QUERY_KEY = b"apikey="
# S3 requests carry a signature over all of themselves: there is no key to look for, and none must be added.
SIGNED_PREFIX = "/storage/v1/s3"
OPAQUE_PREFIXES = ("sb_publishable_", "sb_secret_")
# What stands before a bare JWT that was given as the key. The local gateway hands it on without the word Bearer, which
# GoTrue and the runtime of functions insist on; GoTrue looks at no other header, a function may.
SCHEMES: Mapping[str, bytes | None] = {"/auth/v1": None, "/functions/v1": b""}
BEARER = b"Bearer "
# Why a socket is closed (RFC 6455, 7.4.1).
NOT_HERE, LATER = 1008, 1013
# Where a key in the query is none: the local gateway hands it on, and a function may mean what it likes by it.
HEADERS_ALONE = frozenset({"/functions/v1"})
KEYLESS = frozenset(f"/auth/v1{path}" for path in WITHOUT_KEY)


class Gateway:
    """The outermost app. `rooms` maps a public prefix (`/rest/v1`) to its room, `site` serves everything else."""

    def __init__(self, backend: Backend, rooms: Mapping[str, ASGIApp], site: ASGIApp, observer: Observer) -> None:
        self.backend = backend
        self.rooms = dict(rooms)
        self.site = site
        self.front_door = FrontDoor(guard_of(backend), backend.settings.server.metrics_token is not None)
        self.page_headers = PageHeaders(backend)
        self.cors = CorsPolicy(backend.settings.server.cors_allowed_origins)
        self.observer = observer
        self._incoming = IncomingHeaders(backend.proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _leave_outer_prefix(scope)
        prefix, room = self._choose(scope["path"])
        incoming = self._incoming.read(scope)
        # Asked of the request as it came: below, what a proxy wrote into it is dropped. No room's path is guarded.
        refusal = None if prefix and incoming.names_its_host else self.front_door.refusal(scope)
        scope[CLIENT_ADDRESS] = incoming.address
        if incoming.scheme is not None:
            scope["scheme"] = incoming.scheme
        request_id = incoming.request_id or self.backend.entropy.request_id()
        # Each request is a task of its own, and so has a context of its own.
        bind_contextvars(request_id=request_id)
        record = record_of(scope)
        if record is not None:
            record.id, record.headers = request_id, incoming.headers
        if scope["type"] == "websocket":
            self._let_socket_see(scope, prefix, incoming, request_id)
            await self._open_socket(scope, receive, send, prefix, refusal.to_socket if refusal is not None else room)
            return
        origin = incoming.origin if prefix else None
        send = self.observer.observing(scope, send, prefix, request_id, self._added(prefix, origin), record)
        if refusal is not None:
            await send_response(send, refusal.status, refusal.headers, refusal.body)
        elif origin and scope["method"] == "OPTIONS" and _asks_method(incoming):
            await send_response(send, 200, self.cors.preflight(origin, incoming.headers))
        else:
            refused = self._refused(scope, prefix, incoming, request_id)
            if refused is None:
                await room(_below(scope, prefix), receive, send)
            else:
                await refuse(send, *refused)

    def _added(self, prefix: str, origin: str | None) -> list[Header]:
        """What browsers are told with every answer: only the API's may be read by other origins' pages."""
        if not prefix:
            return self.page_headers.of_site
        return self.page_headers.of_api + self.cors.allowing(origin, prefix)

    def _choose(self, path: str) -> tuple[str, ASGIApp]:
        for prefix, room in self.rooms.items():
            if path.startswith(prefix) and path[len(prefix) : len(prefix) + 1] in ("/", ""):
                return prefix, room
        return "", self.site

    def _refused(
        self, scope: Scope, prefix: str, incoming: Incoming, request_id: str
    ) -> tuple[int, Mapping[str, str]] | None:
        """Why no room is asked. None where one is; then the headers are those that it may see."""
        if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_URL_BYTES:
            return 414, {"message": "URI Too Long"}
        if not prefix:
            scope["headers"] = incoming.with_id(request_id)
        elif not self._may_pass(scope, prefix, incoming, request_id):
            return 401, self._key_refusal(scope)
        return None

    async def _open_socket(self, scope: Scope, receive: Receive, send: Send, prefix: str, room: ASGIApp) -> None:
        if not prefix:
            await _close_socket(receive, send, NOT_HERE)
            return
        await room(_below(scope, prefix), receive, send)

    def _let_socket_see(self, scope: Scope, prefix: str, incoming: Incoming, request_id: str) -> None:
        """Which headers the room of a socket has; whom it lets in is its own affair."""
        scope["headers"] = incoming.with_id(request_id)
        if prefix in HEADERS_ALONE:
            self._admit(scope, prefix, incoming, request_id)
        elif prefix:
            self._authorize(scope, hide_key=False)

    def _may_pass(self, scope: Scope, prefix: str, incoming: Incoming, request_id: str) -> bool:
        """Whether the room at `prefix` is asked; then the headers are those that it may see."""
        path, scheme = scope["path"], SCHEMES.get(prefix, BEARER)
        is_signed = path == SIGNED_PREFIX or path.startswith(SIGNED_PREFIX + "/")
        if is_signed or (QUERY_KEY in scope["query_string"] and prefix not in HEADERS_ALONE):
            scope["headers"] = incoming.with_id(request_id)
            return is_signed or self._authorize(scope, hide_key=True, scheme=scheme) or path in KEYLESS
        return self._admit(scope, prefix, incoming, request_id) or path in KEYLESS

    def _admit(self, scope: Scope, prefix: str, incoming: Incoming, request_id: str) -> bool:
        """Whether the headers let them in; then they are those that the room may see."""
        scheme = SCHEMES.get(prefix, BEARER)
        admission = incoming.admissions.get(scheme) or self._admitted(incoming, scheme)
        repeated = scope[REPEATED_HEADERS] = admission.headers
        own_id = incoming.request_id is not None
        scope["headers"] = [*repeated.before, *repeated.after] if own_id else repeated.with_id(request_id)
        return admission.allowed

    def _admitted(self, incoming: Incoming, scheme: bytes | None) -> Admission:
        """What the key among the headers lets them do; keys are a backend's for as long as it is there."""
        asked: Scope = {"headers": list(incoming.headers), "query_string": b""}
        allowed = self._authorize(asked, hide_key=True, scheme=scheme)
        added = [pair for pair in asked["headers"][-1:] if pair not in incoming.headers]
        before = asked["headers"][:-1] if added else asked["headers"]
        admission = Admission(allowed, RepeatedHeaders(tuple(before), tuple(added)))
        incoming.admissions[scheme] = admission
        return admission

    def _authorize(self, scope: Scope, hide_key: bool, scheme: bytes | None = BEARER) -> bool:
        """Put the caller's token into Authorization; False when the key is not one of ours.

        The local gateway's rule: a real token wins, an `sb_…` one is looked up, else the key itself is the token, where
        behind `scheme`; without one the room is not told of it.
        """
        headers: list[Header] = scope["headers"]
        key = header(headers, API_KEY) or self._query_key(scope, hide_key)
        given = header(headers, AUTHORIZATION)
        if given is not None and not given[7:].startswith(OPAQUE_PREFIXES):
            return self._known(key) if key is not None else not self.backend.settings.server.require_apikey
        key = key if key is not None else (given[7:] if given is not None else None)
        if key is None:
            return not self.backend.settings.server.require_apikey
        token = self.backend.api_keys.jwt_for(key) if key.startswith(OPAQUE_PREFIXES) else key
        if token is None:
            return False
        is_bare = token == key
        if given is None and is_bare and scheme is None:
            return True
        before = scheme if is_bare and scheme is not None else BEARER
        rest = [header for header in headers if header[0] != AUTHORIZATION]
        scope["headers"] = [*rest, (AUTHORIZATION, before + token.encode())]
        return True

    def _known(self, key: str) -> bool:
        return not key.startswith(OPAQUE_PREFIXES) or self.backend.api_keys.jwt_for(key) is not None

    def _query_key(self, scope: Scope, hide: bool) -> str | None:
        query: bytes = scope["query_string"]
        if QUERY_KEY not in query:
            return None
        # What is not the key stays as it was written: decoding and encoding it again would not give the same bytes.
        parts = query.split(b"&")
        given = next((part for part in parts if part.startswith(QUERY_KEY)), None)
        if given is None:
            return None
        key = unquote_plus(given[len(QUERY_KEY) :].decode("latin-1"))
        # PostgREST would take the key for a filter; the socket keeps it, with the JWT it stands for.
        shown = quote(self.backend.api_keys.jwt_for(key) or key).encode()
        kept = [part for part in parts if not part.startswith(QUERY_KEY)] + ([] if hide else [QUERY_KEY + shown])
        scope["query_string"] = b"&".join(kept)
        return key

    def _key_refusal(self, scope: Scope) -> dict[str, str]:
        if header(scope["headers"], API_KEY) is None:
            return {
                "message": "No API key found in request",
                "hint": "No `apikey` request header or url param was found.",
            }
        return {
            "message": "Invalid API key",
            "hint": "Double check your Supabase `anon` or `service_role` API key.",
        }


def guard_of(backend: Backend) -> Guard | None:
    """The doors of a developer's server; None in production, which has nothing behind them."""
    if not backend.development:
        return None
    server = backend.settings.server
    called = urlsplit(server.public_url).hostname if server.public_url else None
    token = server.dev_token.get_secret_value() if server.dev_token else None
    return Guard(token, called)


async def refuse(send: Send, status: int, body: Mapping[str, str]) -> None:
    """An answer of the gateway's own, in its shape: `{"message", "hint"?}`."""
    await send_response(send, status, [JSON], orjson.dumps(body))


def not_implemented(feature: str, code: str) -> ASGIApp:
    """An app that says honestly that a whole service is not there yet."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await _close_socket(receive, send, NOT_HERE)
            return
        message = f"{feature} is not implemented; see docs/compatibility.md"
        await send_response(send, 501, [JSON], orjson.dumps({"code": code, "message": message}))

    return app


def switched_off() -> ASGIApp:
    """What the reference's gateway says of a service that was not started."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await _close_socket(receive, send, LATER)
            return
        await send_response(send, 503, [JSON], orjson.dumps({"message": "name resolution failed"}))

    return app


async def _close_socket(receive: Receive, send: Send, code: int) -> None:
    """Refuse it; clients see that as 403."""
    await receive()
    await send({"type": "websocket.close", "code": code})


def _leave_outer_prefix(scope: Scope) -> None:
    """Take a prefix that another app serves us below out of the path, where that app has left it in."""
    outer: str = scope.get("root_path", "")
    if outer and f"{scope['path']}/".startswith(f"{outer}/"):
        scope["path"] = scope["path"][len(outer) :] or "/"
        scope["raw_path"] = scope["raw_path"].removeprefix(outer.encode()) or b"/"


def _below(scope: Scope, prefix: str) -> Scope:
    if not prefix:
        # The site's paths stand alone; Starlette would look for the outer prefix in them.
        scope["root_path"] = ""
    else:
        scope["path"] = scope["path"][len(prefix) :] or "/"
        scope["raw_path"] = scope["raw_path"][len(prefix) :] or b"/"
        scope["root_path"] = scope.get("root_path", "") + prefix
    return scope


def _asks_method(incoming: Incoming) -> bool:
    return any(name == b"access-control-request-method" and value for name, value in incoming.headers)
