"""How long the data API takes to know a large database, and whether requests notice when it looks again."""

from __future__ import annotations

import asyncio
import statistics
import time

import asyncpg
from minato.config.database import DatabaseSettings
from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.wire.pool import SessionPool
from minato.rest.schema_cache.load import load_schema_cache

TABLES = 1000
PATIENCE = 30.0
SCHEMA = "many"


async def measure_catalog(dsn: str) -> dict[str, float]:
    """Median seconds to load a schema of 1,000 tables, and the longest pause of the event loop in milliseconds."""
    connection, database = await asyncpg.connect(dsn), Database(DatabaseAddress(dsn, dsn), DatabaseSettings(), 2)
    try:
        await connection.execute(f"drop schema if exists {SCHEMA} cascade; create schema {SCHEMA}")
        for number in range(TABLES):
            await connection.execute(_table(number))
        pauses: list[float] = []
        watch = asyncio.create_task(_watch(pauses))
        seconds = [await _timed_load(database.sessions) for _ in range(5)]
        watch.cancel()
        await connection.execute(f"drop schema {SCHEMA} cascade")
    finally:
        await database.close()
        await connection.close()
    return {"load_s": statistics.median(seconds), "longest_pause_ms": max(pauses) * 1000}


def _table(number: int) -> str:
    parent = f" references {SCHEMA}.t{number - 1}" if number else ""
    return (
        f"create table {SCHEMA}.t{number} (id int primary key, name text, made timestamptz default now(),"
        f" data jsonb, parent int{parent})"
    )


async def _timed_load(sessions: SessionPool) -> float:
    began = time.perf_counter()
    await load_schema_cache(sessions, RestSettings(db_schemas=SCHEMA), PATIENCE)
    return time.perf_counter() - began


async def _watch(pauses: list[float]) -> None:
    """How much longer than asked for each short sleep took."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        pauses.append(time.perf_counter() - began - 0.001)
