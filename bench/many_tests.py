"""`python -m bench.many_tests`: a thousand tests over eight workers, each on a branch of its own.

A `minato start` of its own serves the examples' project. A test signs somebody in, writes a row, stores a file and asks
for a mail, and must find these and nothing of the others. At the end no database, slot, file or descriptor may be left.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import psycopg2
from minato.testing import Branch
from minato.testing.control import ask

from tests.support.command import REPOSITORY, environment

PROJECT = REPOSITORY / "packages" / "minato-test" / "examples" / "supabase"
WARM_UP = 24


@dataclass
class Held:
    """What a server holds: names of databases, slots, files of branches, descriptors, memory in MB."""

    databases: set[str]
    slots: int
    files: set[str]
    descriptors: int
    api: float
    postgres: float


def a_test(url: str, number: int) -> float:
    """Seconds that it took."""
    began = time.perf_counter()
    branch = Branch.open(url, label=f"test {number}")
    try:
        use(branch, number)
    finally:
        branch.drop()
    return time.perf_counter() - began


def use(branch: Branch, number: int) -> None:
    """What a test does with its branch."""
    anna, address = branch.session("anna"), f"new-{number}@example.com"
    token = str(anna["access_token"])
    _send(branch, "POST", "/rest/v1/carts", b"{}", token)
    service = branch.service_role_key
    _send(branch, "POST", "/storage/v1/bucket", b'{"id": "shelf", "name": "shelf"}', service)
    _send(branch, "POST", "/storage/v1/object/shelf/file.txt", str(number).encode(), service)
    _send(branch, "POST", "/auth/v1/otp", json.dumps({"email": address, "create_user": True}).encode(), branch.anon_key)
    branch.mailbox.wait_for(address, timeout="30s")
    assert [row["id"] for row in _send(branch, "GET", "/rest/v1/carts", None, service)] == [1]
    assert _send(branch, "GET", "/storage/v1/object/shelf/file.txt", None, service) == number
    assert [mail.to for mail in branch.mailbox.list()] == [address]


def _send(branch: Branch, method: str, path: str, body: bytes | None, token: str) -> Any:
    kind = "text/plain" if "/object/" in path else "application/json"
    headers = {"apikey": branch.anon_key, "authorization": f"Bearer {token}", "content-type": kind}
    request = urllib.request.Request(branch.url + path, body, headers, method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def _pss(process: psutil.Process) -> int:
    """Bytes of PostgreSQL's process, with its share of what is shared; one that has ended since holds none."""
    try:
        return int(process.memory_full_info().pss) if "postgres" in process.name() else 0
    except psutil.NoSuchProcess:
        return 0


def held(told: dict[str, Any], data: Path) -> Held:
    """How things stand with the server."""
    process = psutil.Process(int(told["pid"]))
    connection = psycopg2.connect(told["db_url"])
    try:
        with connection, connection.cursor() as cursor:
            cursor.execute("select datname from pg_database")
            databases = {name for (name,) in cursor.fetchall()}
            cursor.execute("select count(*) from pg_replication_slots")
            row = cursor.fetchone()
    finally:
        connection.close()
    files = {str(path.relative_to(data)) for path in (data / "branches").rglob("*") if path.is_file()}
    memory = sum(_pss(child) for child in process.children(recursive=True))
    assert row is not None
    api = process.memory_info().rss
    return Held(databases, row[0], files, process.num_fds(), api / 1e6, memory / 1e6)


def a_test_until(url: str, number: int, end: float) -> float | None:
    """The same, which did not end well if it is negative; None when it is too late for another one."""
    if time.time() >= end:
        return None
    try:
        return a_test(url, number)
    except (OSError, AssertionError) as error:
        print(f"test {number}: {error!r}", file=sys.stderr)
        return -1.0


def measure(url: str, tests: int, workers: int, minutes: float) -> list[float]:
    """What each test took that was begun in time."""
    ends = [time.time() + minutes * 60] * tests
    with ProcessPoolExecutor(workers) as pool:
        return [took for took in pool.map(a_test_until, [url] * tests, range(tests), ends) if took is not None]


def settled(url: str, told: dict[str, Any], data: Path) -> Held:
    """Some seconds after the last branch went: databases are dropped, idle sessions have ended."""
    while (listed := ask("GET", f"{url}/_dev/v1/branches"))["leaving"]:
        time.sleep(0.1)
    assert listed["branches"] == []
    time.sleep(10)
    return held(told, data)


def run(told: dict[str, Any], data: Path, wanted: int, workers: int, minutes: float) -> bool:
    """Print the figures; whether nothing was left."""
    url = str(told["url"])
    measure(url, WARM_UP, workers, minutes)
    before = settled(url, told, data)
    began = time.perf_counter()
    seconds = measure(url, wanted, workers, minutes)
    tests, seconds = len(seconds), [took for took in seconds if took >= 0]
    whole = time.perf_counter() - began
    after = settled(url, told, data)
    middle, slow = statistics.median(seconds) * 1000, statistics.quantiles(seconds, n=100)[-1] * 1000
    print(
        f"{tests} tests, {workers} workers, load {psutil.getloadavg()[0]:.0f}: {whole:.0f} s, {tests / whole:.1f} a s; "
        f"failed: {tests - len(seconds)}"
    )
    print(f"a test: median {middle:.0f} ms, p99 {slow:.0f} ms")
    print(f"API: {before.api:.0f} → {after.api:.0f} MB; PostgreSQL: {before.postgres:.0f} → {after.postgres:.0f} MB")
    print(f"descriptors: {before.descriptors} → {after.descriptors}; slots: {before.slots} → {after.slots}")
    left = {*(after.databases - before.databases), *(after.files - before.files)}
    # Warm clones have names of their own: their number counts.
    clones = len(after.databases) - len(before.databases)
    print(f"databases: {len(before.databases)} → {len(after.databases)}; files of branches: {len(after.files)}")
    is_clean = clones <= 0 and len(after.files) <= len(before.files) and after.slots <= before.slots
    print("nothing is left" if is_clean else f"left: {sorted(left)[:10]}")
    return is_clean


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=60, help="begin no test after these")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="minato-bench-", ignore_cleanup_errors=True) as folder:
        data = Path(folder, "data")
        command = [sys.executable, "-m", "minato", "start", "--json", "--port", "0", "--data-dir", str(data)]
        server = subprocess.Popen(
            [*command, "--workdir", str(PROJECT.parent)], stdout=subprocess.PIPE, env=environment(XDG_STATE_HOME=folder)
        )
        assert server.stdout is not None
        try:
            told = json.loads(server.stdout.readline())
            return 0 if run(told, data, options.tests, options.workers, options.minutes) else 1
        finally:
            server.terminate()
            server.wait(60)


if __name__ == "__main__":
    sys.exit(main())
