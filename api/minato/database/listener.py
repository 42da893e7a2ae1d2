"""LISTEN: one connection, outside any pool, that hears what is notified on its channels until it is lost or closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import asyncpg

Hear = Callable[[int, str], None]
"""Is told the process that notified and the payload."""


class Listener:
    """The only kind of connection beside sessions and engines; its holder may run statements on it, too.

    `lost` is set once nothing can come any more.
    """

    def __init__(self, connection: asyncpg.Connection) -> None:
        self.lost = asyncio.Event()
        self.process: int = connection.get_server_pid()
        self._connection = connection
        self._tells: list[Callable[[], None]] = []
        connection.add_termination_listener(lambda _: self._end())

    def when_lost(self, tell: Callable[[], None]) -> None:
        """Let `tell` hear, too, that the connection is gone."""
        self._tells.append(tell)
        if self.lost.is_set():
            tell()

    async def hear(self, channel: str, hear: Hear) -> None:
        """LISTEN. Raises CONNECTION_ERRORS, as the other methods do."""

        def notified(_connection: object, process: int, _channel: str, payload: object) -> None:
            hear(process, str(payload))

        with self._noticing_the_end():
            await self._connection.add_listener(channel, notified)

    async def execute(self, statements: str) -> None:
        """Run statements without parameters."""
        with self._noticing_the_end():
            await self._connection.execute(statements)

    async def fetch(self, statement: str, *values: object, within: float | None = None) -> Sequence[Mapping[str, Any]]:
        """The rows of a statement. Raises TimeoutError, too, when they are not there after `within` seconds."""
        with self._noticing_the_end():
            rows: Sequence[Mapping[str, Any]] = await self._connection.fetch(statement, *values, timeout=within)
        return rows

    def close(self) -> None:
        """End the connection at once; closing twice is fine."""
        self._connection.terminate()

    @contextmanager
    def _noticing_the_end(self) -> Iterator[None]:
        """A statement that is begun between PostgreSQL's last word and the end of the stream ends the connection
        without a word to termination listeners (asyncpg 0.32, `_coreproto_error`)."""
        try:
            yield
        finally:
            if self._connection.is_closed():
                self._end()

    def _end(self) -> None:
        if self.lost.is_set():
            return
        self.lost.set()
        for tell in self._tells:
            tell()
