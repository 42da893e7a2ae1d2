"""An address in front of PostgreSQL whose server changes, as that of a balancer does."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.parse import quote

from minato.database.address import DatabaseAddress
from minato.postgres.address import PostgresAddress

PORT = 5432
AT_ONCE = 65_536


class Relay:
    """Listens in `folder` while the block runs, and hands on to `server` whatever is sent for `database`."""

    def __init__(self, folder: Path, database: str, server: PostgresAddress) -> None:
        folder.mkdir()
        self._socket = folder / f".s.PGSQL.{PORT}"
        self._place = f"@/{database}?host={quote(str(folder), safe='')}&port={PORT}"
        self._server = server
        self._ends: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_unix_server(self._serve, self._socket)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listening.close()
        await self._cut()

    async def point_at(self, server: PostgresAddress) -> None:
        """Whoever connects from now on finds that server; no connection to the former one is left.

        Those that are just being made end as well, which PostgreSQL itself does not list among its sessions yet.
        """
        self._server = server
        await self._cut()

    def url(self, user: str = "supabase_admin") -> str:
        return f"postgresql://{user}{self._place}"

    @property
    def address(self) -> DatabaseAddress:
        return DatabaseAddress(self.url(), self.url("authenticator"), trusting=True)

    async def _cut(self) -> None:
        ends = list(self._ends)
        for end in ends:
            end.close()
        for end in ends:
            with suppress(OSError):
                await end.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = self._server
        there = await asyncio.open_unix_connection(server.socket_folder / f".s.PGSQL.{server.port}")
        ends = {writer, there[1]}
        self._ends |= ends
        try:
            if server is self._server:
                await asyncio.gather(_hand_on(reader, there[1]), _hand_on(there[0], writer))
        finally:
            self._ends -= ends
            for end in ends:
                end.close()


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until one of the two is closed: then the other one is closed as well."""
    with suppress(OSError):
        while data := await reader.read(AT_ONCE):
            writer.write(data)
            await writer.drain()
    writer.close()
