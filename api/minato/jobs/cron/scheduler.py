"""Counts which jobs are due and runs them: each job once at a time, so many at once, the longest waiting first."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import perf_counter

import structlog

from minato.at_work import Pending, Rounds
from minato.backend import Due
from minato.background import ended
from minato.clock import Clock
from minato.database.address import address_of
from minato.database.outage import CONNECTION_ERRORS
from minato.database.wire.script import Outcome
from minato.jobs.cron.run import run_command
from minato.jobs.cron.schedule import Minutes, Passed, minute_of
from minato.jobs.cron.tables import CronTables, Job
from minato.journal.event import Level
from minato.journal.journal import SILENT, Journal
from minato.json_text import JsonObject

# cron.max_running_jobs.
MOST_RUNNING = 32
# The clock is looked at this often while there are jobs; it may have been moved.
LOOK_SECONDS = 1.0
# Characters of what PostgreSQL said of a run that developers are told.
_LONGEST_MESSAGE = 2000
CANCELED = Outcome(False, "job canceled")


@dataclass
class Task:
    """A job at work: the runs of the numbers `waiting` are due, `run` is under way in PostgreSQL's `process`, until it
    is `over` and only its record is left to be written."""

    job: Job
    last_start: datetime
    active: bool = True
    waiting: deque[int] = field(default_factory=deque)
    run: asyncio.Task[None] | None = None
    process: int | None = None
    over: bool = False

    @property
    def what(self) -> str:
        """What it is called."""
        return f"cron: {self.job.name or self.job.id}"

    def dues(self, now: datetime, until: datetime) -> Iterator[datetime]:
        """When it is due after `now`, up to `until`."""
        schedule = self.job.schedule
        if schedule.seconds:
            at, span = max(self.last_start, now), timedelta(seconds=schedule.seconds)
            while (at := at + span) <= until:
                yield at
            return
        moment = schedule.next_after(now, until)
        while moment is not None:
            yield moment
            moment = schedule.next_after(moment, until)


class Scheduler:
    """pg_cron's launcher. `admin` is the owner's address, from which those of the jobs' users are made.

    So many runs became `due`.
    """

    def __init__(
        self,
        tables: CronTables,
        clock: Clock,
        admin: str,
        log: structlog.stdlib.BoundLogger,
        journal: Journal = SILENT,
    ) -> None:
        self._journal = journal
        self._tables = tables
        self._clock = clock
        self._admin = admin
        self._log = log
        self._minutes = Minutes(clock.now())
        self._tasks: dict[int, Task] = {}
        self._running = 0
        self.due = 0
        self.done = 0
        self._changed = True
        self._rounds = Rounds()
        self._one_beat = asyncio.Lock()

    def jobs_changed(self) -> None:
        """Read the jobs again before the next beat."""
        self._changed = True
        self._rounds.want()

    async def keep_time(self, at_start: bool) -> None:
        """Run what is due for as long as this is awaited; with `at_start` what is due at a start, too.

        Raises CONNECTION_ERRORS. Cancelled, it ends the sessions of what still runs.
        """
        try:
            await self._tables.settle()
            await self._load()
            if at_start:
                await self._note([task for task in self._tasks.values() if task.active and task.job.schedule.at_start])
            while True:
                await self.beat()
                await self._pause()
        finally:
            await self.abandon()

    async def beat(self) -> None:
        """One look at the clock: whatever is due begins."""
        async with self._one_beat:
            self._rounds.begin()
            if self._changed:
                await self._load()
            await self._note(list(self._due(self._clock.now())))
            self._start()
            self._rounds.end()

    async def run_due(self) -> int:
        """Run what is due now to its end; how many runs began."""
        before = self.due
        while True:
            await self.beat()
            if not self.busy:
                return self.due - before
            await self.idle()

    async def settle(self) -> None:
        """Wait until what is due by now has run."""
        await self._rounds.one()
        while self.busy:
            await self.idle()
            await self._rounds.one()

    def pending(self) -> Pending | None:
        """The runs under way, and those that wait for their turn."""
        at_work = [task for task in self._tasks.values() if task.run is not None or task.waiting]
        count = sum(len(task.waiting) + (task.run is not None) for task in at_work)
        return Pending(count, at_work[0].what) if at_work else None

    def next_due(self, until: datetime) -> Due | None:
        """The job that is due next, at `until` at the latest."""
        now = self._clock.now()
        firsts = ((next(task.dues(now, until), None), task) for task in self._tasks.values() if task.active)
        return min((Due(moment, task.what) for moment, task in firsts if moment is not None), default=None)

    def dues(self, until: datetime, most: int) -> list[Due]:
        """What is due up to `until`, in order; of each job the last so many times."""
        now, found = self._clock.now(), list[Due]()
        for task in self._tasks.values():
            # Of a job of each second no more is looked at than is wanted.
            span = timedelta(seconds=task.job.schedule.seconds)
            begin = max(now, until - most * span) if span else now
            if task.active:
                found += [Due(moment, task.what) for moment in deque(task.dues(begin, until), most)]
        return sorted(found)

    @property
    def busy(self) -> bool:
        """Whether something runs or waits for its turn."""
        return any(task.run is not None or task.waiting for task in self._tasks.values())

    async def idle(self) -> None:
        """Wait until nothing runs."""
        while runs := [task.run for task in self._tasks.values() if task.run is not None]:
            await asyncio.wait(runs)

    async def _pause(self) -> None:
        """Until something may be due: a job changed, a run ended, a second passed. Without jobs, until there is one."""
        if not any(task.active or task.run for task in self._tasks.values()):
            await self._rounds.wanted()
            return
        now = self._clock.now()
        left = (minute_of(now) + timedelta(minutes=1) - now).total_seconds()
        await self._rounds.wanted(min(left, LOOK_SECONDS))

    async def _load(self) -> None:
        self._changed = False
        jobs = {job.id: job for job in await self._tables.jobs()}
        gone = [task for number, task in self._tasks.items() if number not in jobs or not jobs[number].active]
        for task in gone:
            task.active = False
        await self._cancel([task for task in gone if task.run is not None and not task.over])
        await self._drop(gone)
        now = self._clock.now()
        for number, job in jobs.items():
            task = self._tasks.setdefault(number, Task(job, now))
            task.job, task.active = job, job.active
        self._forget(jobs.keys() | {number for number, task in self._tasks.items() if task.run is not None})

    def _forget(self, kept: set[int]) -> None:
        self._tasks = {number: task for number, task in self._tasks.items() if number in kept}

    async def _cancel(self, tasks: Sequence[Task]) -> None:
        """End runs of jobs that were unscheduled: those that have a session by ending that, so that whatever was in
        time to commit is told as it is."""
        for task in tasks:
            if task.run is not None and task.process is None:
                task.run.cancel(CANCELED.message)
        processes = [task.process for task in tasks if task.process is not None]
        if processes:
            await self._tables.terminate(processes)

    async def _drop(self, tasks: Sequence[Task]) -> None:
        """Let runs go that waited for their turn."""
        runs = [run for task in tasks for run in task.waiting]
        if runs:
            await self._tables.drop(runs, CANCELED.message)
        for task in tasks:
            task.waiting.clear()

    def _due(self, now: datetime) -> Iterator[Task]:
        """Each task, so many times as it became due."""
        passed = self._minutes.passed(now)
        for task in self._tasks.values():
            if task.active:
                yield from [task] * self._runs_due(task, now, passed)

    async def _note(self, due: Sequence[Task]) -> None:
        """Let what became due wait for its turn. A run is written down at once, so that the next process which leads
        tells of it; by the session that leads: if another process leads now, this raises and nothing begins."""
        if not due:
            return
        self.due += len(due)
        runs = await self._tables.begin([task.job for task in due])
        for task, run in zip(due, runs, strict=True):
            task.waiting.append(run)

    def _runs_due(self, task: Task, now: datetime, passed: Passed | None) -> int:
        seconds = task.job.schedule.seconds
        if not seconds:
            return passed.runs_of(task.job.schedule) if passed is not None else 0
        # Of a clock that was put back, a start that lies ahead says nothing.
        task.last_start = min(task.last_start, now)
        # One that takes longer than its interval waits once, not as often as it was missed.
        return int(not task.waiting and now - task.last_start >= timedelta(seconds=seconds))

    def _start(self) -> None:
        ready = [task for task in self._tasks.values() if task.active and task.waiting and task.run is None]
        now = self._clock.now()
        for task in sorted(ready, key=lambda task: task.last_start)[: MOST_RUNNING - self._running]:
            task.last_start = now
            task.process, task.over = None, False
            self._running += 1
            task.run = asyncio.create_task(self._run(task, task.job, task.waiting.popleft()), name="cron run")

    async def _run(self, task: Task, job: Job, run: int) -> None:
        began = perf_counter()
        try:
            outcome = await self._outcome(task, job, run)
            task.over = True
            self._tell(task, outcome, run, (perf_counter() - began) * 1000)
            await self._tables.end(run, outcome.succeeded, outcome.message, task.last_start, self._clock.now())
            if not outcome.succeeded:
                # Neither command nor message: they may tell secrets.
                self._log.warning("a cron job failed", job=job.id, run=run)
        except CONNECTION_ERRORS:
            # The session that leads is gone; its successor says so.
            self._log.warning("a cron job's end was not recorded", job=job.id, run=run)
        finally:
            task.run, task.process = None, None
            self._running -= 1
            self.done += 1
            self._rounds.want()

    def _tell(self, task: Task, outcome: Outcome, run: int, ms: float) -> None:
        """Note a run, for developers."""
        told: JsonObject = {"job": task.job.id, "name": task.job.name, "run": run, "succeeded": outcome.succeeded}
        title = f"{task.what}: {'succeeded' if outcome.succeeded else 'failed'}"
        level: Level = "info" if outcome.succeeded else "error"
        message = outcome.message[:_LONGEST_MESSAGE]
        self._journal.note(
            "cron", title, lambda whole: {**told, "message": message}, level=level, cause=None, ms=ms, size=len(message)
        )

    async def _outcome(self, task: Task, job: Job, run: int) -> Outcome:
        async def began(process: int) -> None:
            task.process = process
            task.last_start = self._clock.now()
            await self._tables.running(run, job, process, task.last_start)

        try:
            outcome = await run_command(address_of(self._admin, job.username, job.database), job.command, began)
        except asyncio.CancelledError:
            if task.active:
                raise
            return CANCELED
        return outcome if outcome.succeeded or task.active else CANCELED

    async def abandon(self) -> None:
        """The lead is lost or the server stops: what still runs must not commit behind the next one's back."""
        tasks = [task for task in self._tasks.values() if task.run is not None]
        processes = [task.process for task in tasks if task.process is not None]
        try:
            if processes:
                await self._tables.terminate(processes)
        except CONNECTION_ERRORS:
            pass
        finally:
            await ended(*(task.run for task in tasks))
