"""The lists of the back office with 100,000 offers: each page as the administrator reads it, in the database."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from bench.marketplace import PAGE_LIMIT_KB, PAGE_LIMIT_MS, fill_marketplace, percentiles, timed
from bench.servers import minato

SIZE = 100_000
ROUNDS = 40
ADMIN = "admin@minato.example"
# Each list: the tab with most rows, a text that is looked for, and what its screen orders by.
LISTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "agents": ("verified", "person 101", ("agent", "place", "submitted", "payment", "rating", "status")),
    "importers": (
        "active",
        "person 101",
        ("importer", "place", "account", "requests", "success", "spent", "status"),
    ),
    "requests": (
        "completed",
        "toyota",
        ("car", "importer", "posted", "budget", "agent", "priority", "progress", "status"),
    ),
    "tickets": ("resolved", "the ship", ("subject", "from", "category", "priority", "opened", "status")),
    "conversations": ("reported", "person 101", ("participants", "messages", "unread", "last", "report")),
    "mails": ("waiting", "mailbox", ("to", "subject", "queued", "tried", "attempts", "status")),
    "audit": ("agent", "telephone", ()),
}
Figures = dict[str, dict[str, float]]


def measure_office(folder: Path) -> dict[str, Any]:
    """Of each list milliseconds, processor time of the connection and bytes, a figure for each call."""
    with minato(folder) as server:
        return asyncio.run(_measure(server.info["db_url"]))


async def _measure(dsn: str) -> dict[str, Any]:
    db = await asyncpg.connect(dsn)
    try:
        await fill_marketplace(db, SIZE, False)
        await db.execute(Path(__file__).with_suffix(".sql").read_text())
        await db.execute("vacuum analyze")
        claims = json.dumps({"role": "authenticated", "email": ADMIN, "app_metadata": {"role": "admin"}})
        await db.execute("select set_config('request.jwt.claims', $1, false)", claims)
        return {"lists": {name: await _of_list(db, name) for name in LISTS}, "load": os.getloadavg()[0]}
    finally:
        await db.close()


async def _of_list(db: asyncpg.Connection, name: str) -> Figures:
    tab, text, orders = LISTS[name]
    brief = "" if name == "audit" else ", p_brief => true"
    page = f"select admin_{name}(p_limit => 25{brief}%s)"
    following = json.loads(await db.fetchval(page % ""))["next"]
    calls = {
        "first page": page % "",
        "next page": page % f", p_after => '{following}'",
        "a tab": page % f", p_status => '{tab}'",
        "a text": page % f", p_search => '{text}'",
        "no such text": page % ", p_search => 'volvo elf bus'",
        "what it missed": f"select admin_changes('{name}', '{{}}', 5)",
    }
    for order in orders:
        calls[f"by {order}"] = page % f", p_order => '{order}'"
        calls[f"by {order}, descending"] = page % f", p_order => '{order}', p_descending => true"
    return {call: await _in_database(db, statement) for call, statement in calls.items()}


async def _in_database(db: asyncpg.Connection, statement: str) -> dict[str, float]:
    async def ask() -> int:
        return len(await db.fetchval(statement))

    connection = psutil.Process(db.get_server_pid())
    before = sum(connection.cpu_times()[:2])
    figures = percentiles([await timed(ask) for _ in range(ROUNDS)])
    return {**figures, "processor": 1000 * (sum(connection.cpu_times()[:2]) - before) / ROUNDS}


def describe_office(figures: dict[str, Any]) -> list[str]:
    """A line for each list and call, the slowest of its orders alone, and whether the aims are kept."""
    lines = [f"at a load of {figures['load']:.1f}: p50 / p95 in ms, processor, kB"]
    for name, calls in figures["lists"].items():
        orders = {call: of for call, of in calls.items() if call.startswith("by ")}
        slowest = max(orders, key=lambda call: orders[call]["processor"], default=None)
        for call, of in calls.items():
            if call == slowest or call not in orders:
                took = f"{of['p50']:6.1f} /{of['p95']:6.1f}   {of['processor']:5.1f}"
                lines.append(f"{name:16} {call:28} {took}   {of['size'] / 1000:5.1f}")
    every = [of for calls in figures["lists"].values() for of in calls.values()]
    for what, found, aim, unit in (
        ("page", max(of["p95"] for of in every), PAGE_LIMIT_MS, "ms"),
        ("page", max(of["size"] for of in every) / 1000, PAGE_LIMIT_KB, "kB"),
    ):
        lines.append(f"{what}: {found:.0f} {unit}, aim {aim} {unit}: {'kept' if found <= aim else 'missed'}")
    return lines
