"""Positions of a server's workers, kept by their parent. While it does not answer everybody reads from the primary."""

from __future__ import annotations

from typing import Final

import orjson
import structlog

from minato.clock import Clock
from minato.database.replica.position import UNKNOWN, Position
from minato.database.replica.written import Gap, Written
from minato.machine.link import Asking, Link, LinkLost, Member

SERVICE: Final = "written"


class WrittenService:
    """The parent's side: notes and tells for all workers."""

    def __init__(self, written: Written) -> None:
        self._written = written

    def welcome(self, link: Link, worker: int) -> None:
        """Nothing is told before somebody asks."""

    def farewell(self, link: Link) -> None:
        """What was written stays written."""

    async def serve(self, link: Link) -> None:
        while True:
            subject, position = orjson.loads(await link.receive())
            if position is not None:
                await self._written.note(subject, int(position, 16))
            link.post(f"{await self._written.wanted(subject):x}".encode())


class WrittenByWorkers:
    """A worker's side; `here` are its own, each of which counts for `seconds`."""

    def __init__(
        self, member: Member, here: Written, seconds: float, clock: Clock, log: structlog.stdlib.BoundLogger
    ) -> None:
        self._parent = Asking(member, SERVICE)
        self._here = here
        self._gap = Gap(clock, seconds)
        self._log = log

    async def note(self, subject: str, position: Position) -> None:
        await self._here.note(subject, position)
        await self._ask(subject, position)

    async def wanted(self, subject: str) -> Position:
        told = await self._ask(subject, None)
        if told is None or self._gap.is_open:
            return UNKNOWN
        return max(await self._here.wanted(subject), told)

    async def close(self) -> None:
        self._parent.close()

    async def _ask(self, subject: str, position: Position | None) -> Position | None:
        """What `subject` must find; None where the parent does not say."""
        try:
            # In digits: JSON's numbers end below.
            digits = None if position is None else f"{position:x}"
            return int(await self._parent.ask(orjson.dumps([subject, digits])), 16)
        except LinkLost as error:
            if self._gap.begin():
                self._log.warning("the parent does not answer, reads go to the primary", error=str(error))
            return None
