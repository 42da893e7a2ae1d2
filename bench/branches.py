"""Branches: what one costs to make, reset and drop, and a hundred of them: used in turn and forty at once, asleep, and
dropped."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil

from bench.servers import Server, minato

MANY, AT_ONCE, ROUNDS, TIMED = 100, 40, 5, 10
# A hundred databases are dropped one after another, and each waits for a checkpoint.
PATIENCE = 300
T = TypeVar("T")
CONTROL = "/_dev/v1/branches"
Figures = dict[str, float]


def measure_branches(folder: Path) -> Figures:
    """Milliseconds, mebibytes, seconds and requests that failed. Each is printed once it is known."""
    figures: Figures = {}
    with minato(folder, patience=PATIENCE) as server:
        with httpx.Client(base_url=server.info["url"], timeout=PATIENCE, trust_env=False) as client:
            for part in (_one, _many, _asleep, _dropped):
                with _noted(server, part.__name__.lstrip("_"), figures):
                    figures |= part(client, server)
    return figures


@contextmanager
def _noted(server: Server, name: str, figures: Figures) -> Iterator[None]:
    """Prints what came of a part, with its processor time: on a busy machine it tells more than the time it took."""
    known, before, began = set(figures), _processor(server), time.perf_counter()
    yield
    api, postgres = (now - then for now, then in zip(_processor(server), before, strict=True))
    figures |= {f"{name}_s": time.perf_counter() - began, f"{name}_api_cpu_s": api, f"{name}_postgres_cpu_s": postgres}
    print("\n".join(_described(figures, known)), flush=True)


def _described(figures: Figures, known: set[str]) -> list[str]:
    load = os.getloadavg()[0]
    fresh = [f"branches  {name:24} {value:10.1f}" for name, value in figures.items() if name not in known]
    return [f"branches  at a load of {load:.1f}", *fresh]


def _one(client: httpx.Client, server: Server) -> Figures:
    """The life of one branch. The first waits for the template; of the others some find a clone made ahead."""
    first, waited = _timed(lambda: _made(client))
    client.delete(f"{CONTROL}/{first['id']}").raise_for_status()
    took: dict[str, list[float]] = {"create_ms": [], "first_request_ms": [], "reset_ms": [], "drop_ms": []}
    for _ in range(TIMED):
        made, seconds = _timed(lambda: _made(client))
        took["create_ms"].append(seconds)
        took["first_request_ms"].append(_timed(lambda made=made: _used(client, made))[1])
        path = f"{CONTROL}/{made['id']}"
        took["reset_ms"].append(_timed(lambda path=path: client.post(f"{path}/reset").raise_for_status())[1])
        took["drop_ms"].append(_timed(lambda path=path: client.delete(path).raise_for_status())[1])
    _wait_until(lambda: _leaving(client) == 0)
    return {"template_s": waited, **{name: statistics.median(each) * 1000 for name, each in took.items()}}


def _many(client: httpx.Client, server: Server) -> Figures:
    """As many as there may be, each used in turn, twice; then more at once than PostgreSQL has sessions for."""
    before = server.memory()
    branches, making = _timed(lambda: [_timed(lambda: _made(client)) for _ in range(MANY)])
    living = [made for made, _ in branches]
    in_turn = [_timed(lambda each=each: _used(client, each)) for each in [*living, *living]]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        at_once, whole = _timed(
            lambda: list(pool.map(lambda each: _timed(lambda: _used(client, each)), living[:AT_ONCE] * ROUNDS))
        )
    return {
        "before_api_mib": before["server_mib"],
        "before_all_mib": before["tree_mib"],
        "create_of_many_ms": statistics.median(took for _, took in branches) * 1000,
        "creates_per_s": MANY / making,
        **_judged("in_turn", in_turn),
        **_judged("at_once", at_once),
        "at_once_per_s": len(at_once) / whole,
    }


def _judged(name: str, tried: list[tuple[bool, float]]) -> Figures:
    seconds = [took for _, took in tried]
    return {
        f"{name}_ms": statistics.median(seconds) * 1000,
        f"{name}_longest_ms": max(seconds) * 1000,
        f"{name}_failed": sum(not fine for fine, _ in tried),
    }


def _asleep(client: httpx.Client, server: Server) -> Figures:
    """All of them, once nobody has asked them for a while."""
    ids = [each["id"] for each in client.get(CONTROL).raise_for_status().json()["branches"]]
    _wait_until(lambda: not any(_sessions(client, id_) for id_ in ids))
    memory = server.memory()
    return {"asleep_api_mib": memory["server_mib"], "asleep_all_mib": memory["tree_mib"]}


def _dropped(client: httpx.Client, server: Server) -> Figures:
    """All of them: when they can't be reached any more, and when PostgreSQL has dropped the last."""
    ids = [each["id"] for each in client.get(CONTROL).raise_for_status().json()["branches"]]
    took = [_timed(lambda id_=id_: client.delete(f"{CONTROL}/{id_}").raise_for_status())[1] for id_ in ids]
    _, waited = _timed(lambda: _wait_until(lambda: _leaving(client) == 0))
    return {"drop_of_many_ms": statistics.median(took) * 1000, "leaving_s": waited}


def _made(client: httpx.Client) -> dict[str, Any]:
    made: dict[str, Any] = client.post(CONTROL, json={"ttl": 0}).raise_for_status().json()
    return made


def _used(client: httpx.Client, branch: dict[str, Any]) -> bool:
    """One request that asks the database."""
    key = branch["service_role_key"]
    headers = {"apikey": key, "authorization": f"Bearer {key}"}
    answer = client.get(f"{branch['url']}/auth/v1/admin/users", headers=headers)
    if not answer.is_success:
        print(f"branches  refused: {answer.status_code} {answer.text}", flush=True)
    return answer.is_success


def _sessions(client: httpx.Client, id_: str) -> int:
    return int(client.get(f"{CONTROL}/{id_}").raise_for_status().json()["connections"])


def _leaving(client: httpx.Client) -> int:
    return int(client.get(CONTROL).raise_for_status().json()["leaving"])


def _wait_until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > ends:
            raise TimeoutError(f"still waiting after {PATIENCE} seconds")
        time.sleep(0.5)


def _processor(server: Server) -> tuple[float, float]:
    """Seconds of processor time: the server's own, and those of its PostgreSQL, whose ended sessions count there."""
    root = psutil.Process(server.process.pid)
    own, others = root.cpu_times(), 0.0
    for process in root.children():
        times = process.cpu_times()
        others += times.user + times.system + times.children_user + times.children_system
    return own.user + own.system, others


def _timed(act: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    return act(), time.perf_counter() - began
