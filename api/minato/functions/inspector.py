"""The debugger's door of a function: a port of loopback, the configured one for the first function, then the next."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Collection
from typing import Final

from minato.config.functions import FunctionsSettings
from minato.functions.discovery import Function

LOOPBACK: Final = "127.0.0.1"
# The former process of an edited function gives its port back when it is gone.
PATIENCE_SECONDS: Final = 3.0
_LOOK_SECONDS: Final = 0.02
_LAST: Final = 65535


class PortTaken(Exception):
    """Somebody else listens there; the text says what to do."""


async def inspector_port(first: int, taken: Collection[int], patience: float = PATIENCE_SECONDS) -> int:
    """The first port from `first` on that no other function has. Raises `PortTaken`."""
    port = next((port for port in range(first, _LAST + 1) if port not in taken), _LAST)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience
    while not _is_free(port):
        if loop.time() > deadline:
            raise PortTaken(f"The inspector's port {port} is in use: set inspector_port below [edge_runtime].")
        await asyncio.sleep(_LOOK_SECONDS)
    return port


def inspect_mode(function: Function, settings: FunctionsSettings, development: bool) -> str:
    """How a debugger is let into it: run, brk or wait; empty where none is."""
    if function.is_python or not development:
        return ""
    return function.asked.inspect or settings.inspect


def inspector_flag(mode: str, port: int) -> str:
    """Deno's flag for run, brk or wait.

    >>> inspector_flag("run", 8083), inspector_flag("brk", 8083)
    ('--inspect=127.0.0.1:8083', '--inspect-brk=127.0.0.1:8083')
    """
    return f"--inspect{'' if mode == 'run' else f'-{mode}'}={LOOPBACK}:{port}"


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((LOOPBACK, port))
        except OSError:
            return False
    return True
