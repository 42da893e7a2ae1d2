"""The open connections of one server: how many there may be, who makes room for others, who is too slow."""

from __future__ import annotations

import asyncio
import resource
from collections import deque
from collections.abc import Collection
from enum import Enum
from typing import NamedTuple, Protocol

from minato.config.connections import ConnectionSettings
from minato.http.client_address import TrustedProxies, subscriber

# Descriptors that the server itself needs: database, files, answers that wait on disk.
RESERVED = 512
# More than this is not meant for one process, whatever the limit says.
MOST = 16_384
LOOKS_PER_PATIENCE = 10


class Duty(Enum):
    """What a client has to do next."""

    SEND_HEADERS = "headers"
    SEND_BODY = "body"
    TAKE_ANSWER = "answer"
    TAKE_FRAMES = "frames"


class Standing(NamedTuple):
    """How far a client is: with which duty, for which request, and how many bytes of it are done."""

    duty: Duty
    request: object
    done: int


class Connection(Protocol):
    """One client's connection; `pace` is ours to keep."""

    pace: Pace | None

    @property
    def address(self) -> str: ...

    @property
    def is_idle(self) -> bool:
        """Whether nothing is lost with it: no request is being read or answered."""
        ...

    def standing(self) -> Standing | None:
        """None while it is not the client who is waited for."""
        ...

    def abort(self) -> None: ...


class Pace(NamedTuple):
    """Where a client stood at the beginning of a stretch of time."""

    since: float
    standing: Standing


class Connections:
    """Who is connected. `trusted` addresses and networks are proxies: many clients behind one address."""

    def __init__(self, settings: ConnectionSettings, trusted: Collection[str] = ()) -> None:
        self._all = Crowd(settings.max_connections or most_connections())
        self._most_each = settings.max_connections_per_address or max(self._all.most // 2, 1)
        self._by_address: dict[str, Crowd] = {}
        self._trusted = TrustedProxies(trusted)
        self._slowest = settings.slowest_transfer
        self._patience = {
            Duty.SEND_HEADERS: settings.header_timeout,
            Duty.SEND_BODY: settings.body_timeout,
            Duty.TAKE_ANSWER: settings.reader_timeout,
            Duty.TAKE_FRAMES: settings.socket_reader_timeout,
        }
        self._pause = min(self._patience.values()) / LOOKS_PER_PATIENCE
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._all.members)

    def admit(self, connection: Connection) -> bool:
        """Whether there is room for one more; the one that has done nothing for longest makes it."""
        crowds = self._crowds(connection)
        if not all(self._has_room(crowd) for crowd in crowds):
            return False
        for crowd in self._crowds(connection):
            crowd.members[connection] = None
        if self._timer is None:
            self._look_later()
        return True

    def leave(self, connection: Connection) -> None:
        """Forget it; leaving twice is fine."""
        for crowd in self._crowds(connection):
            crowd.members.pop(connection, None)
        address = subscriber(connection.address)
        if address in self._by_address and not self._by_address[address].members:
            del self._by_address[address]

    def _crowds(self, connection: Connection) -> list[Crowd]:
        if not connection.address or self._trusted.trusts(connection.address):
            return [self._all]
        address = subscriber(connection.address)
        crowd = self._by_address.get(address) or self._by_address.setdefault(address, Crowd(self._most_each))
        return [crowd, self._all]

    def _has_room(self, crowd: Crowd) -> bool:
        if len(crowd.members) < crowd.most:
            return True
        idle = crowd.longest_idle()
        if idle is None:
            return False
        idle.abort()
        self.leave(idle)
        return True

    def _look_later(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._pause, self._look)

    def _look(self) -> None:
        """Cut off who is too slow. One look at all of them costs less than a timer for each request."""
        self._timer = None
        now = asyncio.get_running_loop().time()
        for connection in list(self._all.members):
            if self._is_late(connection, now):
                connection.abort()
                self.leave(connection)
        if self._all.members:
            self._look_later()

    def _is_late(self, connection: Connection, now: float) -> bool:
        standing, pace = connection.standing(), connection.pace
        if standing is None:
            connection.pace = None
            return False
        if pace is None or pace.standing.duty is not standing.duty or pace.standing.request is not standing.request:
            connection.pace = Pace(now, standing)
            return False
        patience = self._patience[standing.duty]
        if now - pace.since < patience:
            return False
        connection.pace = Pace(now, standing)
        return abs(standing.done - pace.standing.done) < self._slowest * patience


class Crowd:
    """Connections that count together, the oldest first, and at most how many."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.members: dict[Connection, None] = {}
        self._idle: deque[Connection] = deque()

    def longest_idle(self) -> Connection | None:
        """The one that may go; all are looked at only once for many questions."""
        if not self._idle:
            self._idle.extend(member for member in self.members if member.is_idle)
        while self._idle:
            member = self._idle.popleft()
            if member in self.members and member.is_idle:
                return member
        return None


def most_connections() -> int:
    """How many connections the descriptor limit leaves room for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return min(soft - min(soft // 2, RESERVED), MOST) if soft > 0 else MOST
