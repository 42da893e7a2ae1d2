"""A server of the soak of jobs, its clock, and the place where its requests arrive. Run as a module it serves."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from minato.clock import Clock
from minato.config import Settings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress
from minato.host.host import Host

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
COUNTED_SECONDS = 0.02


class FastClock(Clock):
    """Wall time from `began` on, so many times as fast; the same in every server."""

    def __init__(self, began: float, faster: float) -> None:
        super().__init__()
        self._began, self._faster = began, faster

    def now(self) -> datetime:
        passed = (time.time() - self._began) * self._faster
        return datetime.fromtimestamp(self._began, UTC) + timedelta(seconds=passed) + self.offset


@dataclass(frozen=True)
class Place:
    """Where servers are started: `folder` is the soak's, `dsn` the superuser's address."""

    folder: Path
    dsn: str
    began: float
    faster: float

    @property
    def counts(self) -> Path:
        """Each line: a server's process, and how many runs became due in its lead so far."""
        return self.folder / "counts"

    def clock(self) -> FastClock:
        """The clock of all of them."""
        return FastClock(self.began, self.faster)

    def address(self) -> DatabaseAddress:
        """Both logins."""
        return DatabaseAddress(self.dsn, self.dsn.replace("supabase_admin", "authenticator", 1))

    async def start(self, number: int) -> asyncio.subprocess.Process:
        """Server `number` as a process of its own."""
        own = [f"--folder={self.folder}", f"--number={number}", f"--dsn={self.dsn}"]
        times = [f"--began={self.began}", f"--faster={self.faster}"]
        with (self.folder / f"log{number}").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bench.jobs_server", *own, *times, stdout=log, stderr=log
            )


async def serve(place: Place, number: int) -> None:
    """One server, without its port: it leads, or stands by, until it is killed."""
    folder = place.folder / str(number)
    server = ServerSettings(data_dir=folder, environment="development", web_root=None, project=None)
    settings = Settings()
    object.__setattr__(settings, "server", server)
    application = Host(2).create(settings, place.address(), "http://127.0.0.1:1", SECRET)
    application.backend.clock = place.clock()
    await application.start()
    told = 0
    with place.counts.open("ab", buffering=0) as counts:
        while True:
            scheduler = application.extensions.cron.scheduler
            if scheduler is not None and scheduler.due != told:
                told = scheduler.due
                counts.write(b"%d %d\n" % (os.getpid(), told))
            await asyncio.sleep(COUNTED_SECONDS)


class Receiver(asyncio.Protocol):
    """Counts what arrives by its path, and says 200."""

    def __init__(self, seen: Counter[int]) -> None:
        self._seen = seen
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        self._held += data
        head, end, rest = self._held.partition(b"\r\n\r\n")
        if not end:
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        if len(rest) >= length:
            self._held = rest[length:]
            self._seen[int(head.split(b" ", 2)[1][1:])] += 1
            self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--number", type=int, required=True)
    parser.add_argument("--dsn", required=True)
    parser.add_argument("--began", type=float, required=True)
    parser.add_argument("--faster", type=float, required=True)
    options = parser.parse_args()
    place = Place(options.folder, options.dsn, options.began, options.faster)
    asyncio.run(serve(place, options.number))


if __name__ == "__main__":
    main()
