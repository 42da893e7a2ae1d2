"""A request that the boot of a function's process answers by itself: who answers it is alive, and reacts."""

from __future__ import annotations

import asyncio
from typing import Final

_PULSE: Final = "HEAD / HTTP/1.1\r\nhost: pulse\r\nx-minato-pass: {}\r\nx-minato-pulse: 1\r\nconnection: close\r\n\r\n"


async def has_pulse(port: int, passing: str) -> bool:
    """As soon as it has answered, however long that takes; False when it ends instead."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(_PULSE.format(passing).encode())
            return (await reader.read(64)).startswith(b"HTTP/1.1 204 ")
        finally:
            writer.close()
    except OSError:
        return False
