"""Clients by hand, on bare sockets: ones that stop in the middle, or take an answer a little at a time."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

SMALL_BUFFER = 4096
LIMIT = 30.0


class SlowClient:
    """A connection whose kernel holds next to nothing for us."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock

    @classmethod
    async def connect(cls, url: str) -> SlowClient:
        parts = urlsplit(url)
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, (parts.hostname or "", parts.port or 80))
        return cls(sock)

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def receive(self, most: int = 65536, within: float = LIMIT) -> bytes:
        """What came; empty once the server has closed, by whichever way. Raises TimeoutError."""
        try:
            return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self.socket, most), within)
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise
            return b""

    async def received_at_once(self) -> bytes | None:
        """What is there or comes in a moment; None for nothing."""
        try:
            return await self.receive(within=0.05)
        except TimeoutError:
            return None

    async def everything(self) -> bytes:
        """All that comes until the server closes."""
        parts = []
        while part := await self.receive():
            parts.append(part)
        return b"".join(parts)

    def close(self) -> None:
        self.socket.close()


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what nobody announces."""
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def request(path: str, token: str, method: str = "GET", **headers: str) -> bytes:
    """The head of a request as `token`."""
    lines = [f"{method} {path} HTTP/1.1", "host: localhost", f"apikey: {token}", f"authorization: Bearer {token}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
