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
from minato.postgres.waiting import GrowingPauses, Steps

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


def counted_restarts(postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with each attempt."""
    attempts: list[int] = []
    restart = postgres._cluster.restart_steps

    def counting() -> Steps:
        attempts.append(1)
        return restart()

    monkeypatch.setattr(postgres._cluster, "restart_steps", counting)
    return attempts


def test_the_pauses_grow_to_the_longest() -> None:
    pauses = GrowingPauses(first=60.0, longest=300.0)
    told = [now for now in range(0, 2000, 5) if pauses.are_over(now)]
    assert told == [0, 60, 180, 420, 720, 1020, 1320, 1620, 1920]
