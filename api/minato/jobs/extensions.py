"""pg_cron and pg_net at work: begun when a database has them, with nothing to pay for where it hasn't.

The scripts of the two extensions, their triggers and functions notify a channel that the schema cache's connection
hears anyway. Only then, and at a start, it is asked whether they are there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Final

from minato.at_work import Part, Pending, Work
from minato.backend import Backend, Due
from minato.background import ended
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.session import Command, StatementError
from minato.faults.outgoing import FaultyOutgoing
from minato.http.outgoing import HTTP_TOO, Outgoing, PublicOutgoing
from minato.http.public_addresses import PublicAddresses
from minato.jobs.cron.scheduler import Scheduler
from minato.jobs.cron.tables import CronTables
from minato.jobs.leader import Leader, leading
from minato.jobs.net.sender import Sender
from minato.jobs.net.tables import NetTables

CHANNEL: Final = "minato_jobs"
CRON, NET = "cron", "net"
# A process that does not lead asks again after so many seconds.
STANDBY_SECONDS: Final = 5.0
# DROP EXTENSION tells nobody, so who leads looks whether there still is anything to lead.
LOOK_SECONDS: Final = 60.0
# Ours are SQL; those of PostgreSQL's own pg_cron and pg_net are C, and have workers of their own.
_PRESENT: Final = """select exists (
    select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
        join pg_catalog.pg_language l on l.oid = p.prolang
        join pg_catalog.pg_extension e on e.extname = '{extension}'
    where n.nspname = '{schema}' and p.proname = '{function}' and l.lanname = 'plpgsql')::text"""
PRESENT: Final = {
    CRON: _PRESENT.format(extension="pg_cron", schema="cron", function="job_cache_invalidate"),
    NET: _PRESENT.format(extension="pg_net", schema="net", function="wake"),
}


class Extensions:
    """Both, for one backend."""

    def __init__(self, backend: Backend) -> None:
        self._outgoing = _outgoing_of(backend)
        self.cron = cron = CronWork(backend)
        net = NetWork(backend, self._outgoing)
        self.works = {
            CRON: Attended(backend, CRON, cron.told, cron.lead),
            NET: Attended(backend, NET, net.told, net.lead),
        }
        self.parts: Sequence[Part] = (
            Worked(CRON, self.works[CRON], cron.led),
            Worked("webhooks", self.works[NET], net.led),
        )

    async def start(self) -> None:
        """Begin; nothing waits for it."""
        for work in self.works.values():
            work.start()

    async def stop(self) -> None:
        """End: sessions of jobs are closed, requests have some seconds to arrive."""
        await asyncio.gather(*(work.stop() for work in self.works.values()))
        await self._outgoing.close()


class Attended:
    """One extension's work: waits until the extension is there, then leads it or stands by."""

    def __init__(
        self, backend: Backend, name: str, told: Callable[[], None], lead: Callable[[Leader], Awaitable[None]]
    ) -> None:
        self._backend = backend
        self._name = name
        self._tell_work = told
        self._lead = lead
        self._told = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        backend.database.announcements.hear(CHANNEL, self._heard)

    def look(self) -> None:
        """Look whether the extension is there, though nobody told."""
        self._told.set()

    def start(self) -> None:
        """Begin, as soon as the connection that hears is there."""
        self._task = self._backend.supervisor.keep(f"pg_{self._name}", self._attend)

    async def stop(self) -> None:
        """End."""
        await ended(self._task)

    def _heard(self, payload: str) -> None:
        if payload in ("", self._name):
            self._told.set()
            self._tell_work()

    async def _attend(self) -> None:
        while True:
            await self._told.wait()
            self._told.clear()
            try:
                if await self.is_present():
                    await self._take_part()
            except BaseException:
                # Look again when the supervisor begins anew.
                self._told.set()
                raise

    async def is_present(self) -> bool:
        """Whether the database has the extension, and it is ours."""
        database = self._backend.database
        async with database.sessions.lent(database.settings.pool_timeout) as session:
            (((found,),),) = await session.run([Command(PRESENT[self._name])])
        return found == b"true"

    async def _take_part(self) -> None:
        """Lead while we can; otherwise ask again in a while."""
        async with leading(self._backend.database, self._name) as leader:
            if leader is not None:
                await self._led(leader)
                return
        await asyncio.sleep(STANDBY_SECONDS)
        self._told.set()

    async def _led(self, leader: Leader) -> None:
        """Until the lead is lost or the extension dropped. Raises what the work raises."""
        work = asyncio.ensure_future(self._lead(leader))
        lost, dropped = asyncio.ensure_future(leader.lost()), asyncio.create_task(self._dropped())
        try:
            await asyncio.wait({work, lost, dropped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost.cancel()
            await ended(dropped)
            work.cancel()
            await asyncio.wait({work})
        self._told.set()
        if not work.cancelled():
            work.result()

    async def _dropped(self) -> None:
        """Wait until the extension is gone; what keeps the database from answering is the leader's to notice."""
        while True:
            with suppress(*CONNECTION_ERRORS, StatementError):
                if not await self.is_present():
                    return
            await asyncio.sleep(LOOK_SECONDS)


class Led:
    """Who does the work of an extension while this process leads."""

    def __init__(self) -> None:
        self.part: Work | None = None
        self._came = asyncio.Event()

    async def here(self) -> Work:
        """Wait until this process leads."""
        while self.part is None:
            await self._came.wait()
        return self.part

    @contextmanager
    def by(self, part: Work) -> Iterator[None]:
        """`part` does it, until the block ends."""
        self.part = part
        self._came.set()
        try:
            yield
        finally:
            self.part = None
            self._came.clear()


class Worked:
    """A `Part`: the work of an extension, where the database has it."""

    leads_on = True

    def __init__(self, what: str, attended: Attended, led: Led) -> None:
        self.what = what
        self._attended = attended
        self._led = led

    @property
    def done(self) -> int:
        """How many jobs ran, or requests were sent, since this process leads."""
        return self._led.part.done if self._led.part is not None else 0

    async def settle(self) -> None:
        """Wait for what is due; an extension that was made just now is found first."""
        if self._led.part is None:
            if not await self._attended.is_present():
                return
            self._attended.look()
        await (await self._led.here()).settle()

    def pending(self) -> Pending | None:
        """What the one who leads says."""
        return self._led.part.pending() if self._led.part is not None else None


class CronWork:
    """pg_cron's part."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._at_start = True
        self.scheduler: Scheduler | None = None
        self.led = Led()

    def told(self) -> None:
        if self.scheduler is not None:
            self.scheduler.jobs_changed()

    def next_due(self, until: datetime) -> Due | None:
        """The job that is due next, at `until` at the latest; None where another process leads, too."""
        return self.scheduler.next_due(until) if self.scheduler is not None else None

    def dues(self, until: datetime, most: int) -> list[Due]:
        """What is due up to `until`, in order; of each job the last so many times."""
        return self.scheduler.dues(until, most) if self.scheduler is not None else []

    async def run_due(self) -> int:
        """Run what is due now to its end; how many runs began. Raises CONNECTION_ERRORS."""
        return await self.scheduler.run_due() if self.scheduler is not None else 0

    async def lead(self, leader: Leader) -> None:
        backend = self._backend
        self.scheduler = Scheduler(
            CronTables(leader), backend.clock, backend.database.admin_dsn, backend.log, backend.journal
        )
        at_start, self._at_start = self._at_start, False
        try:
            with self.led.by(self.scheduler):
                await self.scheduler.keep_time(at_start)
        finally:
            self.scheduler = None


class NetWork:
    """pg_net's part."""

    def __init__(self, backend: Backend, outgoing: Outgoing) -> None:
        self._backend = backend
        self._outgoing = outgoing
        self.sender: Sender | None = None
        self.led = Led()

    def told(self) -> None:
        if self.sender is not None:
            self.sender.requests_queued()

    async def lead(self, leader: Leader) -> None:
        self.sender = Sender(NetTables(leader), self._outgoing, self._backend.clock, journal=self._backend.journal)
        try:
            with self.led.by(self.sender):
                await self.sender.keep_sending()
        finally:
            self.sender = None


def _outgoing_of(backend: Backend) -> Outgoing:
    """A way out of their own, so that a full queue never keeps the hooks waiting; in production to public places, and
    to our own functions."""
    if backend.development:
        return FaultyOutgoing(backend.public_url, backend.faults)
    return PublicOutgoing(PublicAddresses(backend.settings.auth.private_networks), HTTP_TOO, backend.public_url)
