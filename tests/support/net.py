"""pg_net without a server around it: a sender that leads, by hand, at a time that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.http.outgoing import Outgoing
from minato.jobs.leader import Leader, leading
from minato.jobs.net.sender import Sender
from minato.jobs.net.tables import NetTables

from tests.support.cron import StandingClock


@dataclass
class Net:
    """`owner` is the developer's connection, `admin` the superuser's."""

    sender: Sender
    leader: Leader
    outgoing: Outgoing
    clock: StandingClock
    owner: asyncpg.Connection
    admin: asyncpg.Connection

    async def ask(self, statement: str, *values: object) -> Mapping[str, Any]:
        """The answer to the request that `statement` queues."""
        number = await self.owner.fetchval(statement, *values)
        await self.sender.drain()
        row = await self.owner.fetchrow("select * from net._http_response where id = $1", number)
        assert row is not None
        return dict(row)


@asynccontextmanager
async def sending(address: DatabaseAddress, owner: str, outgoing: Outgoing | None = None) -> AsyncIterator[Net]:
    """A sender on the database at `address`, which gets pg_net; `owner` is the developer's address."""
    clock, outgoing = StandingClock(), outgoing or Outgoing()
    database = Database(address, DatabaseSettings(), 2)
    admin, developer = await asyncpg.connect(address.admin), await asyncpg.connect(owner)
    try:
        await developer.execute("create extension if not exists pg_net with schema extensions")
        async with leading(database, "net") as leader:
            assert leader is not None
            tables = NetTables(leader)
            await tables.tell_of_lost(clock.now())
            yield Net(Sender(tables, outgoing, clock, pace=0.0), leader, outgoing, clock, developer, admin)
    finally:
        await outgoing.close()
        await developer.close()
        await admin.close()
        await database.close()
