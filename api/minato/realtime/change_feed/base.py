"""A committed row change, and the one protocol through which changes reach the rest of the room.

A feed may be lost and come back; what was committed in between may be missing, so its state is there to be watched.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

Row = Mapping[str, str | None]
"""Column name → PostgreSQL's text output, None for NULL. A column the log doesn't hold is absent."""


class PublicationMissing(Exception):
    """The publication that says which tables are followed does not exist."""

    def __init__(self, name: str) -> None:
        super().__init__(f'publication "{name}" does not exist')


class Action(StrEnum):
    """What happened to the row."""

    INSERT = "INSERT"
    UPDATE = "UPDATE"
    DELETE = "DELETE"


@dataclass(frozen=True, slots=True)
class Column:
    """A published column; `is_identity` when old rows carry it."""

    name: str
    type_oid: int
    is_identity: bool


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A table as it was when the change was made; a new object after every DDL on it."""

    oid: int
    schema: str
    table: str
    columns: tuple[Column, ...]

    @property
    def name(self) -> tuple[str, str]:
        """(schema, table)."""
        return self.schema, self.table


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One row. `record` is None for DELETE; `old` holds the replica identity, None for INSERT.

    `xid` is the 32-bit id of its transaction, `lsn` where that committed, `size` the bytes of the change in the log.
    """

    relation: Relation
    action: Action
    record: Row | None
    old: Row | None
    xid: int
    lsn: int
    committed_at: datetime
    size: int


@dataclass(frozen=True)
class Mark:
    """Stands between changes: all that was committed before it has been told."""

    text: str


Told = Change | Mark


@dataclass(frozen=True, eq=False)
class FeedState:
    """Whether changes flow, and if not, why, in words a client may read.

    `losses` counts how often they stopped: who was busy and sees only the newest state still learns of a gap before it.
    """

    live: bool
    failure: str | None = None
    losses: int = 0


class FeedStatus:
    """The state of a feed, to look at and to wait on."""

    def __init__(self) -> None:
        self.current = FeedState(live=False)
        self._changed = asyncio.Event()

    def set(self, state: FeedState) -> None:
        """Enter `state` and wake everyone who waits."""
        self.current = state
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def after(self, seen: FeedState) -> FeedState:
        """The state that follows `seen`, as soon as there is one."""
        while self.current is seen:
            await self._changed.wait()
        return self.current


LOST = "Realtime lost the replication connection, changes may be missing"

Deliver = Callable[[list[Change]], Awaitable[None]]


class Stream(Protocol):
    """One connection that brings changes, to be opened once."""

    async def open(self) -> None:
        """Connect; everything committed from here on will come. Raises what the feed expects of it."""
        ...

    async def cover_published(self) -> None:
        """Make sure that every table published by now is followed. Raises DATABASE_ERRORS."""
        ...

    def batches(self, size: int) -> AsyncIterator[Sequence[Told]]:
        """Changes in commit order, and marks between them; ends only by an exception."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...

    async def gone(self) -> None:
        """Wait until the server has let go of everything that belonged to it."""
        ...


class ChangeFeed(Protocol):
    """A source of committed changes in commit order. `deliver` is awaited batch by batch and never raises."""

    status: FeedStatus

    async def start(self, deliver: Deliver) -> None: ...

    async def cover_published(self) -> None:
        """Make sure that every table published by now is followed. Raises DATABASE_ERRORS."""
        ...

    async def catch_up(self) -> None:
        """Wait until all that is committed by now has been delivered. Raises DATABASE_ERRORS and ENGINE_ERRORS."""
        ...

    async def stop(self) -> None: ...
