"""A mail catcher on a loopback port, in the test's own event loop, for the mail of a server under test."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from minato.backend import Backend
from minato.cli.local.mail_catcher import catching


@asynccontextmanager
async def mail_catcher(backend: Backend, called: str | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the catcher's own address, with an empty mailbox."""
    backend.outbox.clear()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with catching(listener, backend, called), httpx.AsyncClient(base_url=url, timeout=30) as client:
            yield client
