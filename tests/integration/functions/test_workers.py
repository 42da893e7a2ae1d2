"""`minato serve --workers`: the parent has the processes of functions, and every worker reaches them."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import psutil
import pytest
from websockets.sync.client import connect

from tests.support.command import served
from tests.support.crew import Crew
from tests.support.processes import wait_until
from tests.support.waiting import until

TICK = """let left = 0;
Deno.serve((request) => {
  const kind = new URL(request.url).pathname.split("/")[2];
  if (kind === "socket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send(`you said ${data}`);
    return response;
  }
  if (kind === "events") {
    request.signal.addEventListener("abort", () => { left++; });
    const body = new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode("data: 1\\n\\n")) });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
  if (kind === "end") Deno.exit(1);
  if (kind === "flood") return new Response(new Uint8Array(3_000_000));
  return Response.json({ pid: Deno.pid, left, word: Deno.env.get("WORD") });
});
"""


PYTHON = """import os, tempfile, time
from starlette.responses import JSONResponse
def handle(request):
    left = request.url.path.endswith("/leave")
    child = os.fork() if left else os.getpid()
    if not child: os.setsid()
    while not child: time.sleep(60)
    return JSONResponse([os.getpid(), child, tempfile.gettempdir()])
"""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Of functions; not in memory: Deno lets nobody read below /dev."""
    with TemporaryDirectory(dir="/var/tmp") as made:
        functions = Path(made).resolve() / "functions"
        (functions / "tick").mkdir(parents=True)
        (functions / "tick" / "index.ts").write_text(TICK)
        (functions / "py").mkdir()
        (functions / "py" / "main.py").write_text(PYTHON)
        (functions / "broken").mkdir()
        (functions / "broken" / "index.ts").write_text("throw new Error('never begins');")
        yield functions


@contextmanager
def working(folder: Path, migrated: Path, data: Path, workers: int) -> Iterator[Crew]:
    """A server of these functions, which anybody may call."""
    shutil.copytree(migrated, data)
    settings = {
        "MINATO_FUNCTIONS_FOLDER": str(folder),
        "MINATO_FUNCTIONS_CONFIG": json.dumps({name: {"verify_jwt": False} for name in ("tick", "broken", "py")}),
        "MINATO_FUNCTIONS_CACHE": str(folder.parent / "deno"),
    }
    with served(data, "--workers", str(workers), **settings) as server:
        yield Crew(server)


@pytest.fixture(scope="module")
def crew(folder: Path, migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    with working(folder, migrated, tmp_path_factory.mktemp("workers") / "data", 2) as crew:
        yield crew


def call(crew: Crew, path: str = "tick") -> httpx.Response:
    return httpx.post(f"{crew.url}/functions/v1/{path}", timeout=60)


def processes(crew: Crew) -> list[int]:
    """Of functions, wherever they stand below the parent."""
    found = psutil.Process(crew.server.process.pid).children(recursive=True)
    return [each.pid for each in found if each.name() == "deno"]


def requests_at_work(crew: Crew) -> int:
    url = f"{crew.url}/functions/v1/_internal/metric"
    told = httpx.get(url, headers=crew.headers(), timeout=60).json()
    return int(told["functions"]["tick"]["requests"])


@contextmanager
def listening(crew: Crew, worker: int) -> Iterator[Iterator[bytes]]:
    """To events that come through this worker, the first of which has come."""
    with httpx.Client(timeout=60) as client:
        with crew.only(worker):
            asked = client.build_request("GET", f"{crew.url}/functions/v1/tick/events")
            pieces = client.send(asked, stream=True).iter_raw()
            assert next(pieces) == b"data: 1\n\n"
        yield pieces


def test_all_workers_are_answered_by_one_process(crew: Crew) -> None:
    pids = set()
    for worker in crew.workers():
        with crew.only(worker):
            pids.add(call(crew).json()["pid"])
            assert len(call(crew, "tick/flood").content) == 3_000_000
            with connect(f"{crew.url.replace('http', 'ws', 1)}/functions/v1/tick/socket", proxy=None) as socket:
                socket.send("hello")
                assert socket.recv() == "you said hello"
    assert list(pids) == processes(crew)


def test_why_a_function_gave_no_answer_is_told_through_any_worker(crew: Crew) -> None:
    for worker in crew.workers():
        with crew.only(worker):
            broken = call(crew, "broken")
            assert (broken.status_code, broken.json()["code"]) == (503, "BOOT_ERROR")
            assert "never begins" in broken.json()["trace"]
            ended = call(crew, "tick/end")
            assert (ended.status_code, ended.json()["code"]) == (500, "WORKER_ERROR")


async def test_a_killed_worker_leaves_neither_a_request_nor_a_process_behind(crew: Crew) -> None:
    before = call(crew).json()
    victim, other = crew.workers()
    with listening(crew, victim) as pieces:
        with crew.only(other):
            assert requests_at_work(crew) == 1
        os.kill(victim, signal.SIGKILL)
        with pytest.raises(httpx.HTTPError):
            list(pieces)
    await until(lambda: requests_at_work(crew) == 0)
    await until(lambda: call(crew).json()["left"] == before["left"] + 1)
    assert processes(crew) == [before["pid"]]
    await until(lambda: len(crew.workers()) == 2)


async def test_renewed_workers_find_the_function_as_it_was(crew: Crew) -> None:
    pid = call(crew).json()["pid"]
    former = set(crew.workers())
    crew.server.process.send_signal(signal.SIGHUP)
    await until(lambda: len(crew.workers()) == 2 and not former.intersection(crew.workers()))
    assert call(crew).json()["pid"] == pid
    assert processes(crew) == [pid]


def test_a_function_in_python_is_one_process_for_all_workers_and_outlives_a_killed_one(crew: Crew) -> None:
    told = []
    for worker in crew.workers():
        with crew.only(worker):
            told.append(call(crew, "py").json())
    assert told[0] == told[1]
    former = crew.workers()[0]
    os.kill(former, signal.SIGKILL)
    wait_until(lambda: former not in crew.workers() and len(crew.workers()) == 2, "a new worker")
    assert call(crew, "py").json() == told[0]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_server_leaves_no_process_of_a_function_behind(
    folder: Path, migrated: Path, tmp_path: Path, workers: int
) -> None:
    with working(folder, migrated, tmp_path / "data", workers) as crew:
        python, forked, temporary = call(crew, "py/leave").json()
        deno = call(crew).json()["pid"]
        assert Path(temporary).is_dir()
        assert all(psutil.pid_exists(pid) for pid in (python, forked, deno))
        crew.server.stop(signal.SIGKILL)
        wait_until(lambda: not any(is_running(pid) for pid in (python, forked, deno)), "the end of all functions")
        wait_until(lambda: not Path(temporary).exists(), "the end of what it wrote")


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
