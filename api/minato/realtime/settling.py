"""What a test waits for here: row changes until they are delivered, and frames until they have left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from minato.at_work import Pending
from minato.realtime.change_feed.base import ChangeFeed
from minato.realtime.services import Services
from minato.realtime.socket import Socket

# A slot begins where no transaction is half written, in whatever database of the cluster.
NOT_YET = "changes flow when each transaction has ended that writes anywhere on this PostgreSQL now"


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
        self.done = 0

    async def settle(self) -> None:
        """Wait until all that is committed was delivered, where somebody may hear of it, or the journal does."""
        if self._is_waited_for():
            await self._feed.catch_up()

    def _is_waited_for(self) -> bool:
        is_told = self._is_told and self._feed.status.current.live
        return bool(self._sockets or is_told) and not self._is_hopeless()

    def _is_hopeless(self) -> bool:
        """Whether nobody follows what does not flow: a database that tells of no changes has sockets, too."""
        return self._feed.status.current.failure is not None and not self._services.changes.subscriptions

    def pending(self) -> Pending | None:
        """The stream, where it has not begun; what is on its way in it nobody counts."""
        state = self._feed.status.current
        return Pending(1, state.failure or NOT_YET) if self._is_waited_for() and not state.live else None
