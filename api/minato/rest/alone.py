"""The data API alone: at the root, on any database, without gateway, keys or platform schema.

Behind Minato's gateway that one answers cross-origin requests; here the API does, and writes an access log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from structlog.stdlib import BoundLogger

from minato.background import Supervisor, begun, ended
from minato.clock import Clock
from minato.config.postgrest import LOGGED_FROM, PostgrestConfig
from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.outage import Outage
from minato.http.asgi import ASGIApp, Header, Message, Receive, Scope, Send, header_map, send_response
from minato.rest.app import RestRoom
from minato.rest.schema_cache.reload import DATABASE_ERRORS, SchemaCacheKeeper

LONGEST_PAUSE = 32
METHODS = b"GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"
ALWAYS_ALLOWED = b"Accept, Accept-Language, Content-Language"
EXPOSED = (
    b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, "
    b"Transfer-Encoding, Range-Unit"
)


@dataclass
class DataApi:
    """An ASGI application of its own. It answers 503 until the database can be reached, and looks for it meanwhile.

    `reread` gives the options anew when a reload of the configuration is asked for; `write` takes lines of access log.
    `processors` are those of this machine.
    """

    config: PostgrestConfig
    log: BoundLogger
    public_url: str
    reread: Callable[[], RestSettings] | None = None
    write: Callable[[str], None] = print
    processors: int = field(kw_only=True)

    def __post_init__(self) -> None:
        uri = self.config.db_uri
        self.clock = Clock()
        self.database = Database(DatabaseAddress(uri, uri), self.config.database, self.processors, Outage(self.log))
        supervisor = Supervisor(self.log, self.database.outage)
        self.room = RestRoom(
            self.config.rest, self.database, self.clock, self.log, supervisor, None, self.public_url, self.reread
        )
        self._app = AccessLog(Cors(self.room.app, self.room.keeper), self.config.log_level, self.clock, self.write)
        self._tried = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._app(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        else:
            await self.room.app(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        starting = begun("start", self._start(), self.log)
        await self._tried.wait()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await ended(starting)
        await self.room.stop()
        await self.database.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _start(self) -> None:
        """Open the database and load the schema cache, again and again until both work."""
        pause = 1
        while not await self._opened():
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _opened(self) -> bool:
        try:
            await self.database.open()
            await self.room.start()
        except DATABASE_ERRORS as error:
            self.database.outage.begin(error)
            return False
        except Exception:
            self.log.exception("start failed")
            return False
        finally:
            self._tried.set()
        return True


class Cors:
    """In front of `app`: answers preflights, lets pages read other answers."""

    def __init__(self, app: ASGIApp, keeper: SchemaCacheKeeper) -> None:
        self._app = app
        self._keeper = keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is None:
            await self._app(scope, receive, send)
            return
        allowed = self._allowed(origin)
        if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers and allowed:
            await send_response(send, 200, [*allowed, *_preflight(headers.get(b"access-control-request-headers"))])
            return
        # Any other OPTIONS says itself that anybody may, whatever the list.
        is_options = scope["method"] == "OPTIONS"
        await self._app(scope, receive, send if is_options else _allowing(send, allowed))

    def _allowed(self, origin: bytes) -> list[Header]:
        """What tells the page that it may read; nothing for an origin that is not listed."""
        listed = [name.strip() for name in self._keeper.settings.server_cors_allowed_origins.split(",") if name.strip()]
        if not listed:
            return [(b"access-control-allow-origin", b"*")]
        if origin.decode("latin-1") not in listed:
            return []
        return [(b"access-control-allow-origin", origin), (b"access-control-allow-credentials", b"true")]


def _preflight(asked: bytes | None) -> list[Header]:
    wanted = [b"Authorization", *(name.strip() for name in (asked or b"").split(b",") if name.strip())]
    return [
        (b"access-control-allow-methods", METHODS),
        (b"access-control-allow-headers", b", ".join([*wanted, ALWAYS_ALLOWED])),
        (b"access-control-max-age", b"86400"),
    ]


def _allowing(send: Send, allowed: list[Header]) -> Send:
    added = [*allowed, (b"access-control-expose-headers", EXPOSED)] if allowed else []

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return sending


@dataclass(frozen=True)
class AccessLog:
    """ASGI: passes requests on, and hands `write` a line for every answer at or above the level's status."""

    app: ASGIApp
    level: str
    clock: Clock
    write: Callable[[str], None]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        least = LOGGED_FROM[self.level]
        if scope["type"] != "http" or least is None:
            await self.app(scope, receive, send)
            return

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] >= least:
                self.write(self._line(scope, message))
            await send(message)

        await self.app(scope, receive, noting)

    def _line(self, scope: Scope, answer: Message) -> str:
        sent, given = header_map(scope), dict(answer["headers"])
        client = (scope.get("client") or ("-",))[0]
        moment = self.clock.now().strftime("%d/%b/%Y:%H:%M:%S +0000")
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        path = (scope["raw_path"] + query).decode("latin-1")
        size = given.get(b"content-length", b"-").decode()
        request = f"{scope['method']} {_quotable(path)} HTTP/{scope['http_version']}"
        names = f'"{_quotable(sent.get("referer", ""))}" "{_quotable(sent.get("user-agent", ""))}"'
        return (
            f'{client} - {_quotable(scope.get("user", "-"))} [{moment}] "{request}" {answer["status"]} {size} {names}'
        )


def _quotable(text: str) -> str:
    """What clients send may not end a field or a line.

    >>> _quotable('a" b')
    'a\\\\x22 b'
    """
    return "".join(each if each.isprintable() and each != '"' else f"\\x{ord(each):02x}" for each in text)
