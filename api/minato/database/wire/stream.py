"""The end of a large row while it still arrives, so that nobody has to hold all of it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from struct import unpack_from
from typing import Any

from minato.database.wire.spool import Spool, SpoolFile

HIGH_WATER, LOW_WATER = 512 * 1024, 128 * 1024

Row = list[bytes | None]


class RowStream:
    """The last column of a row in pieces; `len()` is its size in bytes. The server waits while nobody takes them.

    With a `spool` it waits only for a moment: then the rest goes there.
    """

    def __init__(self, transport: Any, size: int, spool: Spool | None = None) -> None:
        self.missing = size
        self._tell: Callable[[bool], None] | None = None
        self._came: bool | None = None
        self._size = size
        self._transport = transport
        self._pieces: deque[bytes] = deque()
        self._held = 0
        self._paused = False
        self._arrived = asyncio.Event()
        self._error: Exception | None = None
        self._spool = spool
        self._file: SpoolFile | None = None
        self._timer: asyncio.TimerHandle | None = None
        if spool is not None:
            self._timer = asyncio.get_running_loop().call_later(spool.patience, self._begin_spooling)

    def __len__(self) -> int:
        return self._size

    def when_free(self, tell: Callable[[bool], None]) -> None:
        """Let `tell` hear when the session is free, and whether all has come: only then can it serve somebody else."""
        if self._came is None:
            self._tell = tell
        else:
            tell(self._came)

    def feed(self, data: bytes) -> bytes:
        """Take what belongs to the column; returns the rest."""
        piece = data[: self.missing]
        self.missing -= len(piece)
        if self._file is not None:
            self._write(self._file, piece)
        else:
            self._hold(piece)
        self._arrived.set()
        if self.missing == 0:
            asyncio.get_running_loop().call_soon(self._free)
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
                if self._held < LOW_WATER:
                    self._resume()
                yield piece
            while self._file is not None and (piece := self._file.read(LOW_WATER)):
                yield piece
            if self._error is not None:
                raise self._error
            if self.missing == 0:
                return
            self._arrived.clear()
            await self._arrived.wait()

    def close(self) -> None:
        """Nobody takes pieces any more; those that are left are dropped."""
        if self._timer is not None:
            self._timer.cancel()
        if self._file is not None:
            self._file.close()
        self._resume()
        self._end(self.missing == 0)

    def _hold(self, piece: bytes) -> None:
        self._held += len(piece)
        self._pieces.append(piece)
        if self._held > HIGH_WATER and not self._paused:
            self._paused = True
            self._transport.pause_reading()

    def _resume(self) -> None:
        if self._paused:
            self._paused = False
            self._transport.resume_reading()

    def _begin_spooling(self) -> None:
        """The client is slower than the database: the rest waits on disk, if there is room for it."""
        self._timer = None
        if self._spool is not None and self.missing and self._error is None:
            self._file = self._spool.open(self.missing)
            if self._file is not None:
                self._resume()

    def _write(self, file: SpoolFile, piece: bytes) -> None:
        try:
            file.write(piece)
        except (OSError, ValueError) as error:
            # A full disk, or a file that is closed because the client has left.
            self.fail(ConnectionError(f"the answer could not be kept: {error}"))

    def _free(self) -> None:
        """Everything has come: the session is free although the client is not ready."""
        self._resume()
        self._end(self._error is None)

    def _end(self, came: bool) -> None:
        if self._came is None:
            self._came = came
            if self._tell is not None:
                self._tell(came)


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
