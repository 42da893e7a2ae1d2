"""Whose password is hashed next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from minato.auth.request.password_queue import PasswordQueue, QueueFull


class Line:
    """A queue of one thread, which is at work until the gate opens."""

    def __init__(self) -> None:
        self.gate = Event()
        self.done: list[str] = []
        self.threads = ThreadPoolExecutor(1)
        self.queue = PasswordQueue(self.threads, 1, 4)

    async def begin(self, *names: str) -> list[asyncio.Task[None]]:
        """Work of the address that is the first letter of its name."""
        tasks = [asyncio.create_task(self.queue.run(name[0], self._work, name)) for name in names]
        await asyncio.sleep(0)
        return tasks

    def _work(self, name: str) -> None:
        assert self.gate.wait(20)
        self.done.append(name)


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    line = Line()
    yield line
    line.gate.set()
    line.threads.shutdown(wait=False, cancel_futures=True)


async def test_addresses_take_turns(line: Line) -> None:
    tasks = await line.begin("a1", "a2", "a3", "b1", "c1")
    line.gate.set()
    await asyncio.gather(*tasks)
    assert line.done == ["a1", "a2", "b1", "c1", "a3"]


async def test_half_of_the_places_are_one_addresss_and_the_rest_is_refused(line: Line) -> None:
    tasks = await line.begin("a1", "a2", "a3", "a4", "b1", "b2", "c1")
    refused = [task for task in tasks if task.done()]
    assert [type(task.exception()) for task in refused] == [QueueFull, QueueFull]
    line.gate.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert line.done == ["a1", "a2", "b1", "a3", "b2"]


async def test_who_leaves_takes_nobodys_turn(line: Line) -> None:
    first, second, third, fourth = await line.begin("a1", "a2", "b1", "c1")
    for task in (first, second, third):
        task.cancel()
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert line.queue.waiting == 1
    line.gate.set()
    await fourth
    assert line.done == ["a1", "c1"]
    await asyncio.gather(*await line.begin("d1", "d2"))
    assert line.done[2:] == ["d1", "d2"]


async def test_a_turn_that_comes_as_one_leaves_is_passed_on(line: Line) -> None:
    first, second, third = await line.begin("a1", "b1", "c1")
    first.add_done_callback(lambda _: second.cancel())
    line.gate.set()
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert line.done[-1] == "c1"
    assert line.queue.waiting == 0
    await asyncio.gather(*await line.begin("d1"))
    assert line.done[-1] == "d1"
