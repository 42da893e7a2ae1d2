"""Relay by NOTIFY: between the processes that share a database, without another service."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count

from minato.database.database import Database
from minato.database.engines import OWNER
from minato.database.listener import Listener
from minato.realtime.errors import DATABASE_ERRORS
from minato.realtime.fanout.chunks import Assembly, cut
from minato.realtime.fanout.shared import RelayLost, Take

CHANNEL = "minato_realtime"
NOTIFY = f"select pg_notify('{CHANNEL}', chunk) from unnest($1::text[]) with ordinality as parts(chunk, n) order by n"
SEND_SECONDS = 10.0


class PostgresRelay:
    """A `Relay` on one connection of the owner, which listens and notifies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def open(self, take: Take) -> AsyncIterator[PostgresSession]:
        try:
            listener = await self._database.listener(OWNER, "minato")
        except DATABASE_ERRORS as error:
            raise RelayLost(type(error).__name__) from error
        try:
            session = PostgresSession(listener, take)
            await session.listen()
            yield session
        finally:
            listener.close()


class PostgresSession:
    """A `Session`: PostgreSQL hands a transaction's notifications to every listener in order, this one included."""

    def __init__(self, listener: Listener, take: Take) -> None:
        self._listener = listener
        self._take = take
        self._labels = count(1)
        self._assemblies: dict[int, Assembly] = defaultdict(Assembly)

    async def listen(self) -> None:
        """Hear the others from now on. Raises RelayLost."""
        try:
            await self._listener.hear(CHANNEL, self._heard)
        except DATABASE_ERRORS as error:
            raise RelayLost(type(error).__name__) from error

    async def send(self, parcels: Sequence[bytes]) -> None:
        chunks = [chunk for parcel in parcels for chunk in cut(str(next(self._labels)), parcel)]
        try:
            await self._listener.fetch(NOTIFY, chunks, within=SEND_SECONDS)
        except DATABASE_ERRORS as error:
            raise RelayLost(type(error).__name__) from error

    async def lost(self) -> None:
        await self._listener.lost.wait()

    def _heard(self, sender: int, chunk: str) -> None:
        if sender == self._listener.process:
            return
        parcel = self._assemblies[sender].add(chunk)
        if parcel is not None:
            del self._assemblies[sender]
            self._take(parcel)
