"""Bounds what pictures cost: so many at once in threads, so many waiting, so many bytes, so many seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING

from minato.config.storage import StorageSettings
from minato.http.shares import Shares
from minato.storage.errors import StorageError, invalid_request
from minato.storage.imaging.transformation import Transformation

if TYPE_CHECKING:
    from minato.storage.imaging.picture import Rendered

FILE_TOO_LARGE = "The source image file is too large to process"
WAITING_FOR_EACH = 16


class ImagePool:
    """`image_workers` pictures at a time; a source is read only when its turn has come, so memory stays bounded."""

    def __init__(self, settings: StorageSettings, threads: Executor) -> None:
        self._settings = settings
        self._threads = threads
        self._turns = asyncio.Semaphore(settings.image_workers)
        self._present = 0
        # One worker is left to the others, where there are two.
        self._shares = Shares(max(settings.image_workers - 1, 1))

    async def render(
        self,
        size: int,
        read: Callable[[], Awaitable[AsyncIterator[bytes]]],
        wanted: Transformation,
        negotiated: str,
        holder: str | None = None,
    ) -> Rendered:
        """The picture that `read` opens, `size` bytes, of the share of `holder`.

        Raises InvalidRequest, also with statusCode 408 and 429.
        """
        if size > self._settings.image_max_bytes:
            raise invalid_request(FILE_TOO_LARGE)
        most = self._settings.image_workers * (1 + WAITING_FOR_EACH)
        if self._present >= most or self._shares.waiting_for(holder) >= most // 2:
            raise StorageError(429, "SlowDown", "Too many requests", "too_many_requests", 429)
        self._present += 1
        try:
            patience = self._settings.image_timeout
            async with asyncio.timeout(patience), self._shares.held(holder, patience), self._turns:
                return await self._work(b"".join([chunk async for chunk in await read()]), wanted, negotiated)
        except TimeoutError:
            raise StorageError(408, "InvalidRequest", "Image request timed out", status=408) from None
        finally:
            self._present -= 1

    async def _work(self, source: bytes, wanted: Transformation, negotiated: str) -> Rendered:
        loop = asyncio.get_running_loop()
        pixels = self._settings.image_max_pixels
        return await loop.run_in_executor(self._threads, _render, source, wanted, negotiated, pixels)


def _render(source: bytes, wanted: Transformation, negotiated: str, max_pixels: int) -> Rendered:
    from minato.storage.imaging.picture import render  # Pillow: who shows no pictures does not pay for it

    return render(source, wanted, negotiated, max_pixels)
