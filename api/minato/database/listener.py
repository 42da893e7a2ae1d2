"""LISTEN: one connection, outside any pool, that hears what is notified on its channels until it is lost or closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
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
        connection.add_termination_listener(lambda _: self.lost.set())

    def when_lost(self, tell: Callable[[], None]) -> None:
        """Let `tell` hear, too, that the connection is gone."""
        self._connection.add_termination_listener(lambda _: tell())

    async def hear(self, channel: str, hear: Hear) -> None:
        """LISTEN. Raises CONNECTION_ERRORS, as the other methods do."""

        def notified(_connection: object, process: int, _channel: str, payload: object) -> None:
            hear(process, str(payload))

        await self._connection.add_listener(channel, notified)

    async def execute(self, statements: str) -> None:
        """Run statements without parameters."""
        await self._connection.execute(statements)

    async def fetch(self, statement: str, *values: object, within: float | None = None) -> Sequence[Mapping[str, Any]]:
        """The rows of a statement. Raises TimeoutError, too, when they are not there after `within` seconds."""
        rows: Sequence[Mapping[str, Any]] = await self._connection.fetch(statement, *values, timeout=within)
        return rows

    def close(self) -> None:
        """End the connection at once; closing twice is fine."""
        self._connection.terminate()
