"""The crew of workers without processes: connections that end, as those of processes do."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
from collections.abc import Iterator

import pytest
import structlog
from minato.cli.prefork.crew import Crew, WorkerFailed
from minato.cli.prefork.shares import share_of
from minato.config import Settings
from minato.config.connections import ConnectionSettings
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

    crew = Crew(3, copy, lambda number: b"", LOG)
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

    crew = Crew(1, copy, lambda number: b"worker %d" % number, LOG)
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
    crew = Crew(1, lambda: ours, lambda number: b"", LOG)
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
        realtime=RealtimeSettings(
            max_sockets_per_address=100, max_joins_per_second=0, max_presence_events_per_second=9
        ),
    )
    part = share_of(whole, 2)
    assert (part.connections.max_connections, part.connections.max_connections_per_address) == (3, None)
    assert part.realtime.max_sockets_per_address == 50
    assert (part.realtime.max_joins_per_second, part.realtime.max_presence_events_per_second) == (0, 5)
    assert part.server is whole.server
