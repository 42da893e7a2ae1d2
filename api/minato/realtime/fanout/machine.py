"""Relay by the parent: between the workers of one server, without another service."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from minato.machine.exchange import Circle
from minato.machine.link import Link, LinkLost, Member, connect
from minato.realtime.fanout.shared import RelayLost, Take

SERVICE = "broadcasts"


class RelayService(Circle):
    """The parent's side: what a worker sends goes to all the others, unread."""

    async def serve(self, link: Link) -> None:
        while True:
            self.tell(await link.receive(), but=link)


class MachineRelay:
    """A `Relay` of a worker."""

    def __init__(self, member: Member) -> None:
        self._member = member

    @asynccontextmanager
    async def open(self, take: Take) -> AsyncIterator[MachineSession]:
        try:
            link = await connect(self._member, SERVICE)
        except LinkLost as error:
            raise RelayLost(str(error)) from error
        try:
            yield MachineSession(link, take)
        finally:
            link.close()


class MachineSession:
    """A `Session` on one connection to the parent."""

    def __init__(self, link: Link, take: Take) -> None:
        self._link = link
        self._take = take

    async def send(self, parcels: Sequence[bytes]) -> None:
        try:
            for parcel in parcels:
                await self._link.send(parcel)
        except LinkLost as error:
            raise RelayLost(str(error)) from error

    async def lost(self) -> None:
        """Hear the others until the connection ends. Raises RelayLost."""
        try:
            while True:
                self._take(await self._link.receive())
        except LinkLost as error:
            raise RelayLost(str(error)) from error
