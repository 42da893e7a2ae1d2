"""A text of statements on a connection of its own, told as libpq tells it: what `psql -c` would print at the end.

PostgreSQL runs a simple query's statements as one transaction, unless they end it themselves. Rows are counted and
thrown away while they come, so a large result takes no memory.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from struct import unpack_from
from typing import Any

import asyncpg

from minato.database.wire.messages import error_fields, query
from minato.database.wire.report import report

# Of a message that is no row, so many bytes are kept; nobody reads an error of megabytes.
KEPT = 256 * 1024
NO_COPY = "COPY not supported"
GONE = (
    "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n"
    "\tbefore or while processing the request.\n"
)
DATA_ROW, DESCRIPTION, COMPLETE, EMPTY, ERROR, READY = b"DTCIEZ"
COPIES = frozenset(b"GHW")


@dataclass(frozen=True)
class Outcome:
    """How a script ended: PostgreSQL's last tag or number of rows, or its error."""

    succeeded: bool
    message: str


class Script(asyncio.Protocol):
    """Takes over a connection that asyncpg opened, for one text."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self.process: int = connection.get_server_pid()
        self._connection = connection
        self._transport: Any = connection._transport
        self._text = ""
        self._outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._last = Outcome(True, "")
        self._failure: str | None = None
        self._rows: int | None = None
        self._held = bytearray()
        self._skip = 0
        self._transport.set_protocol(self)

    async def run(self, text: str) -> Outcome:
        """What became of the last statement of `text`, or of the first that failed."""
        self._text = text
        self._transport.write(query(text))
        return await self._outcome

    def close(self) -> None:
        """End the connection at once; twice is fine."""
        self._connection.terminate()

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        if self._skip:
            skipped = min(self._skip, len(data))
            self._skip -= skipped
            data = data[skipped:]
        self._held += data
        while len(self._held) >= 5 and self._take():
            pass

    def _take(self) -> bool:
        """Read the first message that is held; whether there was a whole one, or one to be thrown away."""
        kind, (length,) = self._held[0], unpack_from("!i", self._held, 1)
        size = 1 + length
        if kind == DATA_ROW:
            self._rows = (self._rows or 0) + 1
            self._skip = max(0, size - len(self._held))
            del self._held[:size]
            return True
        if len(self._held) < min(size, KEPT):
            return False
        self._message(kind, bytes(self._held[5 : min(size, KEPT)]))
        self._skip = max(0, size - len(self._held))
        del self._held[:size]
        return True

    def _message(self, kind: int, body: bytes) -> None:
        if kind == DESCRIPTION:
            self._rows = 0
        elif kind == COMPLETE:
            tag = body.rstrip(b"\0").decode(errors="replace")
            self._last = Outcome(True, tag if self._rows is None else _rows(self._rows))
            self._rows = None
        elif kind == EMPTY:
            self._last = Outcome(True, _rows(0))
        elif kind == ERROR:
            self._failure = report(error_fields(body), self._text)
        elif kind in COPIES:
            self._failure = NO_COPY
            self._end()
        elif kind == READY:
            self._end()

    def _end(self) -> None:
        if not self._outcome.done():
            failed = self._failure is not None
            self._outcome.set_result(Outcome(False, self._failure or "") if failed else self._last)
        self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the event loop."""
        if not self._outcome.done():
            self._failure = (self._failure or "") + GONE
        self._end()


def _rows(number: int) -> str:
    return f"{number} row" if number == 1 else f"{number} rows"
