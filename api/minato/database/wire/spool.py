"""Where large answers wait for slow clients: on disk, so that the session can serve somebody else."""

from __future__ import annotations

import tempfile
from typing import BinaryIO


class Spool:
    """Room for `most` bytes, for answers whose client took longer than `patience` seconds."""

    def __init__(self, most: int, patience: float) -> None:
        self.patience = patience
        self._left = most

    def open(self, size: int) -> SpoolFile | None:
        """A file for `size` bytes; None when there is no room for them."""
        if size > self._left:
            return None
        try:
            file = SpoolFile(self, size, tempfile.TemporaryFile())
        except OSError:
            return None
        self._left -= size
        return file

    def give_back(self, size: int) -> None:
        self._left += size


class SpoolFile:
    """Written at its end, read from its beginning; it has no name, so it goes with the process at the latest."""

    def __init__(self, spool: Spool, size: int, file: BinaryIO) -> None:
        self._spool = spool
        self._size = size
        self._file = file
        self._read = 0
        self.written = 0

    def write(self, data: bytes) -> None:
        """Raises OSError when the disk is full."""
        self._file.seek(self.written)
        self._file.write(data)
        self.written += len(data)

    def read(self, most: int) -> bytes:
        """The next bytes; empty when all that was written has been read."""
        if self._read == self.written:
            return b""
        self._file.seek(self._read)
        data = self._file.read(min(most, self.written - self._read))
        self._read += len(data)
        return data

    def close(self) -> None:
        """Closing twice is fine."""
        if not self._file.closed:
            self._file.close()
            self._spool.give_back(self._size)
