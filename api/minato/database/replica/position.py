"""Positions in the write-ahead log: what a commit reached, what a replica has replayed.

A server that is promoted writes a log of its own from there on, on the next timeline. By the number alone a replica
that stayed with the old primary may be ahead of the new one, and has nothing of it: so the timeline counts first.
"""

from __future__ import annotations

import asyncio
from typing import Final

from minato.database.wire.messages import Row
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command

Position = int
BEGINNING: Final[Position] = 0
# After all that a replica can have: who wants this is answered by the primary.
UNKNOWN: Final[Position] = 2**96 - 1
_TIMELINE: Final = 64

# Not `pg_current_wal_lsn`: with synchronous_commit off that is behind a commit that was answered.
NEWEST: Final = Command(
    "select pg_catalog.left(pg_catalog.pg_walfile_name(lsn),8),lsn from pg_catalog.pg_current_wal_insert_lsn() lsn"
)


def parsed(timeline: int, text: str) -> Position:
    """A position of a timeline as PostgreSQL writes it.

    >>> parsed(0, "1/A0") == 2**32 + 160, parsed(2, "0/1") > parsed(1, "FF/0")
    (True, True)
    """
    high, _, low = text.partition("/")
    return (timeline << _TIMELINE) + (int(high, 16) << 32) + int(low, 16)


def timeline_of(position: Position) -> int:
    """Which timeline it is of.

    >>> timeline_of(parsed(7, "16/B374D848"))
    7
    """
    return position >> _TIMELINE


def written(position: Position) -> str:
    """The same on its timeline, as PostgreSQL reads it.

    >>> written(parsed(1, "16/B374D848"))
    '16/B374D848'
    """
    return f"{position >> 32 & 0xFFFFFFFF:X}/{position & 0xFFFFFFFF:X}"


def newest_of(rows: list[Row]) -> Position:
    """What `NEWEST` gave."""
    ((timeline, lsn),) = rows
    return parsed(int(timeline or b"0", 16), (lsn or b"").decode())


async def newest(primary: SessionPool, within: float) -> Position:
    """Behind everything that is committed. Raises TimeoutError after `within` seconds, StatementError and
    CONNECTION_ERRORS."""
    async with asyncio.timeout(within), primary.lent(within) as session:
        (rows,) = await session.run([NEWEST])
    return newest_of(rows)
