"""Storage beside a plain file server: large files with the memory they take, small files, pictures cold and cached."""

from __future__ import annotations

import http.client
import io
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from PIL import Image

from bench.load import require_wrk
from bench.servers import NO_JOURNAL, minato

MIB = 2**20
LARGE = 1024 * MIB
BLOCK = b"0123456789abcdef" * (MIB // 16)
SMALL = BLOCK[: 10 * 1024]
WRITERS = 8
SETTINGS = {"UPLOAD_FILE_SIZE_LIMIT": str(2 * LARGE), **NO_JOURNAL}


@dataclass(frozen=True)
class Place:
    """One of the two servers: where its files are put and read, and with what headers."""

    port: int
    put: str
    get: str
    headers: dict[str, str]
    pid: int

    def cpu(self) -> float:
        """Seconds of CPU the server itself has used."""
        times = psutil.Process(self.pid).cpu_times()
        return float(times.user + times.system)

    def request(self, method: str, name: str, body: Any = None, length: int | None = None) -> tuple[int, int]:
        """Status and bytes of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {**self.headers, **({} if length is None else {"content-length": str(length)})}
        connection.request(method, (self.get if method == "GET" else self.put) + name, body, headers)
        answer = connection.getresponse()
        size = 0
        while chunk := answer.read(MIB):
            size += len(chunk)
        connection.close()
        return answer.status, size


def measure_storage(folder: Path, seconds: int, rounds: int) -> dict[str, Any]:
    """Figures of both servers, in turn; small files are the medians of `rounds`."""
    with minato(folder / "minato", SETTINGS) as server, file_server(folder / "plain") as plain:
        own = _bucket(server.info, server.process.pid)
        places = {"minato": own, "plain": plain}
        return {
            "large": {name: large(place) for name, place in places.items()},
            "small": small_in_turns(places, seconds, rounds),
            "pictures": pictures(own, seconds),
        }


def _bucket(info: dict[str, Any], pid: int) -> Place:
    headers = {"authorization": f"Bearer {info['service_role_key']}", "content-type": "application/octet-stream"}
    port = int(info["url"].rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port)
    body = '{"name": "bench", "public": true}'
    connection.request("POST", "/storage/v1/bucket", body, {**headers, "content-type": "application/json"})
    assert connection.getresponse().status == 200
    return Place(port, "/storage/v1/object/bench/", "/storage/v1/object/public/bench/", headers, pid)


@contextmanager
def file_server(folder: Path) -> Iterator[Place]:
    """The plain server on a free port."""
    folder.mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "bench.file_server:app", "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen(command, env={**os.environ, "FILE_ROOT": str(folder)})
    try:
        _wait_for(port)
        yield Place(port, "/", "/", {}, process.pid)
    finally:
        process.terminate()
        process.wait(30)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError("the plain file server did not start")


def large(place: Place) -> dict[str, float]:
    """1 GiB up and down: MiB/s, and by how many MiB the server's memory grew at most."""
    place.request("PUT", "warm", BLOCK)
    result: dict[str, float] = {}
    for action, method in (("upload", "PUT"), ("download", "GET")):
        blocks = (BLOCK for _ in range(LARGE // MIB)) if method == "PUT" else None
        with memory_growth(place.pid) as growth:
            began = time.monotonic()
            status, size = place.request(method, "large", blocks, LARGE if blocks else None)
        assert status == 200, status
        assert method == "PUT" or size == LARGE
        result[f"{action}_mib_s"] = LARGE / MIB / (time.monotonic() - began)
        result[f"{action}_growth_mib"] = growth[0]
    return result


@contextmanager
def memory_growth(pid: int) -> Iterator[list[float]]:
    """The largest growth of the process's resident memory in the block, in MiB."""
    process, done, growth = psutil.Process(pid), threading.Event(), [0.0]
    before = process.memory_info().rss

    def watch() -> None:
        while not done.wait(0.02):
            growth[0] = max(growth[0], (process.memory_info().rss - before) / MIB)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield growth
    finally:
        done.set()
        watcher.join()


def small_in_turns(places: dict[str, Place], seconds: int, rounds: int) -> dict[str, dict[str, float]]:
    """The median of each figure: on a busy machine one round says little."""
    taken = [{name: small(place, seconds) for name, place in places.items()} for _ in range(rounds)]
    return {
        name: {figure: statistics.median(one[name][figure] for one in taken) for figure in taken[0][name]}
        for name in places
    }


def small(place: Place, seconds: int) -> dict[str, float]:
    """Files of 10 KiB: how many per second, up by several writers, down by wrk, and the server's CPU for each."""
    deadline = time.monotonic() + seconds

    def write(writer: int) -> int:
        count = 0
        while time.monotonic() < deadline:
            status, _ = place.request("PUT", f"small-{writer}-{count % 50}", SMALL)
            assert status == 200, status
            count += 1
        return count

    began = place.cpu()
    with ThreadPoolExecutor(WRITERS) as pool:
        uploads = sum(pool.map(write, range(WRITERS))) / seconds
    between = place.cpu()
    downloads = wrk(place, f"{place.get}small-0-0", seconds)
    return {
        "uploads_s": uploads,
        "upload_cpu_us": (between - began) / uploads / seconds * 1e6,
        "downloads_s": downloads,
        "download_cpu_us": (place.cpu() - between) / downloads / seconds * 1e6,
    }


def pictures(place: Place, seconds: int) -> dict[str, float]:
    """Pictures of 1600 by 1200 made to measure: each another (cold), then the same again and again."""
    buffer = io.BytesIO()
    Image.effect_noise((1600, 1200), 60).convert("RGB").save(buffer, "JPEG", quality=85)
    connection = Place(place.port, place.put, "", {**place.headers, "content-type": "image/jpeg"}, place.pid)
    connection.request("PUT", "picture", buffer.getvalue())
    path = "/storage/v1/render/image/public/bench/picture"
    began, count = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        status, _ = connection.request("GET", f"{path}?width={300 + count}&height=200")
        assert status == 200, status
        count += 1
    cold = count / (time.monotonic() - began)
    return {"cold_s": cold, "cached_s": wrk(place, f"{path}?width=300&height=200", seconds)}


def wrk(place: Place, path: str, seconds: int) -> float:
    """Requests per second over 16 connections; none may fail."""
    command = [require_wrk(), "-t1", "-c16", f"-d{seconds}s", f"http://127.0.0.1:{place.port}{path}"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    found = re.search(r"Requests/sec:\s+([\d.]+)", output)
    assert found is not None, output
    return float(found[1])


def print_storage(results: dict[str, Any]) -> None:
    """One line for each figure, with the ratio."""
    for group in ("large", "small"):
        own, plain = results[group]["minato"], results[group]["plain"]
        for name in own:
            ratio = f"x{own[name] / plain[name]:.2f}" if plain[name] and "growth" not in name else ""
            print(f"storage {group:6} {name:22} minato {own[name]:8.0f}  plain {plain[name]:8.0f}  {ratio}")
    made = results["pictures"]
    print(f"storage pictures  cold {made['cold_s']:.1f}/s  cached {made['cached_s']:.0f}/s")
