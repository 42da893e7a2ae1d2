"""The admin server of a data API that is served alone: load balancers and orchestrators ask it for health."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass

from api.http.asgi import Receive, Scope, Send
from api.rest.schema_cache.reload import SchemaCacheKeeper


@dataclass(frozen=True)
class AdminServer:
    """ASGI: `/live` tells whether the API's socket accepts connections, `/ready` whether it would also answer.

    Statuses are PostgREST's: 200; 500 when that socket can't be reached; 503 while database or schema are waited for.
    """

    api: socket.socket
    keeper: SchemaCacheKeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = await self._status(scope["path"]) if scope["type"] == "http" else 404
        await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})

    async def _status(self, path: str) -> int:
        if path not in ("/live", "/ready"):
            return 404
        if not await self._is_reachable():
            return 500
        return 200 if path == "/live" or self.keeper.is_ready else 503

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
