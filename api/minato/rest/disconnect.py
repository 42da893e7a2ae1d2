"""A client that leaves takes its query with it."""

from __future__ import annotations

import asyncio

from minato.http.asgi import Receive

# Most requests are answered before this many seconds; only the others are worth a task that watches.
PATIENCE = 0.1


class DisconnectWatch:
    """Cancels the present task when the client of `receive` disconnects. The body must have been read already."""

    def __init__(self, receive: Receive) -> None:
        self.disconnected = False
        self._receive = receive
        self._task = asyncio.current_task()
        self._watcher: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._begin)

    def end(self) -> None:
        """Stop watching."""
        self._timer.cancel()
        if self._watcher is not None:
            self._watcher.cancel()

    def _begin(self) -> None:
        self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.disconnected = True
        if self._task is not None:
            self._task.cancel()
