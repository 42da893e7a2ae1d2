"""What a request costs that the journal keeps: the same read by id, by one backend with a journal and one without.

Both live in this process on one database and take turns. Counted is processor time of this process, where PostgreSQL is
not, and within it that of the garbage collector: requests of others make no difference, only their caches do.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from minato.config import Settings
from minato.config.rest import RestSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.main import Application
from minato.migrate.run import upgrade
from minato.places import MIGRATIONS
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.project.folder import Project
from minato.project.migrate import migrate_project
from minato.tokens.keys import KeySet, secret_key

from bench.api import load_fixture
from bench.cases import OWNER

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
KEPT, WARM, TURN, ROUNDS = 5000, 1000, 20, 3
LEGS = ("off", "on")
# A journal fills first; when it is full, for each request another one goes.
STATES = ("filling", "full")


class Collector:
    """Processor time of the garbage collector."""

    def __init__(self) -> None:
        self.seconds = self._began = 0.0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.process_time()
        else:
            self.seconds += time.process_time() - self._began


def measure_journal(folder: Path) -> dict[str, float]:
    """Microseconds of a request without a journal, and how many more with one, by how full it is."""
    return asyncio.run(_measure(folder))


async def _measure(folder: Path) -> dict[str, float]:
    postgres = EmbeddedPostgres(EmbeddedOptions(folder / "postgres", None, durable=False))
    started = await postgres.start()
    address = DatabaseAddress(started.socket_url(), started.socket_url("authenticator"), trusting=True)
    host = Host(2)
    async with AsyncExitStack() as undo:
        undo.push_async_callback(postgres.stop)
        undo.push_async_callback(host.close)
        await asyncio.to_thread(upgrade, address.admin)
        await asyncio.to_thread(migrate_project, address.admin, Project(MIGRATIONS / "marketplace"))
        await load_fixture(address.admin)
        apps = {leg: host.create(_settings(folder / leg, leg == "on"), address, "http://bench", SECRET) for leg in LEGS}
        for app in apps.values():
            await app.start()
        return await _in_turn(apps)


def _settings(folder: Path, journal: bool) -> Settings:
    server = ServerSettings(data_dir=folder, environment="development", web_root=None, journal=journal)
    return replace(Settings(), server=server, rest=RestSettings(db_schemas="api"))


async def _in_turn(apps: dict[str, Application]) -> dict[str, float]:
    for app in apps.values():
        await _ask(app, WARM)
    gc.collect()
    gc.freeze()
    found: dict[str, list[float]] = {}
    collector = Collector()
    gc.callbacks.append(collector)
    try:
        for _ in range(ROUNDS):
            apps["on"].backend.journal.clear()
            gc.collect()
            for state in STATES:
                for place in range(KEPT // TURN):
                    # By turns each comes first, and only neighbours are compared: what else runs here changes slowly.
                    for leg in LEGS if place % 2 else LEGS[::-1]:
                        spent, collected = await _turn(apps[leg], collector)
                        found.setdefault(f"{state}_{leg}", []).append(spent - collected)
                        found.setdefault(f"{state}_{leg}_collector", []).append(collected)
    finally:
        gc.callbacks.remove(collector)
    return _figures(found)


def _figures(found: dict[str, list[float]]) -> dict[str, float]:
    """Of each leg the quickest tenth of its turns, when nothing else had the caches; of the collector, which comes now
    and then and for many, means."""
    figures: dict[str, float] = {}
    for state in STATES:
        off, on = (statistics.quantiles(found[f"{state}_{leg}"], n=10)[0] for leg in LEGS)
        collected = [statistics.mean(found[f"{state}_{leg}_collector"]) for leg in LEGS]
        figures |= {"off": off, state: on - off, f"{state}_collector": collected[1] - collected[0]}
    return figures


async def _turn(app: Application, collector: Collector) -> tuple[float, float]:
    """Microseconds of a request, and how many of them the collector took."""
    before, began = collector.seconds, time.process_time()
    await _ask(app, TURN)
    return (time.process_time() - began) / TURN * 1e6, (collector.seconds - before) / TURN * 1e6


async def _ask(app: Application, times: int) -> None:
    claims = {"role": "authenticated", "sub": OWNER, "aud": "authenticated", "exp": 4102444800}
    token = KeySet([secret_key(SECRET)]).sign(claims).encode()
    # Each request is a task of its own, as with uvicorn.
    for number in range(times):
        await asyncio.create_task(app(_scope(token, number % 9000 + 1), _silent, _answered))


def _scope(token: bytes, number: int) -> dict[str, Any]:
    path = "/rest/v1/items"
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"id=eq.%d" % number,
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 54321),
        "headers": [
            (b"host", b"127.0.0.1:54321"),
            (b"accept", b"*/*"),
            (b"accept-encoding", b"gzip, deflate"),
            (b"user-agent", b"bench"),
            (b"x-client-info", b"supabase-js-web/2.58.0"),
            (b"apikey", token),
            (b"authorization", b"Bearer " + token),
        ],
    }


async def _silent() -> dict[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError("a client that stays")


async def _answered(message: Any) -> None:
    if message["type"] == "http.response.start" and message["status"] != 200:
        raise AssertionError(f"answered {message['status']}")


def describe_journal(figures: dict[str, float]) -> list[str]:
    """For people."""
    lines = [f"a read by id without a journal {figures['off']:6.1f} µs of CPU"]
    for state in STATES:
        more, collected = figures[state], figures[f"{state}_collector"]
        lines.append(f"more with a journal, {state:9} {more:6.1f} µs, and the garbage collector {collected:.1f} µs")
    return lines
