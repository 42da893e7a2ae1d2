"""The embedded PostgreSQL as the rest of the program sees it: start, an address, restarts after a crash, stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from minato.postgres.address import PostgresAddress
from minato.postgres.cluster import Cluster, EmbeddedOptions
from minato.postgres.errors import PostgresError
from minato.postgres.lock import DataFolderLock
from minato.postgres.log_file import LOOK_SECONDS, keep_small
from minato.postgres.waiting import GrowingPauses, RestartBackoff, Steps, run, run_async

PAUSE_AFTER_FAILURE = 5.0
# Seconds in which failures to start again are not told.
FIRST_SILENCE, LONGEST_SILENCE = 60.0, 3600.0
# Seconds before one that crashed soon after its start, again, is started; and how long one lives that is well.
FIRST_BACKOFF, LONGEST_BACKOFF, STEADY_SECONDS = 0.25, 5.0, 60.0

CRASHED = "PostgreSQL ended unexpectedly; starting it again"

log = logging.getLogger("minato.postgres")


class EmbeddedPostgres:
    """One PostgreSQL of ours. Use it from the main thread (see `process.spawn`).

    `begin` starts the first process and returns at once, so that the caller can import the rest of the program
    meanwhile; `start` (`start_now` without an event loop) waits until connections are accepted.
    """

    def __init__(self, options: EmbeddedOptions) -> None:
        self._cluster = Cluster(options)
        self._lock = DataFolderLock(self._cluster.layout.lock)
        self._starting: Steps | None = None
        self._guards: list[asyncio.Task[None]] = []
        # Told of each crash, for whoever tells of the outage that follows.
        self.on_crash: Callable[[str], object] = log.warning

    @property
    def address(self) -> PostgresAddress:
        """Where the server is; it stays the same through restarts."""
        assert self._cluster.address is not None, "start() comes before the address"
        return self._cluster.address

    @property
    def pid(self) -> int | None:
        """The postmaster's process id, None when there is none."""
        postmaster = self._cluster.postmaster
        return postmaster.pid if postmaster is not None and not postmaster.has_ended else None

    def begin(self) -> None:
        """Take the data folder and start the first process. Raises `PostgresError`."""
        self._cluster.layout.prepare()
        self._lock.acquire()
        self._starting = self._cluster.start_steps()
        try:
            next(self._starting, None)
        except BaseException:
            self.stop_now()
            raise

    def start_now(self) -> PostgresAddress:
        """Start and wait, without an event loop; nobody restarts the server after a crash."""
        try:
            run(self._begun())
        except BaseException:
            self.stop_now()
            raise
        return self.address

    def stop_now(self) -> None:
        """Shut down and leave the data folder to others; harmless when nothing runs."""
        self._give_up_starting()
        run(self._cluster.stop_steps())
        self._lock.release()

    async def start(self) -> PostgresAddress:
        """Start, wait until connections are accepted, and from then on restart the server whenever it crashes."""
        try:
            await run_async(self._begun())
        except BaseException:
            self.stop_now()
            raise
        self._guards = [
            asyncio.create_task(self._restart_after_crashes(), name="postgres-guard"),
            asyncio.create_task(self._keep_log_small(), name="postgres-log"),
        ]
        return self.address

    async def stop(self) -> None:
        """Shut down and leave the data folder to others; harmless when nothing runs."""
        for guard in self._guards:
            guard.cancel()
        await asyncio.gather(*self._guards, return_exceptions=True)
        self._guards = []
        self._give_up_starting()
        await run_async(self._cluster.stop_steps())
        self._lock.release()

    def _begun(self) -> Steps:
        if self._starting is None:
            self.begin()
        assert self._starting is not None
        return self._starting

    def _give_up_starting(self) -> None:
        """Close the steps: an initdb under way is ended with them."""
        starting, self._starting = self._starting, None
        if starting is not None:
            starting.close()

    async def _restart_after_crashes(self) -> None:
        """At once; one that becomes ready and crashes again and again has pauses, each of which is told."""
        loop, backoff = asyncio.get_running_loop(), RestartBackoff(FIRST_BACKOFF, LONGEST_BACKOFF, STEADY_SECONDS)
        while True:
            postmaster, since = self._cluster.postmaster, loop.time()
            assert postmaster is not None
            await postmaster.ended()
            self.on_crash(CRASHED)
            if pause := backoff.after(loop.time() - since):
                log.warning("PostgreSQL ended soon after its start, again; it is started in %g s", pause)
                await asyncio.sleep(pause)
            await self._restart()

    async def _restart(self) -> None:
        """Until it serves. What keeps it from that, as a full disk, may last: it is told with growing pauses, for it
        brings the end of PostgreSQL's log along each time."""
        loop, complaints = asyncio.get_running_loop(), GrowingPauses(FIRST_SILENCE, LONGEST_SILENCE)
        while True:
            try:
                return await run_async(self._cluster.restart_steps())
            except (PostgresError, OSError) as error:
                if complaints.are_over(loop.time()):
                    log.error("%s", error)
                await asyncio.sleep(PAUSE_AFTER_FAILURE)

    async def _keep_log_small(self) -> None:
        """What keeps it from that, as a full disk, is told with growing pauses."""
        loop, complaints = asyncio.get_running_loop(), GrowingPauses(FIRST_SILENCE, LONGEST_SILENCE)
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await asyncio.to_thread(keep_small, self._cluster.layout.log)
            except OSError as error:
                if complaints.are_over(loop.time()):
                    log.warning("the log of PostgreSQL could not be moved aside: %s", error)
