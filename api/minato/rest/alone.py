"""The data API alone: at the root, on any database, without gateway, keys or platform schema."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from structlog.stdlib import BoundLogger

from minato.background import Supervisor, begun, ended
from minato.clock import Clock
from minato.config.postgrest import PostgrestConfig
from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.outage import Outage
from minato.http.asgi import Receive, Scope, Send
from minato.rest.access_log import AccessLog
from minato.rest.app import RestRoom
from minato.rest.cors import Cors
from minato.rest.schema_cache.reload import DATABASE_ERRORS

LONGEST_PAUSE = 32


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
