"""When the first row of a list is on the screen of a slow phone, with 50 offers and with 100,000, visit by visit.

Two servers of one program, the same people in both. A machine that does other things makes both slower, so the ratio
holds where the times do not.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import asyncpg

from bench.marketplace import PEOPLE, SIZES, claims_of, fill_marketplace, token_of
from bench.servers import Server, minato
from bench.web import WEB

Figures = dict[str, dict[str, float]]
MOST_TIMES = 1.2
SCREENS = (
    ("importer", "/importer/feed"),
    ("importer", "/importer/available-cars"),
    ("importer", "/importer/saved-cars"),
    ("importer", "/importer/messages"),
    ("importer", "/importer/agents"),
    ("agent", "/agent/feed"),
    ("agent", "/agent/requests"),
)


def measure_first_row(folder: Path, rounds: int) -> Figures:
    """Milliseconds per screen, by number of offers."""
    settings = {"MINATO_WEB_ROOT": str(WEB / "dist")}
    with minato(folder / "few", settings) as few, minato(folder / "many", settings) as many:
        servers = dict(zip(map(str, SIZES), (few, many), strict=True))
        for size, server in servers.items():
            asyncio.run(_fill(server, int(size)))
        return _visit(servers, rounds)


async def _fill(server: Server, size: int) -> None:
    db = await asyncpg.connect(server.info["db_url"])
    await fill_marketplace(db, size, offers_only=False)
    await db.close()


def _visit(servers: dict[str, Server], rounds: int) -> Figures:
    asked = {
        "rounds": rounds,
        "servers": {
            size: {"url": server.info["url"], "sessions": {kind: _session(server, kind) for kind in PEOPLE}}
            for size, server in servers.items()
        },
        "screens": [{"person": person, "path": path} for person, path in SCREENS],
    }
    command = ["node", "scripts/measure-lists.mjs"]
    visited = subprocess.run(
        command, cwd=WEB, check=True, input=json.dumps(asked), stdout=subprocess.PIPE, text=True, timeout=3600
    )
    figures: Figures = json.loads(visited.stdout)
    return figures


def _session(server: Server, kind: str) -> dict[str, Any]:
    """As supabase-js keeps it."""
    claims = claims_of(kind)
    user = {"id": claims["sub"], "aud": "authenticated", "role": "authenticated", "app_metadata": {}}
    user |= {"email": f"{PEOPLE[kind]}@minato.example", "user_metadata": {}}
    user |= {"created_at": "2026-01-01T00:00:00Z", "email_confirmed_at": "2026-01-01T00:00:00Z"}
    times = {"expires_at": claims["exp"], "expires_in": 3600, "token_type": "bearer"}
    return {"access_token": token_of(server, claims), "refresh_token": "none", "user": user, **times}


def describe_first_row(figures: Figures) -> list[str]:
    """A line for each screen: both times, their ratio, and whether the aim is kept."""
    few, many = map(str, SIZES)
    lines = [f"{'first row, ms':26} {SIZES[0]:>8,} {SIZES[1]:>8,} offers"]
    for path, took in figures.items():
        ratio = took[many] / took[few]
        kept = "kept" if ratio <= MOST_TIMES else "missed"
        lines.append(f"{path:26} {took[few]:8.0f} {took[many]:8.0f}   {ratio:.2f} times, aim {MOST_TIMES}: {kept}")
    return [*lines, f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"]
