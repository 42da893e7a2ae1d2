"""The admin server of a data API that is served alone: health for orchestrators, numbers for Prometheus."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from minato.http.asgi import Header, Receive, Scope, Send, send_response
from minato.rest.app import RestRoom
from minato.rest.metrics import DataApiCollector
from minato.rest.schema_cache.dump import dump_schema_cache

TEXT: Header = (b"content-type", CONTENT_TYPE_LATEST.encode())


@dataclass(frozen=True)
class AdminServer:
    """ASGI: `/live` tells whether the API's socket accepts connections, `/ready` whether it would also answer.

    Statuses are PostgREST's: 200; 500 when that socket can't be reached; 503 while database or schema are waited for.
    `/metrics` and `/schema_cache` (empty before the first load) show what is inside.
    """

    api: socket.socket
    room: RestRoom

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope.get("path"):
            case "/live" | "/ready" as path:
                await send_response(send, await self._health(path))
            case "/metrics":
                await send_response(send, 200, [TEXT], self._metrics())
            case "/schema_cache":
                cache = self.room.keeper.loaded
                await send_response(send, 200, body=dump_schema_cache(cache) if cache else b"")
            case _:
                await send_response(send, 404)

    def _metrics(self) -> bytes:
        registry = CollectorRegistry()
        registry.register(DataApiCollector(self.room))
        return generate_latest(registry)

    async def _health(self, path: str) -> int:
        if not await self._is_reachable():
            return 500
        return 200 if path == "/live" or self.room.keeper.is_ready else 503

    async def _is_reachable(self) -> bool:
        """No request is sent: a connection is enough."""
        try:
            address = self.api.getsockname()
            if self.api.family == socket.AF_UNIX:
                _, writer = await asyncio.open_unix_connection(address)
            else:
                _, writer = await asyncio.open_connection(*address[:2])
        except OSError:
            return False
        writer.close()
        return True
