"""When an outage begins and ends, by the connections that are tried meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg
import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.outage import Outage
from structlog.stdlib import get_logger
from structlog.testing import capture_logs


class Connected:
    """A connection over a socket of this machine's own."""

    _transport = asyncio.Transport()

    def get_settings(self) -> object:
        return None


async def test_a_failure_that_is_told_after_the_database_answers_again_begins_no_second_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, late = asyncio.Event(), asyncio.Event()

    async def connect(dsn: str, **_: Any) -> object:
        if dsn == "late":
            begun.set()
            await late.wait()
        if dsn in ("late", "refused"):
            raise ConnectionRefusedError
        return Connected()

    monkeypatch.setattr(asyncpg, "connect", connect)
    with capture_logs() as told:
        database = Database(DatabaseAddress("", ""), DatabaseSettings(), 2, Outage(get_logger()))
        begun_in_the_outage = asyncio.create_task(database.connect("late"))
        await begun.wait()
        with pytest.raises(ConnectionRefusedError):
            await database.connect("refused")
        await database.connect("answered")
        late.set()
        with pytest.raises(ConnectionRefusedError):
            await begun_in_the_outage
        assert [line["event"] for line in told] == ["the database does not answer", "the database answers again"]
        with pytest.raises(ConnectionRefusedError):
            await database.connect("refused")
    assert [line["event"] for line in told][2:] == ["the database does not answer"]


async def test_a_last_connection_of_a_postgresql_that_has_died_is_no_end_of_the_outage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, accepted = asyncio.Event(), asyncio.Event()
    ended: list[object] = []

    class Connection(Connected):
        def terminate(self) -> None:
            ended.append(self)

    async def connect(dsn: str, **_: Any) -> Connection:
        if dsn == "refused":
            raise ConnectionRefusedError
        if not begun.is_set():
            begun.set()
            await accepted.wait()
        elif not answers.is_set():
            raise ConnectionRefusedError
        return Connection()

    answers = asyncio.Event()
    monkeypatch.setattr(asyncpg, "connect", connect)
    with capture_logs() as told:
        database = Database(DatabaseAddress("", ""), DatabaseSettings(), 2, Outage(get_logger()))
        begun_before = asyncio.create_task(database.connect("answered"))
        await begun.wait()
        with pytest.raises(ConnectionRefusedError):
            await database.connect("refused")
        accepted.set()
        with pytest.raises(ConnectionRefusedError):
            await begun_before
        assert [line["event"] for line in told] == ["the database does not answer"]
        assert len(ended) == 1
        answers.set()
        assert await database.connect("answered") not in ended
    assert [line["event"] for line in told] == ["the database does not answer", "the database answers again"]
