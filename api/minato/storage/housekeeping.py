"""What runs beside the requests: the sweep at the start, the files nobody uses any more, and whose the files are."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import TextClause

from minato.background import Supervisor, ended
from minato.storage.backend.base import file_path
from minato.storage.installation import Standing
from minato.storage.s3.multipart_rows import OldPart, take_old_uploads
from minato.storage.services import Services
from minato.storage.sweep import sweep_orphans

# As long as a backup of the database can be taken for the database itself.
RENEW_SECONDS: Final = 600.0
# The store may not answer, and a server that is asked to end should.
LAST_SECONDS: Final = 2.0
# Beats of RENEW_SECONDS between two looks at what nobody uses any more: an hour.
UNUSED_BEATS: Final = 6
UNUSED_AT_ONCE: Final = 500
# Of up to 10,000 parts each.
OLD_AT_ONCE: Final = 20


class Housekeeping:
    """Of one running server. A failure is logged and tried again at the next beat.

    `unused` takes the rows of at most `:most` objects away that nobody uses any more, and names bucket and version.
    """

    def __init__(self, services: Services, supervisor: Supervisor, unused: TextClause | None = None) -> None:
        self._services = services
        self._supervisor = supervisor
        self._unused = unused
        self.looked = asyncio.Event()
        """Set when what is done at the start is done, or has failed."""
        self._task: asyncio.Task[None] | None = None
        self._said: str | None = None

    def start(self) -> None:
        """Begin; nothing waits for it."""
        self._task = self._supervisor.keep("keeping house among the files", self._run)

    async def stop(self) -> None:
        """Give up what is at work, and begin the generation that a backup of this run will not have."""
        if self._task is None:
            return
        await ended(self._task)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                await self._attempt(sweeps=False)

    async def _run(self) -> None:
        done = await self._attempt(sweeps=True)
        self.looked.set()
        for beat in itertools.count(1):
            await asyncio.sleep(RENEW_SECONDS)
            # What could not be done at the start, as while the store was away, is made up for.
            done |= await self._attempt(sweeps=not done, clears=beat % UNUSED_BEATS == 0)

    async def renew(self) -> Standing:
        """A new generation, unless the marker is somebody else's."""
        installation, files = self._services.installation, self._services.files
        standing = await installation.standing(files)
        if standing.mine:
            await installation.renew(files, standing.behind)
        elif standing.reason != self._said:
            hint = "see minato storage sweep"
            self._services.log.warning("files without a row are kept", reason=standing.reason, hint=hint)
            self._said = standing.reason
        return standing

    async def clear_unused(self) -> int:
        """Delete the objects the schema's author calls unused; how many went.

        The schema takes the rows away, alone with each; the files go after them. What a crash leaves between the two is
        a file without a row, which the next sweep deletes.
        """
        cleared = 0
        while self._unused is not None and (taken := await self._take_unused(self._unused)):
            await self._services.files.delete(taken)
            cleared += len(taken)
        if cleared:
            self._services.log.info("unused objects deleted", count=cleared)
        return cleared

    async def abort_old_uploads(self) -> int:
        """Abort S3 uploads in parts that were begun too long ago, rows and files; how many."""
        services, aborted = self._services, 0
        before = services.clock.now() - timedelta(seconds=services.settings.tus_url_expiry)
        while taken := await self._take_old(before):
            if paths := [file_path(bucket, version) for _, bucket, version in taken if bucket and version]:
                await services.files.delete(paths)
            aborted += len({upload for upload, _, _ in taken})
        if aborted:
            services.log.info("old multipart uploads aborted", count=aborted)
        return aborted

    async def _take_old(self, before: datetime) -> list[OldPart]:
        async with self._services.transactions.look_up() as connection:
            return await take_old_uploads(connection, before, OLD_AT_ONCE)

    async def _take_unused(self, statement: TextClause) -> list[str]:
        async with self._services.transactions.look_up() as connection:
            rows = await connection.execute(statement, {"most": UNUSED_AT_ONCE})
            return [file_path(bucket, version) for bucket, version in rows]

    async def _attempt(self, sweeps: bool, clears: bool = False) -> bool:
        """Whether all went well; what did not is logged."""
        try:
            standing = await self.renew()
            if standing.reason is None and (sweeps or clears):
                await self.clear_unused()
                await self.abort_old_uploads()
            if standing.reason is None and sweeps:
                await sweep_orphans(self._services)
            if (sweeps or clears) and (standing.reason is None or not self._services.uploads.shared):
                await self._clear_uploads()
            return True
        except Exception as error:
            self._services.log.warning("keeping house among the files failed", error=f"{type(error).__name__}: {error}")
            return False

    async def _clear_uploads(self) -> None:
        """What was begun piece by piece and never ended. In the data folder it is nobody else's."""
        services = self._services
        await services.uploads.clear(services.clock.timestamp() - services.settings.tus_url_expiry)
