"""What a test waits for here: row changes until they are delivered, and frames until they have left."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from minato.at_work import Pending
from minato.realtime.change_feed.base import ChangeFeed
from minato.realtime.services import Services
from minato.realtime.socket import Socket


class Sockets:
    """Those that are open. It is a `Part`: frames wait for their clients."""

    what = "frames"
    leads_on = False

    def __init__(self) -> None:
        self._open: set[Socket] = set()
        self._sent = 0

    def __bool__(self) -> bool:
        return bool(self._open)

    def __iter__(self) -> Iterator[Socket]:
        return iter(list(self._open))

    @contextmanager
    def one(self, socket: Socket) -> Iterator[None]:
        """It is open until the block ends."""
        self._open.add(socket)
        try:
            yield
        finally:
            self._open.discard(socket)
            self._sent += socket.queue.sent

    @property
    def done(self) -> int:
        """How many frames have left."""
        return self._sent + sum(socket.queue.sent for socket in self._open)

    async def settle(self) -> None:
        """Wait until those that are queued now have left."""
        for socket in self:
            await socket.queue.emptied()

    def pending(self) -> Pending | None:
        """Those that are queued."""
        waiting = [socket.queue.waiting for socket in self._open if socket.queue.waiting]
        return Pending(sum(waiting), f"{len(waiting)} sockets that do not read") if waiting else None


class Followed:
    """A `Part`: the changes that `feed` brings to `sockets`."""

    what = "changes"
    leads_on = False

    def __init__(self, feed: ChangeFeed, services: Services, sockets: Sockets, is_told: bool) -> None:
        self._feed = feed
        self._is_told = is_told
        self._services = services
        self._sockets = sockets
        self._since: float | None = None
        self.done = 0

    async def settle(self) -> None:
        """Wait until all that is committed was delivered, where somebody may hear of it, or the journal does."""
        is_told = self._is_told and self._feed.status.current.live
        if not (self._sockets or is_told) or self._is_hopeless():
            return
        self._since = asyncio.get_running_loop().time()
        try:
            await self._feed.catch_up()
        finally:
            self._since = None

    def _is_hopeless(self) -> bool:
        """Whether nobody follows what does not flow: a database that tells of no changes has sockets, too."""
        return self._feed.status.current.failure is not None and not self._services.changes.subscriptions

    def pending(self) -> Pending | None:
        """The stream, while it is waited for."""
        state = self._feed.status.current
        words = "not all that is committed was delivered" if state.live else state.failure or "changes do not flow yet"
        return Pending(1, words, self._since) if self._since is not None else None
