"""Branches: what one costs to make, reset and drop, and a hundred of them used in turn and forty at once."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil

from bench.servers import minato

MANY, AT_ONCE, TIMED = 100, 40, 10
T = TypeVar("T")
CONTROL = "/_dev/v1/branches"


def measure_branches(folder: Path) -> dict[str, float]:
    """Medians in ms, requests that failed, and megabytes."""
    with minato(folder) as server, httpx.Client(base_url=server.info["url"], timeout=120, trust_env=False) as client:
        _made(client)
        figures = {**_one(client), **_many(client)}
        api = psutil.Process(int(server.info["pid"]))
        figures["api_mb"] = api.memory_info().rss / 1e6
        return figures


def describe_branches(figures: dict[str, float]) -> list[str]:
    """A line a figure."""
    return [f"branches  {name:24} {value:8.0f}" for name, value in figures.items()]


def _one(client: httpx.Client) -> dict[str, float]:
    """The life of one branch: a warm clone was made ahead for the first two of a row, none is for the others."""
    took: dict[str, list[float]] = {"create_ms": [], "reset_ms": [], "drop_ms": []}
    for _ in range(TIMED):
        made, seconds = _timed(lambda: _made(client))
        _used(client, made)
        took["create_ms"].append(seconds)
        path = f"{CONTROL}/{made['id']}"
        took["reset_ms"].append(_timed(lambda path=path: client.post(f"{path}/reset").raise_for_status())[1])
        took["drop_ms"].append(_timed(lambda path=path: client.delete(path).raise_for_status())[1])
    return {name: statistics.median(each) * 1000 for name, each in took.items()}


def _many(client: httpx.Client) -> dict[str, float]:
    """As many as there may be, each used in turn, twice; then more at once than PostgreSQL has sessions for."""
    branches = [_made(client) for _ in range(MANY)]
    in_turn = [_timed(lambda each=each: _used(client, each)) for each in [*branches, *branches]]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        at_once, whole = _timed(
            lambda: list(pool.map(lambda each: _timed(lambda: _used(client, each)), branches[:AT_ONCE] * 5))
        )
    seconds = [took for _, took in in_turn]
    return {
        "in_turn_ms": statistics.median(seconds) * 1000,
        "in_turn_longest_ms": max(seconds) * 1000,
        "in_turn_failed": sum(not fine for fine, _ in in_turn),
        "at_once_ms": statistics.median(took for _, took in at_once) * 1000,
        "at_once_longest_ms": max(took for _, took in at_once) * 1000,
        "at_once_failed": sum(not fine for fine, _ in at_once),
        "at_once_per_s": len(at_once) / whole,
    }


def _made(client: httpx.Client) -> dict[str, Any]:
    made: dict[str, Any] = client.post(CONTROL, json={"ttl": 0}).raise_for_status().json()
    return made


def _used(client: httpx.Client, branch: dict[str, Any]) -> bool:
    """One request that asks the database."""
    key = branch["service_role_key"]
    headers = {"apikey": key, "authorization": f"Bearer {key}"}
    return client.get(f"{branch['url']}/auth/v1/admin/users", headers=headers).is_success


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    return act(), time.perf_counter() - began
