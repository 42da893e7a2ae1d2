"""`python -m bench.writer DSN TABLE RATE SECONDS`: commits rows at an even pace, and prints when each was committed.

A process of its own, so that it does not wait for those who read. Output: JSON, id → CLOCK_MONOTONIC nanoseconds at
which the commit was known.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

import asyncpg

CONNECTIONS = 4


async def write(dsn: str, table: str, rate: float, seconds: float) -> dict[int, int]:
    """Insert `rate` rows per second, one transaction each."""
    pool = await asyncpg.create_pool(dsn, min_size=CONNECTIONS, max_size=CONNECTIONS)
    committed: dict[int, int] = {}
    statement = f"insert into {table} (id, body) values ($1, 'a row of some length, as rows are')"

    async def insert(number: int) -> None:
        await pool.execute(statement, number)
        committed[number] = time.monotonic_ns()

    began, tasks = time.monotonic(), set()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0.0, began + number / rate - time.monotonic()))
        task = asyncio.create_task(insert(number))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    await asyncio.gather(*tasks)
    await pool.close()
    return committed


if __name__ == "__main__":
    dsn, table, rate, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(write(dsn, table, float(rate), float(seconds)))))
