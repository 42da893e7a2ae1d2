"""A Redis of the tests' own: the real `redis-server` on a free loopback port, keeping nothing on disk."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import which

READY = b"Ready to accept connections"
PATIENCE = 20.0


class RedisServer:
    """One server; it keeps its port when it is stopped and started again."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.port: int = listener.getsockname()[1]
        self._folder = folder
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start and wait until it accepts connections."""
        binary = which("redis-server")
        assert binary is not None, "redis-server is missing: run `make redis`"
        options = ("--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--dir", str(self._folder))
        self._process = await asyncio.create_subprocess_exec(binary, *options, stdout=asyncio.subprocess.PIPE)
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while READY not in (line := await self._process.stdout.readline()):
                assert line, "redis-server ended before it was ready"

    async def stop(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            await self._process.communicate()
            self._process = None


@asynccontextmanager
async def redis_server(folder: Path) -> AsyncIterator[RedisServer]:
    """A running server, ended with the block."""
    server = RedisServer(folder)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
