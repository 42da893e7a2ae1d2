"""What a test that never ends was waiting for: pytest-timeout's trace shows the event loop alone, not its tasks."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Generator, Iterator
from types import FrameType
from typing import Any

import pytest

LOOP = pytest.StashKey[asyncio.AbstractEventLoop]()


@pytest.fixture(scope="session", autouse=True)
async def watched_loop(request: pytest.FixtureRequest) -> None:
    """Lets the report find the loop of the tests."""
    request.config.stash[LOOP] = asyncio.get_running_loop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds the tasks to the report of a test that took too long."""
    report = yield
    loop = item.config.stash.get(LOOP, None)
    if loop is not None and call.excinfo is not None and "from pytest-timeout" in str(call.excinfo.value):
        report.sections.append(("Tasks", "\n".join(map(_told, asyncio.all_tasks(loop)))))
    return report


def _told(task: asyncio.Task[Any]) -> str:
    frames = traceback.StackSummary.extract((frame, frame.f_lineno) for frame in _frames(task.get_coro()))
    return f"{task.get_name()}:\n{''.join(frames.format())}"


def _frames(awaited: Any) -> Iterator[FrameType]:
    """From the task's coroutine down to what it waits in; `Task.get_stack` knows the first alone."""
    while awaited is not None:
        frame = getattr(awaited, "cr_frame", None) or getattr(awaited, "gi_frame", None)
        if frame is not None:
            yield frame
        awaited = getattr(awaited, "cr_await", None) or getattr(awaited, "gi_yieldfrom", None)
