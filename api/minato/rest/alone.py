"""The data API alone: at the root, on any database, without gateway, keys or platform schema."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from structlog.stdlib import BoundLogger

from minato.clock import Clock
from minato.config.postgrest import PostgrestConfig
from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.outage import CONNECTION_ERRORS, Outage
from minato.http.asgi import Receive, Scope, Send
from minato.rest.access_log import AccessLog
from minato.rest.app import RestRoom
from minato.rest.cors import Cors

LONGEST_PAUSE = 32


@dataclass
class DataApi:
    """An ASGI application of its own. It answers 503 until the database can be reached, and looks for it meanwhile.

    `reread` gives the options anew when a reload of the configuration is asked for; `write` takes lines of access log.
    """

    config: PostgrestConfig
    log: BoundLogger
    public_url: str
    reread: Callable[[], RestSettings] | None = None
    write: Callable[[str], None] = print

    def __post_init__(self) -> None:
        uri = self.config.db_uri
        self.clock = Clock()
        self.database = Database(DatabaseAddress(uri, uri), self.config.database, Outage(self.log))
        self.room = RestRoom(self.config.rest, self.database, self.clock, self.log, None, self.public_url, self.reread)
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
        starting = asyncio.create_task(self._start())
        await self._tried.wait()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        starting.cancel()
        await self.room.stop()
        await self.database.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _start(self) -> None:
        """Open the database and load the schema cache, again and again until both work."""
        pause = 1
        while True:
            try:
                await self.database.open()
                await self.room.start()
                self._tried.set()
                return
            except CONNECTION_ERRORS as error:
                self.database.outage.begin(error)
                await self.database.close()
            self._tried.set()
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
