"""Starts and stops what is measured: Minato on a data folder of its own, and a PostgREST on Minato's database."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

START_LIMIT = 120
# Beside others as production serves: they keep no journal of requests either.
NO_JOURNAL = {"MINATO_JOURNAL": "false"}


@dataclass(frozen=True)
class Server:
    """A running server and how long it took until its first answer, in seconds."""

    base: str
    process: subprocess.Popen[str]
    info: dict[str, Any]
    started_in: float

    def cpu_seconds(self) -> float:
        """Processor time of the server and its workers, without PostgreSQL."""
        return sum(self.cpu_of_each().values())

    def cpu_of_each(self) -> dict[int, float]:
        """Seconds of processor so far of each process that is not PostgreSQL's, by its id."""
        root = psutil.Process(self.process.pid)
        spent: dict[int, float] = {}
        for one in [root, *root.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):  # PostgreSQL's come and go
                if one.name() != "postgres":  # PostgREST begins like it
                    spent[one.pid] = sum(one.cpu_times()[:2])
        return spent

    def memory(self) -> dict[str, float]:
        """Resident memory in MiB: of the server, and of it with PostgreSQL, whose shared pages count once."""
        root = psutil.Process(self.process.pid)
        own = root.memory_info().rss
        # Shared buffers are mapped into every backend; the proportional share counts them once.
        tree = sum(_proportional(process) for process in [root, *root.children(recursive=True)])
        return {"server_mib": own / 2**20, "tree_mib": tree / 2**20}


def _proportional(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().pss)
    except AttributeError:  # not Linux
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:  # a worker that ended while we looked
        return 0


@contextmanager
def minato(data_dir: Path, environment: dict[str, str] | None = None, patience: float = 30) -> Iterator[Server]:
    """`minato serve` on `data_dir`, without seed; its end may take `patience` seconds."""
    command = [
        sys.executable,
        "-m",
        "minato",
        "serve",
        "--port",
        "0",
        "--json",
        "--no-seed",
        "--data-dir",
        str(data_dir),
    ]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
    try:
        assert process.stdout is not None
        info = json.loads(process.stdout.readline())
        _wait_for(f"{info['url']}/auth/v1/health")
        yield Server(f"{info['url']}/rest/v1", process, info, time.monotonic() - began)
    finally:
        process.terminate()
        process.wait(patience)


@contextmanager
def postgrest(binary: Path, db_url: str, jwt_secret: str) -> Iterator[Server]:
    """A real PostgREST on the same database."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "PGRST_DB_URI": db_url,
        "PGRST_DB_SCHEMAS": "api",
        "PGRST_DB_ANON_ROLE": "anon",
        "PGRST_DB_POOL": "10",
        "PGRST_JWT_SECRET": jwt_secret,
        "PGRST_SERVER_HOST": "127.0.0.1",
        "PGRST_SERVER_PORT": str(port),
        "PGRST_LOG_LEVEL": "crit",
    }
    began = time.monotonic()
    process = subprocess.Popen([str(binary)], env=environment, stdout=subprocess.DEVNULL, text=True)
    try:
        base = f"http://127.0.0.1:{port}"
        _wait_for(f"{base}/items?limit=1")
        yield Server(base, process, {}, time.monotonic() - began)
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def gotrue(binary: Path, db_url: str, jwt_secret: str, connections: int) -> Iterator[Server]:
    """A real GoTrue on an empty database, with so many connections kept open; `binary` stands in its source folder."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    base = f"http://127.0.0.1:{port}"
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": db_url,
        "DB_NAMESPACE": "auth",
        "GOTRUE_DB_DRIVER": "postgres",
        "GOTRUE_DB_MAX_POOL_SIZE": str(connections),
        "GOTRUE_DB_MAX_IDLE_POOL_SIZE": str(connections),
        "GOTRUE_API_HOST": "127.0.0.1",
        "PORT": str(port),
        "API_EXTERNAL_URL": base,
        "GOTRUE_SITE_URL": base,
        "GOTRUE_JWT_SECRET": jwt_secret,
        "GOTRUE_JWT_AUD": "authenticated",
        "GOTRUE_JWT_DEFAULT_GROUP_NAME": "authenticated",
        "GOTRUE_MAILER_AUTOCONFIRM": "true",
        "GOTRUE_LOG_LEVEL": "error",
        "GOTRUE_DB_MIGRATIONS_PATH": str(binary.parent / "migrations"),
    }
    subprocess.run(
        [str(binary), "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL, timeout=START_LIMIT
    )
    began = time.monotonic()
    process = subprocess.Popen(
        [str(binary), "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True
    )
    try:
        _wait_for(f"{base}/health")
        yield Server(base, process, {}, time.monotonic() - began)
    finally:
        # It waits for its connections to be closed when it is asked to end.
        process.kill()
        process.wait(30)


def _wait_for(url: str) -> None:
    until = time.monotonic() + START_LIMIT
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.005)
    raise SystemExit(f"{url} did not answer within {START_LIMIT} s")
