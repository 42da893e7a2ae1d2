"""What runs beside the requests: the sweep at the start, and the generation that says whose the files are."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from minato.background import ended
from minato.storage.installation import Standing
from minato.storage.services import Services
from minato.storage.sweep import sweep_orphans

# As long as a backup of the database can be taken for the database itself.
RENEW_SECONDS: Final = 600.0
# The store may not answer, and a server that is asked to end should.
LAST_SECONDS: Final = 2.0


class Housekeeping:
    """Of one running server. A failure is logged and tried again at the next beat."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.looked = asyncio.Event()
        """Set when what is done at the start is done, or has failed."""
        self._task: asyncio.Task[None] | None = None
        self._said: str | None = None

    def start(self) -> None:
        """Begin; nothing waits for it."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Give up what is at work, and begin the generation that a backup of this run will not have."""
        if self._task is None:
            return
        await ended(self._task)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                await self._attempt(sweeps=False)

    async def _run(self) -> None:
        await self._attempt(sweeps=True)
        self.looked.set()
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await self._attempt(sweeps=False)

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

    async def _attempt(self, sweeps: bool) -> None:
        try:
            standing = await self.renew()
            if standing.reason is None and sweeps:
                await sweep_orphans(self._services)
            if sweeps:
                self._clear_uploads()
        except Exception as error:
            self._services.log.warning("keeping house among the files failed", error=f"{type(error).__name__}: {error}")

    def _clear_uploads(self) -> None:
        """What was begun piece by piece and never ended; it lies in the data folder, and is nobody else's."""
        services = self._services
        services.uploads.clear(services.clock.timestamp() - services.settings.tus_url_expiry)
