"""`/_dev/v1/clock`: the time of one backend, which a developer stops, moves and lets go on."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, Self

import structlog
from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, BaseModel, Field, model_validator

from minato.backend import Backend, Dated
from minato.clock import Clock
from minato.config.base import Span
from minato.database.sql_clock import SqlClock, SqlTimeUnavailable

# A week has ten thousand minutes: of what happens each minute the last ones are enough.
MOST_OF_EACH = 100
# How far ahead it is said what is due next.
AHEAD = timedelta(days=31)
# PostgreSQL and Python tell years of four figures alike; a year before the last keeps sums with it within both.
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)


class Move(BaseModel, extra="forbid"):
    """What to do with the clock, exactly one thing; `sql` says beside it whether now() of SQL follows.

    >>> Move(advance="1h30m").advance
    5400.0
    """

    freeze: Annotated[bool, Field(strict=True)] | AwareDatetime | None = None
    at: AwareDatetime | None = None
    advance: Span | None = None
    reset: Literal[True] | None = None
    sql: bool | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> Self:
        given = [thing for thing in (self.freeze, self.at, self.advance, self.reset) if thing is not None]
        if len(given) != 1:
            raise ValueError("exactly one of freeze, at, advance and reset is wanted")
        if isinstance(given[0], datetime) and not EARLIEST < given[0] < LATEST:
            raise ValueError("a year from 1971 to 8999 is wanted")
        return self


class TooFar(Exception):
    """A year that nobody can have meant."""


class TimeMachine:
    """Moves the clock of one backend. What is `dated` happens on the way, each thing at its moment."""

    def __init__(self, clock: Clock, sql: SqlClock, dated: Dated, log: structlog.stdlib.BoundLogger) -> None:
        self.clock = clock
        self.sql = sql
        self._dated = dated
        self._log = log
        self._one_move = asyncio.Lock()

    async def move(self, wanted: Move) -> list[str]:
        """Do it; what became due. Raises SqlTimeUnavailable and TooFar, and nothing has moved."""
        async with self._one_move:
            was = self.clock.now()
            if wanted.sql:
                await self.sql.require()
            try:
                return await self._put(wanted)
            finally:
                await self._tell_sql(wanted)
                self._log.info("the clock was moved", was=was.isoformat(), now=self.clock.now().isoformat())

    async def _put(self, wanted: Move) -> list[str]:
        clock = self.clock
        if wanted.reset:
            clock.reset()
        elif wanted.advance is not None:
            return await self._walk(wanted, wanted.advance)
        elif wanted.at is not None:
            clock.resume()
            clock.put(wanted.at)
        elif wanted.freeze is False:
            clock.resume()
        else:
            clock.freeze()
            if isinstance(wanted.freeze, datetime):
                clock.put(wanted.freeze)
        return []

    async def _walk(self, wanted: Move, span: float) -> list[str]:
        """On from one due moment to the next; the clock stands at each until what is due is done, and SQL's with it
        where that is wanted."""
        if span > (LATEST - self.clock.now()).total_seconds():
            raise TooFar
        target = self.clock.now() + timedelta(seconds=span)
        clock, stood, ran = self.clock, self.clock.frozen, list[str]()
        clock.freeze()
        try:
            for due in self._dated.dues(target, MOST_OF_EACH):
                clock.put(due.at)
                await self._tell_sql(wanted)
                await self._dated.run_due()
                ran.append(due.what)
            clock.put(target)
        finally:
            if not stood:
                clock.resume()
        return ran

    async def _tell_sql(self, wanted: Move) -> None:
        """Let SQL follow where it was asked to, until it is asked not to or the clock is the real one."""
        if wanted.reset or wanted.sql is False:
            await self.sql.restore()
        elif self.sql.is_on or wanted.sql:
            await self.sql.follow(self.clock.now() if self.clock.frozen else self.clock.offset)

    async def told(self) -> dict[str, object]:
        """How things stand."""
        clock, real = self.clock, Clock().now()
        offset = clock.now() - real if clock.frozen else clock.offset
        due = self._dated.next_due(clock.now() + AHEAD)
        return {
            "now": _text(clock.now()),
            "real": _text(real),
            "offset_s": round(offset.total_seconds(), 3),
            "frozen": clock.frozen,
            "sql": "on" if self.sql.is_on else "off" if await self.sql.is_available() else "unavailable",
            "next_due": [{"what": due.what, "at": _text(due.at)}] if due is not None else [],
        }


def _text(moment: datetime) -> str:
    """
    >>> _text(datetime(2026, 12, 1, 9, tzinfo=UTC))
    '2026-12-01T09:00:00.000Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def add_clock(app: FastAPI, backend: Backend, dated: Dated) -> None:
    """The two calls. Of several workers each has a clock of its own, so there nobody moves one."""
    machine = TimeMachine(backend.clock, SqlClock(backend.database, backend.sql_clock_mark), dated, backend.log)

    @app.get("/v1/clock")
    async def clock() -> Response:
        return JSONResponse(await machine.told())

    @app.put("/v1/clock")
    async def move(wanted: Move) -> Response:
        if backend.machine is not None:
            return _refused(501, "clock_unavailable", "Several workers have no clock in common: serve with one.")
        try:
            was = backend.clock.now()
            ran = await machine.move(wanted)
        except TooFar:
            return _refused(409, "clock_too_far", "The clock goes as far as the year 8999.")
        except SqlTimeUnavailable as error:
            return _refused(501, "sql_clock_unavailable", str(error))
        told = {"from": _text(was), "to": _text(backend.clock.now()), "frozen": backend.clock.frozen, "ran": list(ran)}
        backend.journal.note(
            "clock", f"clock from {told['from']} to {told['to']}", lambda whole: dict(told), cause=None
        )
        return JSONResponse({**await machine.told(), "ran": ran})


def _refused(status: int, code: str, message: str) -> Response:
    return JSONResponse({"code": code, "message": message}, status)
