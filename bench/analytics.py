"""The back office on a platform of years: what each function costs the database, as the administrator asks."""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from pathlib import Path

import asyncpg

from bench.servers import minato

ROUNDS = 5
ADMIN = "admin@minato.example"
CALLS = {
    "analytics, the server's window": "select admin_analytics()",
    "analytics, ten years": "select admin_analytics(current_date - 3650, current_date)",
    "overview": "select admin_overview()",
    "activity": "select count(*) from admin_activity(20)",
    "agents": "select admin_agents()",
    "importers": "select admin_importers()",
    "requests": "select admin_requests()",
    "conversations": "select admin_conversations()",
    "communication": "select admin_communication_stats()",
}


def measure_analytics(folder: Path) -> dict[str, float]:
    """Median milliseconds of each call at 1,000,000 rows of activity."""
    with minato(folder) as server:
        return asyncio.run(_measure(server.info["db_url"]))


async def _measure(dsn: str) -> dict[str, float]:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(Path(__file__).with_name("analytics.sql").read_text())
        claims = json.dumps({"email": ADMIN, "app_metadata": {"role": "admin"}})
        await connection.execute("select set_config('request.jwt.claims', $1, false)", claims)
        return {name: await _median(connection, call) for name, call in CALLS.items()}
    finally:
        await connection.close()


async def _median(connection: asyncpg.Connection, call: str) -> float:
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        await connection.fetchval(call)
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took)
