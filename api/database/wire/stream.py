"""The end of a large row while it still arrives, so that nobody has to hold all of it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from struct import unpack_from
from typing import Any

HIGH_WATER, LOW_WATER = 512 * 1024, 128 * 1024

Row = list[bytes | None]


class RowStream:
    """The last column of a row in pieces; `len()` is its size in bytes. The server waits while nobody takes them.

    `on_end` hears whether everything was taken: only then can the connection serve somebody else.
    """

    def __init__(self, transport: Any, size: int) -> None:
        self.missing = size
        self.on_end: Callable[[bool], None] | None = None
        self._size = size
        self._transport = transport
        self._pieces: deque[bytes] = deque()
        self._held = 0
        self._paused = False
        self._arrived = asyncio.Event()
        self._error: Exception | None = None

    def __len__(self) -> int:
        return self._size

    def feed(self, data: bytes) -> bytes:
        """Take what belongs to the column; returns the rest."""
        piece = data[: self.missing]
        self.missing -= len(piece)
        self._held += len(piece)
        self._pieces.append(piece)
        if self._held > HIGH_WATER and not self._paused:
            self._paused = True
            self._transport.pause_reading()
        self._arrived.set()
        return data[len(piece) :]

    def fail(self, error: Exception) -> None:
        """Nothing more will come."""
        self._error = error
        self._arrived.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            while self._pieces:
                piece = self._pieces.popleft()
                self._held -= len(piece)
                if self._paused and self._held < LOW_WATER:
                    self._paused = False
                    self._transport.resume_reading()
                yield piece
            if self.missing == 0:
                return
            if self._error is not None:
                raise self._error
            self._arrived.clear()
            await self._arrived.wait()

    def close(self) -> None:
        """Say how it ended; pieces that nobody took are dropped."""
        if self.on_end is not None:
            self.on_end(self.missing == 0 and not self._pieces)
            self.on_end = None


def begin_row(data: bytes, position: int) -> tuple[Row, int, int] | None:
    """The columns but the last of the DataRow at `position`, the last one's size, and where that one begins.

    None when `data` does not reach that far.
    """
    if len(data) < position + 2:
        return None
    (count,) = unpack_from("!h", data, position)
    position += 2
    row: Row = []
    while len(data) >= position + 4:
        (length,) = unpack_from("!i", data, position)
        position += 4
        if len(row) == count - 1:
            return row, length, position
        end = position + max(length, 0)
        row.append(None if length < 0 else data[position:end])
        position = end
    return None
