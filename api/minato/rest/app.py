"""The data API as a room: ASGI by hand in front of the pipeline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from urllib.parse import quote

from structlog.stdlib import BoundLogger

from minato.backend import Backend, UnsentRequest
from minato.background import Supervisor, ended
from minato.clock import Clock
from minato.config.rest import RestSettings
from minato.database.database import Database
from minato.database.replica.following import Following
from minato.database.wire.stream import RowStream
from minato.http.asgi import Header, Receive, Scope, Send, read_body
from minato.http.body_memory import BodyMemory, Held, NoMemory
from minato.http.client_address import client_subscriber
from minato.http.errors import BodyTooLarge, ClientLeft
from minato.http.repeated import REPEATED_HEADERS
from minato.journal.record import record_of
from minato.json_text import encode
from minato.rest.disconnect import Disconnects
from minato.rest.errors import RestError
from minato.rest.execute import Executor
from minato.rest.jwt_secret import Keyring
from minato.rest.parse.api_request import RawRequest
from minato.rest.pipeline import Pipeline
from minato.rest.refusal import Refusals
from minato.rest.replicated import ReplicatedExecutor
from minato.rest.respond import Response, respond_error
from minato.rest.schema_cache.reload import SchemaCacheKeeper
from minato.rest.sqlstate import RETRY_AFTER
from minato.rest.timing import STAGES, Lap, Stopwatch, untimed
from minato.tokens.caller import Caller
from minato.tokens.keys import TokenKeys
from minato.why.hints import Hints

BODY_METHODS = ("POST", "PUT", "PATCH")
# What stands for itself in a query, an escape sign among them.
QUERY = "%!$&'()*+,;=:@/?-._~\"{}<>|[]"
VARY = ("Vary", "Accept, Prefer, Range")


@dataclass
class RestRoom:
    """`/rest/v1`. `app` sees paths without that prefix, of which `public_url` tells what stands before them.

    `keys` verify tokens unless the settings bring a secret of their own; None where only that one may. `reread` gives
    the settings anew when their reload is asked for. A refusal by PostgreSQL says why where the room `explains`. One
    that `dozes` opens no connection before it is woken.
    """

    settings: RestSettings
    database: Database
    clock: Clock
    log: BoundLogger
    supervisor: Supervisor
    keys: TokenKeys | None
    public_url: str
    reread: Callable[[], RestSettings] | None = None
    explains: bool = False
    dozes: bool = False

    def __post_init__(self) -> None:
        self.pool_timeouts = 0
        self._has_dozed = False
        self._disconnects = Disconnects()
        self._bodies = BodyMemory(self._body_memory)
        self.keeper = SchemaCacheKeeper(self.database, self.settings, self.supervisor, self.log, self.reread)
        self.executor = self._executor()
        self._following: asyncio.Task[None] | None = None
        refusals = Refusals(Hints(lambda: self.database.sessions)) if self.explains else None
        keyring = Keyring(self.keys)
        self.pipeline = Pipeline(keyring, self.clock, self.keeper, self.executor, self.public_url, refusals)

    @property
    def is_ready(self) -> bool:
        """Whether the schema cache is loaded."""
        return self.keeper.loaded is not None

    async def start(self) -> None:
        """Load the schema cache and listen for changes; watch the replica, if there is one."""
        if self.dozes:
            return
        await self.keeper.start()
        if self.database.replica is not None:
            following = Following(self.database.replica, self.database.sessions, self.clock)
            self._following = self.supervisor.keep("following the read replica", following.follow)

    async def wake(self) -> None:
        """Learn the schema, or what has changed meanwhile, and listen from now on; twice is once. Raises
        DATABASE_ERRORS."""
        if self.keeper.loaded is None:
            await self.keeper.reload()
        elif self._has_dozed and self.dozes:
            await self.keeper.refresh()
        self.keeper.listen()

    async def doze(self) -> None:
        """Listen no longer."""
        self._has_dozed = True
        await self.keeper.stop()

    async def stop(self) -> None:
        await ended(self._following)
        await self.keeper.stop()

    def _executor(self) -> Executor | ReplicatedExecutor:
        within = self.settings.db_pool_acquisition_timeout
        if self.database.replica is None:
            return Executor(self.database, within, self.database.causes)
        return ReplicatedExecutor(self.database, self.database.replica, within, self.log)

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Whatever is refused gets the reference's error."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        head = scope["method"] == "HEAD"
        try:
            response = await self._answer(scope, receive)
        except RestError as error:
            self.pool_timeouts += error.code == "PGRST003"
            response = respond_error(error, self.keeper.settings.client_error_verbosity == "verbose")
        except Exception:
            self.log.exception("rest request failed")
            response = respond_error(RestError(500, "PGRSTX00", "Internal server error"), verbose=True)
        trace = self.keeper.settings.server_trace_header
        if trace is not None:
            given = dict(scope["headers"]).get(trace.lower().encode("latin-1"), b"")
            response.headers.append((trace, given.decode("latin-1")))
        await _send(send, response, head)

    async def why(self, asked: UnsentRequest) -> tuple[int, bytes]:
        """What a request may do, and why not, as status and JSON."""
        raw = _unsent(asked)
        try:
            return 200, encode(await self.pipeline.why(raw, asked.caller or self.pipeline.authenticate(raw)))
        except RestError as error:
            return error.status, error.body()

    async def plan(self, asked: UnsentRequest, analyze: bool, force: bool) -> tuple[int, bytes]:
        """How PostgreSQL would run a request, as status and JSON; `analyze` runs it, a write only by `force`."""
        raw, sessions = _unsent(asked), self.database.sessions
        try:
            caller = asked.caller or self.pipeline.authenticate(raw)
            return 200, encode(await self.pipeline.plan(raw, caller, sessions, analyze, force))
        except RestError as error:
            return error.status, error.body()

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        repeated = scope.get(REPEATED_HEADERS)
        record = record_of(scope)
        asked = (scope["method"], scope["raw_path"], scope["query_string"], scope["headers"])
        raw = RawRequest(*asked, b"", repeated, record)
        is_told = self.keeper.settings.server_timing_enabled
        watch = Stopwatch(perf_counter) if is_told or record is not None else None
        lap = watch.lap if watch else untimed
        caller = self.pipeline.authenticate(raw)
        scope["user"] = caller.role
        if record is not None and watch is not None:
            record.role, record.claims = caller.role, caller.claims
            record.stages, record.spent = STAGES, watch.spent
        lap("jwt")
        share = caller.share(client_subscriber(scope))
        if raw.method in BODY_METHODS:
            with self._bodies.held(share) as held:
                raw = raw._replace(body=await self._body(receive, held))
                response = await self._handled(raw, caller, lap, share, receive)
        else:
            response = await self._handled(raw, caller, lap, share, receive)
        lap("response")
        if watch is not None and is_told:
            response.headers.append(("Server-Timing", watch.header()))
        for name, _ in response.headers:
            if name.lower() == "vary":
                return response
        response.headers.append(VARY)
        return response

    async def _handled(
        self, raw: RawRequest, caller: Caller, lap: Lap, share: str | None, receive: Receive
    ) -> Response:
        waiting = self._disconnects.begin(receive)
        try:
            return await self.pipeline.handle(raw, caller, lap, share)
        except asyncio.CancelledError:
            if not waiting.disconnected:
                raise
            raise _client_left() from None
        finally:
            self._disconnects.end(waiting)

    def _body_memory(self) -> int:
        """One caller has half: never less than the largest body that is allowed."""
        return max(self.keeper.settings.body_memory, 2 * self.keeper.settings.body_limit)

    async def _body(self, receive: Receive, held: Held) -> bytes:
        try:
            return await read_body(receive, self.keeper.settings.body_limit, held.take)
        except NoMemory:
            raise RestError(503, "PGRSTX05", "Too many large request bodies at once", headers=[RETRY_AFTER]) from None
        except ClientLeft:
            raise _client_left() from None
        except BodyTooLarge:
            limit = self.keeper.settings.body_limit
            raise RestError(413, "PGRST102", f"The body is larger than {limit} bytes") from None


def _unsent(asked: UnsentRequest) -> RawRequest:
    path, _, query = asked.target.partition("?")
    headers = list(asked.headers)
    if asked.token is not None:
        headers.append((b"authorization", f"Bearer {asked.token}".encode()))
    if asked.profile is not None:
        headers += [(name, asked.profile.encode()) for name in (b"accept-profile", b"content-profile")]
    address = (quote(path, safe=QUERY).encode(), quote(query, safe=QUERY).encode())
    return RawRequest(asked.method, *address, headers, asked.body)


def _client_left() -> RestError:
    """Nobody hears this; uvicorn drops it."""
    return RestError(499, "PGRSTX99", "Client closed the request")


async def _send(send: Send, response: Response, head: bool) -> None:
    """A body that was never made (as HEAD's) has no length, nor has 204. A length that SQL code made up is dropped."""
    made = None if response.status == 204 else response.body
    body = b"" if head or made is None else made
    headers: list[Header] = [
        (lower.encode("latin-1"), _latin(value))
        for name, value in response.headers
        if (lower := name.lower()) != "content-length"
    ]
    if made is not None:
        headers.append((b"content-length", str(len(made)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    if isinstance(response.body, RowStream) and body is not response.body:
        response.body.close()
    if isinstance(body, RowStream):
        await _send_pieces(send, body)
    else:
        await send({"type": "http.response.body", "body": body})


async def _send_pieces(send: Send, body: RowStream) -> None:
    try:
        async for piece in body:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        body.close()


def _latin(value: str) -> bytes:
    # Header values carry UTF-8 bytes as they are; a line break can't come from a value we let through.
    if "\r" in value or "\n" in value:
        value = value.replace("\r", " ").replace("\n", " ")
    return value.encode("utf-8", "replace")


def create_rest(backend: Backend) -> RestRoom:
    """The room that serves `/rest/v1` of `backend`."""
    return RestRoom(
        backend.settings.rest,
        backend.database,
        backend.clock,
        backend.log,
        backend.supervisor,
        backend.accepted_keys,
        f"{backend.public_url}/rest/v1",
        explains=backend.explains,
        dozes=backend.branch is not None,
    )
