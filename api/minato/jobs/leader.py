"""One process of all that serve a database does its scheduled work: the one whose session holds an advisory lock.

What must be done once is written by this very session, so that a process which lost it, and may not know yet, begins
nothing any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from minato.database.database import Database
from minato.database.engines import OWNER
from minato.database.listener import Listener

# "mina"; the functions of pg_net look for it in pg_locks.
LOCKS = {"cron": (1835626081, 18), "net": (1835626081, 19)}
# Users may write functions and operators of their own; none is found here.
_SAFE = "set search_path = pg_catalog, pg_temp; set client_min_messages = warning"


class Leader:
    """The session of the process that leads."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._turn = asyncio.Lock()

    async def rows(self, statement: str, *values: object) -> Sequence[Mapping[str, Any]]:
        """The rows of a statement, committed at once. Raises CONNECTION_ERRORS; then nothing more may be begun."""
        async with self._turn:
            return await self._listener.fetch(statement, *values)

    async def lost(self) -> None:
        """Wait until the session is gone, and the lead with it."""
        await self._listener.lost.wait()


class Together:
    """Rows of one statement, which takes a list a column: those that come while others are written are the next ones
    to be written, all at once."""

    def __init__(self, leader: Leader, statement: str) -> None:
        self._leader = leader
        self._statement = statement
        self._turn = asyncio.Lock()
        self._next = _Batch()

    async def write(self, *row: object) -> None:
        """Until it is committed. Raises CONNECTION_ERRORS."""
        batch = self._next
        batch.rows.append(row)
        async with self._turn:
            if batch is self._next:
                self._next = _Batch()
                await self._leader.rows(self._statement, *map(list, zip(*batch.rows, strict=True)))
                batch.written = True
        if not batch.written:
            raise ConnectionError("the lead was lost")


@dataclass
class _Batch:
    rows: list[Sequence[object]] = field(default_factory=list)
    written: bool = False


@asynccontextmanager
async def leading(database: Database, work: str) -> AsyncIterator[Leader | None]:
    """The lead of `work` until the block ends; None while another process has it. Raises CONNECTION_ERRORS."""
    listener = await database.listener(OWNER, f"minato pg_{work}")
    try:
        await listener.execute(_SAFE)
        ((taken,),) = await listener.fetch("select pg_try_advisory_lock($1, $2)", *LOCKS[work])
        yield Leader(listener) if taken else None
    finally:
        listener.close()
