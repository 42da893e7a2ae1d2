"""How long the data API takes to know a large database, and whether requests notice when it looks again."""

from __future__ import annotations

import asyncio
import statistics
import time

import asyncpg
from minato.config.rest import RestSettings
from minato.rest.schema_cache.load import load_schema_cache

TABLES = 1000
SCHEMA = "many"


async def measure_catalog(dsn: str) -> dict[str, float]:
    """Median seconds to load a schema of 1,000 tables, and the longest pause of the event loop in milliseconds."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(f"drop schema if exists {SCHEMA} cascade; create schema {SCHEMA}")
        for number in range(TABLES):
            await connection.execute(_table(number))
        pauses: list[float] = []
        watch = asyncio.create_task(_watch(pauses))
        seconds = [await _timed_load(connection) for _ in range(5)]
        watch.cancel()
        await connection.execute(f"drop schema {SCHEMA} cascade")
    finally:
        await connection.close()
    return {"load_s": statistics.median(seconds), "longest_pause_ms": max(pauses) * 1000}


def _table(number: int) -> str:
    parent = f" references {SCHEMA}.t{number - 1}" if number else ""
    return (
        f"create table {SCHEMA}.t{number} (id int primary key, name text, made timestamptz default now(),"
        f" data jsonb, parent int{parent})"
    )


async def _timed_load(connection: asyncpg.Connection) -> float:
    began = time.perf_counter()
    await load_schema_cache(connection, RestSettings(db_schemas=SCHEMA))
    return time.perf_counter() - began


async def _watch(pauses: list[float]) -> None:
    """How much longer than asked for each short sleep took."""
    while True:
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        pauses.append(time.perf_counter() - began - 0.001)
