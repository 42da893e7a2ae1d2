"""A connection that listens: whoever waits for its end hears of it, whatever it was doing."""

from __future__ import annotations

import asyncio
from contextlib import closing

import psycopg2
import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.engines import OWNER
from minato.database.listener import Listener
from minato.database.outage import CONNECTION_ERRORS

from tests.support.waiting import until


def end(address: DatabaseAddress, process: int) -> None:
    """End a session and return once it is gone: our event loop has not read a word of it yet."""
    with closing(psycopg2.connect(address.admin)) as admin, admin.cursor() as cursor:
        cursor.execute("select pg_terminate_backend(%s, 60000)", [process])


@pytest.mark.parametrize("turns", range(6))
async def test_a_statement_begun_while_the_connection_ends_hides_the_end_from_nobody(
    address: DatabaseAddress, turns: int
) -> None:
    database = Database(address, DatabaseSettings(), 2)
    listener = await database.listener(OWNER, "listening")
    told = asyncio.Event()
    listener.when_lost(told.set)
    end(address, listener.process)
    for _ in range(turns):
        await asyncio.sleep(0)
    with pytest.raises(CONNECTION_ERRORS):
        await listener.fetch("select 1")
    await asyncio.wait_for(asyncio.gather(listener.lost.wait(), told.wait()), 60)
    await database.close()


async def test_who_is_cancelled_while_it_begins_to_listen_leaves_no_session(
    address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, asking = Database(address, DatabaseSettings(), 2), asyncio.Event()

    async def asked(_: Listener, __: str) -> None:
        asking.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Listener, "execute", asked)
    listening = asyncio.create_task(database.listener(OWNER, "listening"))
    await asking.wait()
    listening.cancel()
    await asyncio.wait({listening})
    with closing(psycopg2.connect(address.admin)) as admin, admin.cursor() as cursor:
        admin.autocommit = True

        def is_there() -> bool:
            cursor.execute("select count(*) from pg_stat_activity where application_name = 'listening'")
            return bool(cursor.fetchone() != (0,))

        await until(lambda: not is_there())
    await database.close()


async def test_who_asks_after_the_end_is_told_at_once(address: DatabaseAddress) -> None:
    database = Database(address, DatabaseSettings(), 2)
    listener = await database.listener(OWNER, "listening")
    end(address, listener.process)
    await listener.lost.wait()
    told: list[bool] = []
    listener.when_lost(lambda: told.append(True))
    assert told == [True]
    await database.close()
