"""Who waits for an answer and has left: their statement is cancelled.

Most requests are answered before anybody could leave, so a task that watches the client is begun only for those that
take longer, and one timer finds them for all.
"""

from __future__ import annotations

import asyncio

from minato.http.asgi import Receive

# Seconds; most requests are answered before.
PATIENCE = 0.1


class Waiting:
    """One request under way. Its task is cancelled when its client disconnects."""

    __slots__ = ("disconnected", "receive", "since", "task", "watcher")

    def __init__(self, receive: Receive, task: asyncio.Task[None] | None, since: float) -> None:
        self.receive = receive
        self.task = task
        self.since = since
        self.disconnected = False
        self.watcher: asyncio.Task[None] | None = None

    async def watch(self) -> None:
        """Cancel the task as soon as its client has left."""
        while (await self.receive())["type"] != "http.disconnect":
            pass
        self.disconnected = True
        if self.task is not None:
            self.task.cancel()


class Disconnects:
    """The requests of one room that are under way, the oldest first."""

    def __init__(self) -> None:
        self._under_way: dict[Waiting, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self, receive: Receive) -> Waiting:
        """The present task answers the client of `receive`, whose body has been read."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        waiting = Waiting(receive, asyncio.current_task(self._loop), self._loop.time())
        self._under_way[waiting] = None
        if self._timer is None:
            self._timer = self._loop.call_later(PATIENCE, self._look)
        return waiting

    def end(self, waiting: Waiting) -> None:
        """It is answered; nobody is watched any more."""
        self._under_way.pop(waiting, None)
        if waiting.watcher is not None:
            waiting.watcher.cancel()

    def _look(self) -> None:
        """Begin to watch those who have waited for long, and look again for the others."""
        self._timer = None
        loop = asyncio.get_running_loop()
        late = loop.time() - PATIENCE
        for waiting in list(self._under_way):
            if waiting.since > late:
                self._timer = loop.call_later(waiting.since - late, self._look)
                return
            del self._under_way[waiting]
            waiting.watcher = loop.create_task(waiting.watch())
