"""`minato serve --workers 2`, one of which is killed again and again: how long until another one answers in its place.

The worker that lives stands still meanwhile, so that the answer can only be the new one's.
"""

from __future__ import annotations

import os
import signal
import statistics
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import psutil

from bench.servers import minato

# A worker that lived for longer was in order: what follows is no worker that fails to start.
SETTLED = 11.0


def measure_kills(folder: Path, count: int) -> dict[str, float]:
    """Seconds from the kill to the first answer; median and longest of `count`."""
    with minato(folder, {"MINATO_WORKERS": "2"}) as server:
        parent = server.process.pid
        taken = [_replaced(parent, f"{server.info['url']}/auth/v1/health") for _ in range(count)]
    return {"kills": count, "median_s": statistics.median(taken), "longest_s": max(taken)}


def _replaced(parent: int, url: str) -> float:
    victim, other = sorted(_workers(parent), key=lambda pid: psutil.Process(pid).create_time())
    time.sleep(max(0.0, SETTLED - (time.time() - psutil.Process(victim).create_time())))
    os.kill(other, signal.SIGSTOP)
    try:
        began = time.monotonic()
        os.kill(victim, signal.SIGKILL)
        urllib.request.urlopen(url, timeout=60).close()
        return time.monotonic() - began
    finally:
        os.kill(other, signal.SIGCONT)


def _workers(parent: int) -> list[int]:
    """Copies of the template, which is the parent's child; PostgreSQL's processes are others'."""
    found: list[int] = []
    for one in psutil.Process(parent).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if one.ppid() != parent and not one.name().startswith("postgres") and one.status() != psutil.STATUS_ZOMBIE:
                found.append(one.pid)
    return found


def print_kills(results: dict[str, float]) -> None:
    """One line."""
    median, longest = results["median_s"], results["longest_s"]
    print(f"workers  replaced after SIGKILL: {results['kills']} times, median {median:.2f} s, longest {longest:.2f} s")
