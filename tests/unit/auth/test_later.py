"""Work that no answer waits for: done, or given up when there is no more time."""

from __future__ import annotations

import asyncio

import pytest
import structlog
from minato.auth.errors import AuthError
from minato.auth.later import AT_ONCE, Later
from structlog.testing import CapturingLogger


@pytest.fixture
def log() -> CapturingLogger:
    return CapturingLogger()


def later(log: CapturingLogger) -> Later:
    return Later(structlog.wrap_logger(log, processors=[]))


async def test_what_hangs_at_the_stop_is_given_up_and_told_once(log: CapturingLogger) -> None:
    work, begun = later(log), []

    async def hang() -> None:
        begun.append(1)
        await asyncio.Event().wait()

    for _ in range(AT_ONCE + 3):
        await work.begin(hang)
    await asyncio.sleep(0)
    await work.finish(0)
    assert len(begun) == AT_ONCE
    assert [(call.method_name, call.kwargs["count"]) for call in log.calls] == [("warning", AT_ONCE + 3)]
    await work.finish(0)
    assert len(log.calls) == 1


async def test_what_can_be_done_is_done_before_the_stop(log: CapturingLogger) -> None:
    work, done = later(log), []

    async def refused() -> None:
        done.append(1)
        raise AuthError(422, "otp_disabled", "Signups not allowed for otp")

    for _ in range(2 * AT_ONCE):
        await work.begin(refused)
    await work.finish()
    assert len(done) == 2 * AT_ONCE
    assert [call.method_name for call in log.calls] == ["info"] * len(done)
