"""Waiting for something to become true, within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import asyncpg

# Long enough for a machine with ten times as much to do; who waits goes on at once when it holds.
PATIENCE = 90.0
# Asking without one would take the time of whoever is waited for.
PAUSE = 0.005


async def until(condition: Callable[[], bool]) -> None:
    """Return as soon as `condition` holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(PAUSE)


WAITING = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"


async def until_somebody_is_locked_out(db: asyncpg.Connection, sessions: int = 1) -> None:
    """Return as soon as that many sessions of this database wait for another one's lock."""
    async with asyncio.timeout(PATIENCE):
        while await db.fetchval(WAITING) < sessions:  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(PAUSE)


async def until_rows(db: asyncpg.Connection, statement: str, *values: object) -> None:
    """Return as soon as `statement` tells true."""
    async with asyncio.timeout(PATIENCE):
        while not await db.fetchval(statement, *values):  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(PAUSE)
