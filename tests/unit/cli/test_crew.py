"""The crew of workers without processes: connections that end, as those of processes do."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
import structlog
from minato.cli.prefork import crew as crew_module
from minato.cli.prefork.crew import Crew, WorkerFailed
from minato.cli.prefork.shares import share_of
from minato.config import Settings
from minato.config.connections import ConnectionSettings
from minato.config.functions import FunctionsSettings
from minato.config.realtime import RealtimeSettings

from tests.support.waiting import PATIENCE, until

LOG: structlog.stdlib.BoundLogger = structlog.wrap_logger(None, processors=[lambda *_: ""])


async def test_what_keeps_the_first_worker_from_starting_is_not_tried_by_the_others() -> None:
    made: list[socket.socket] = []

    def copy() -> socket.socket:
        ours, theirs = socket.socketpair()
        theirs.close()
        made.append(ours)
        return ours

    crew = Crew(3, copy, lambda number: b"", LOG, patience=0)
    with pytest.raises(WorkerFailed):
        await crew.start()
    assert len(made) == 1


async def test_a_worker_is_told_what_it_is_and_counts_once_it_says_that_it_serves() -> None:
    others: list[socket.socket] = []

    def copy() -> socket.socket:
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        theirs.sendall(b"999999")
        others.append(theirs)
        return ours

    crew = Crew(1, copy, lambda number: b"worker %d" % number, LOG, patience=0)
    starting = asyncio.create_task(crew.start())
    loop = asyncio.get_running_loop()
    await until(lambda: bool(others))
    (other,) = others
    with other:
        assert await loop.sock_recv(other, 100) == b"worker 1"
        assert not starting.done()
        await loop.sock_sendall(other, b"\nrea")
        await loop.sock_sendall(other, b"dy\n")
        await starting
        stopping = asyncio.create_task(crew.stop())
        assert await loop.sock_recv(other, 1) == b"s"
    await stopping


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    """Stands for a worker that is at something long."""
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


@pytest.mark.parametrize(("again", "ended_by"), [(10.2, signal.SIGTERM), (12.0, signal.SIGKILL)])
async def test_the_second_wish_to_end_ends_all_at_once_but_an_echo_of_the_first_is_none(
    process: subprocess.Popen[bytes], again: float, ended_by: signal.Signals
) -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(b"%d\nready\n" % process.pid)
    crew = Crew(1, lambda: ours, lambda number: b"", LOG, patience=0)
    await crew.start()
    crew.stop_soon(10.0)
    crew.stop_soon(again)
    process.terminate()
    assert process.wait(PATIENCE) == -ended_by
    theirs.close()
    await crew.keep()
    await crew.stop()


def test_what_is_counted_by_each_worker_is_parted_and_no_limit_stays_none() -> None:
    whole = Settings(
        connections=ConnectionSettings(max_connections=5),
        functions=FunctionsSettings(processes=7),
        realtime=RealtimeSettings(
            max_sockets_per_address=100, max_joins_per_second=0, max_presence_events_per_second=9
        ),
    )
    part = share_of(whole, 2)
    assert part.functions.processes == 7, "the parent has them, for all"
    assert (part.connections.max_connections, part.connections.max_connections_per_address) == (3, None)
    assert part.realtime.max_sockets_per_address == 50
    assert (part.realtime.max_joins_per_second, part.realtime.max_presence_events_per_second) == (0, 5)
    assert part.server is whole.server


class Others:
    """The far ends of workers that serve at once; `pids` are what they call themselves, in the order of their start."""

    def __init__(self, *pids: int) -> None:
        self.ends: list[socket.socket] = []
        self._pids = iter(pids)

    def copy(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        theirs.sendall(b"%d\nready\n" % next(self._pids))
        self.ends.append(theirs)
        return ours

    async def told(self, worker: int) -> bytes:
        return await asyncio.get_running_loop().sock_recv(self.ends[worker], 1)

    def close(self) -> None:
        for end in self.ends:
            end.close()


async def test_who_retires_when_all_are_to_end_is_told_and_waited_for(process: subprocess.Popen[bytes]) -> None:
    others = Others(process.pid, process.pid)
    crew = Crew(1, others.copy, lambda number: b"", LOG, patience=0)
    await crew.start()
    crew.renew_soon()
    keeping = asyncio.create_task(crew.keep())
    assert await others.told(0) == b"r"
    crew.stop_soon(10.0)
    await keeping
    stopping = asyncio.create_task(crew.stop())
    assert [await others.told(0), await others.told(1)] == [b"s", b"s"]
    others.ends[1].close()
    await asyncio.sleep(0)
    assert not stopping.done()
    others.close()
    await stopping
    assert process.poll() is None


async def test_who_does_not_retire_is_killed_and_the_renewal_goes_on(
    process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew_module, "RETIREMENT_PATIENCE", 0.01)
    others = Others(process.pid, 999_999, 999_998, 999_997)
    crew = Crew(2, others.copy, lambda number: b"", LOG, patience=0)
    await crew.start()
    crew.renew_soon()
    keeping = asyncio.create_task(crew.keep())
    await until(lambda: len(others.ends) == 4)
    assert process.wait(PATIENCE) == -signal.SIGKILL
    crew.stop_soon(10.0)
    await keeping
    others.close()
    await crew.stop()


async def test_who_answers_nothing_is_asked_to_end_then_killed_and_another_takes_its_place(
    process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew_module, "TERMINATION_SECONDS", 0.01)
    process.send_signal(signal.SIGSTOP)
    others = Others(process.pid, 999_999)
    crew = Crew(1, others.copy, lambda number: b"", LOG, patience=0.05)
    await crew.start()
    keeping = asyncio.create_task(crew.keep())
    await until(lambda: process.poll() is not None)
    assert process.poll() == -signal.SIGKILL
    assert len(others.ends) == 1
    others.ends[0].close()
    await until(lambda: len(others.ends) == 2)
    crew.stop_soon(10.0)
    await keeping
    others.close()
    await crew.stop()


async def test_who_ends_when_asked_to_is_not_killed(process: subprocess.Popen[bytes]) -> None:
    others = Others(process.pid, 999_999)
    crew = Crew(1, others.copy, lambda number: b"", LOG, patience=0.05)
    await crew.start()
    keeping = asyncio.create_task(crew.keep())
    await until(lambda: process.poll() is not None)
    assert process.poll() == -signal.SIGTERM
    crew.stop_soon(10.0)
    await keeping
    others.close()
    await crew.stop()


async def test_who_answers_one_question_of_five_is_left_alone(process: subprocess.Popen[bytes]) -> None:
    others = Others(process.pid)
    crew = Crew(1, others.copy, lambda number: b"", LOG, patience=0.05)
    await crew.start()
    keeping = asyncio.create_task(crew.keep())
    for _ in range(5):
        for _ in range(5):
            assert await others.told(0) == b"?"
        others.ends[0].sendall(b"here\n")
    assert process.poll() is None
    crew.stop_soon(10.0)
    await keeping
    others.close()
    await crew.stop()


async def test_who_came_last_is_replaced_although_the_one_before_still_retires(
    process: subprocess.Popen[bytes],
) -> None:
    others = Others(process.pid, 999_999, 999_998)
    crew = Crew(1, others.copy, lambda number: b"", LOG, patience=0)
    await crew.start()
    crew.renew_soon()
    keeping = asyncio.create_task(crew.keep())
    assert await others.told(0) == b"r"
    others.ends[1].close()
    await until(lambda: len(others.ends) == 3)
    crew.stop_soon(10.0)
    await keeping
    others.close()
    await crew.stop()


@pytest.mark.parametrize("turns", range(5))
async def test_a_wish_to_end_in_the_moment_in_which_a_worker_ends_is_heeded(
    process: subprocess.Popen[bytes], turns: int
) -> None:
    others = Others(process.pid, 999_999)
    crew = Crew(1, others.copy, lambda number: b"", LOG, patience=600)
    await crew.start()
    keeping = asyncio.create_task(crew.keep())
    assert await others.told(0) == b"?"
    others.ends[0].close()
    for _ in range(turns):
        await asyncio.sleep(0)
    crew.stop_soon(10.0)
    done, _ = await asyncio.wait([keeping], timeout=5)
    others.close()
    keeping.cancel()
    assert done
    await crew.stop()


LEFT_ALONE = """
import asyncio, socket
from unittest.mock import Mock
from minato.cli.prefork import worker

worker.ORPHAN_SECONDS = 0
control, parent = socket.socketpair()
control.sendall(worker.HERE)
parent.close()

async def main():
    worker._heed(asyncio.get_running_loop(), control.makefile("rb").read, Mock(), Mock())
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_a_worker_ends_with_a_parent_that_died_before_it_read_what_the_worker_said() -> None:
    ended = subprocess.run([sys.executable, "-c", LEFT_ALONE], capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stderr) == (1, "")


FULL = """
import errno, os, socket
from minato.cli.prefork.template import Template

parent, calls, fork = os.getpid(), [], os.fork

def full_at_first():
    calls.append("fork")
    if os.getpid() != parent and len(calls) == 2:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
    return fork()

def work(control, listener):
    control.sendall(b"at work")
    return 0

os.fork = full_at_first
with socket.create_server(("127.0.0.1", 0)) as listener, Template.begin(listener, work) as template:
    print([template.copy().recv(99), template.copy().recv(99)])
"""


def test_a_machine_that_has_no_room_for_a_process_costs_one_attempt_and_not_the_server() -> None:
    ended = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert ended.stdout == "[b'', b'at work']\n"
    assert ended.stderr == "minato: no process can be made for a worker: Resource temporarily unavailable\n"
