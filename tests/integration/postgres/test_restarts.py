"""A PostgreSQL of ours that can't start again, as where its disk is full, by the eyes of who reads the log."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path

import pytest
from minato.postgres import embedded
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import CRASHED, EmbeddedPostgres
from minato.postgres.layout import Layout
from minato.postgres.waiting import GrowingPauses, RestartBackoff, Steps

from tests.support.waiting import until


async def test_what_fails_at_each_attempt_is_told_once_for_many_of_them(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "PAUSE_AFTER_FAILURE", 0.01)
    postgres = EmbeddedPostgres(EmbeddedOptions(data_dir, durable=False))
    crashes: list[str] = []
    postgres.on_crash = crashes.append
    await postgres.start()
    attempts = counted_restarts(postgres, monkeypatch)
    control = Layout(data_dir).cluster / "global" / "pg_control"
    try:
        killed = postgres.pid
        assert killed is not None
        control.rename(control.with_suffix(".away"))
        os.kill(killed, signal.SIGKILL)
        await until(lambda: len(attempts) > 5)
        control.with_suffix(".away").rename(control)
        await until(lambda: postgres.pid not in (None, killed))
        told = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert len(told) == 1, [record.getMessage() for record in told]
        assert crashes == [CRASHED]
    finally:
        await postgres.stop()


async def test_one_that_ends_again_and_again_is_started_after_pauses_that_grow(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "FIRST_BACKOFF", 0.01)
    monkeypatch.setattr(embedded, "LONGEST_BACKOFF", 0.02)
    postgres = EmbeddedPostgres(EmbeddedOptions(data_dir, durable=False))
    crashes: list[str] = []
    postgres.on_crash = crashes.append
    await postgres.start()
    ready = counted_restarts(postgres, monkeypatch, when_ready=True)
    try:
        for number in range(1, 5):
            assert postgres.pid is not None
            os.kill(postgres.pid, signal.SIGKILL)
            await until(lambda number=number: len(ready) == number)  # type: ignore[misc]
        assert [record.getMessage() for record in caplog.records if record.name == embedded.log.name] == [
            f"PostgreSQL ended soon after its start, again; it is started in {pause} s" for pause in (0.01, 0.02, 0.02)
        ]
        assert crashes == [CRASHED] * 4
    finally:
        await postgres.stop()


async def test_one_that_waits_to_be_started_again_ends_when_it_is_told_to(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedded, "FIRST_BACKOFF", 3600.0)
    monkeypatch.setattr(embedded, "LONGEST_BACKOFF", 3600.0)
    postgres = EmbeddedPostgres(EmbeddedOptions(data_dir, durable=False))
    await postgres.start()
    ready = counted_restarts(postgres, monkeypatch, when_ready=True)
    for number in (1, 2):
        assert postgres.pid is not None
        os.kill(postgres.pid, signal.SIGKILL)
        await until(lambda number=number: len(ready) == number or "in 3600 s" in caplog.text)  # type: ignore[misc]
    await postgres.stop()
    assert (postgres.pid, len(ready)) == (None, 1)


def counted_restarts(
    postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch, when_ready: bool = False
) -> list[int]:
    """Grows with each attempt, or with each that came to serve."""
    attempts: list[int] = []
    restart = postgres._cluster.restart_steps

    def counting() -> Steps:
        if not when_ready:
            attempts.append(1)
        yield from restart()
        if when_ready:
            attempts.append(1)

    monkeypatch.setattr(postgres._cluster, "restart_steps", counting)
    return attempts


def test_the_pauses_grow_to_the_longest() -> None:
    pauses = GrowingPauses(first=60.0, longest=300.0)
    told = [now for now in range(0, 2000, 5) if pauses.are_over(now)]
    assert told == [0, 60, 180, 420, 720, 1020, 1320, 1620, 1920]


def test_what_ends_soon_after_its_start_has_pauses_that_double_until_it_has_lived_for_a_while() -> None:
    backoff = RestartBackoff(first=1.0, longest=5.0, steady=60.0)
    assert [backoff.after(lived) for lived in (0.1, 59.0, 3.0, 0.1, 1.0)] == [0.0, 1.0, 2.0, 4.0, 5.0]
    assert [backoff.after(lived) for lived in (60.0, 0.1, 0.1)] == [0.0, 1.0, 2.0]
