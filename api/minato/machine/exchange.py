"""The parent's side: one listening socket, behind it the services that the rooms offer to the workers."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Protocol

import orjson
import structlog

from minato.machine.link import Link, LinkLost, Member

WELCOME = b""
# Each request to a function is a connection, and a burst of them comes at once; the system may allow fewer.
QUEUE = 4096


class Service(Protocol):
    """What a room of the parent does for the workers."""

    def welcome(self, link: Link, worker: int) -> None:
        """A worker has come: from here on it gets what is meant for all."""
        ...

    async def serve(self, link: Link) -> None:
        """Answer what it sends, until that raises LinkLost."""
        ...

    def farewell(self, link: Link) -> None:
        """It is gone."""
        ...


class Exchange:
    """Listens at `path`, in a folder that only this user may enter."""

    def __init__(self, path: Path, log: structlog.stdlib.BoundLogger) -> None:
        self.path = path
        self._log = log
        self._services: dict[str, Service] = {}
        self._links: set[Link] = set()
        self._server: asyncio.Server | None = None

    def offer(self, name: str, service: Service) -> None:
        """Let workers connect to `service` by its name."""
        self._services[name] = service

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(self._connected, str(self.path), backlog=QUEUE)

    async def stop(self) -> None:
        """End every connection."""
        if self._server is None:
            return
        self._server.close()
        for link in list(self._links):
            link.close()
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = Link(reader, writer)
        self._links.add(link)
        try:
            hello = orjson.loads(await link.receive())
            await self._serve(link, self._services[hello["service"]], hello["worker"])
        except LinkLost:
            pass
        except Exception:
            self._log.exception("serving a worker failed")
        finally:
            self._links.discard(link)
            link.close()

    async def _serve(self, link: Link, service: Service, worker: int) -> None:
        link.post(WELCOME)
        service.welcome(link, worker)
        try:
            await service.serve(link)
        finally:
            service.farewell(link)


Machine = Exchange | Member | None
"""What a process is on its machine: the parent of workers, one of them, or alone."""


class Circle:
    """The connections of one service, for what is told to all of them; the base of such services."""

    def __init__(self) -> None:
        self.links: dict[Link, int] = {}

    def welcome(self, link: Link, worker: int) -> None:
        """Count it in."""
        self.links[link] = worker

    def farewell(self, link: Link) -> None:
        """Count it out; twice is fine."""
        self.links.pop(link, None)

    def tell(self, frame: bytes, but: Link | None = None) -> None:
        """Send to all, but not to one."""
        for link in self.links:
            if link is not but:
                link.post(frame)
