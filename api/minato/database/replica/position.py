"""Positions in the write-ahead log: what a commit reached, what a replica has replayed."""

from __future__ import annotations

import asyncio
from typing import Final

from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command

Position = int
BEGINNING: Final[Position] = 0
# After all that a replica can have: who wants this is answered by the primary.
UNKNOWN: Final[Position] = 2**64 - 1

# Not `pg_current_wal_lsn`: with synchronous_commit off that is behind a commit that was answered.
_NEWEST: Final = Command("select pg_catalog.pg_current_wal_insert_lsn()")


def parsed(text: str) -> Position:
    """A position as PostgreSQL writes it.

    >>> parsed("1/A0") == 2**32 + 160
    True
    """
    high, _, low = text.partition("/")
    return (int(high, 16) << 32) + int(low, 16)


def written(position: Position) -> str:
    """The same, as PostgreSQL reads it.

    >>> written(parsed("16/B374D848"))
    '16/B374D848'
    """
    return f"{position >> 32:X}/{position & 0xFFFFFFFF:X}"


async def newest(primary: SessionPool, within: float) -> Position:
    """Behind everything that is committed. Raises TimeoutError after `within` seconds, StatementError and
    CONNECTION_ERRORS."""
    async with asyncio.timeout(within), primary.lent(within) as session:
        (((told,),),) = await session.run([_NEWEST])
    return parsed((told or b"").decode())
