"""The mail catcher of a local project, beside its API in the same process."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property

from minato.backend import Backend
from minato.cli.http_server import GRACE_SECONDS, BesideServer
from minato.http.asgi import ASGIApp, Receive, Scope, Send
from minato.http.protocols import GuardedConfig


class LateMailCatcher:
    """The application, made at its first request: a start need not wait for it."""

    def __init__(self, backend: Backend, called: str | None) -> None:
        self._backend = backend
        self._called = called

    @cached_property
    def app(self) -> ASGIApp:
        from minato.mailpit.app import MailCatcher

        return MailCatcher(self._backend, self._called)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


@asynccontextmanager
async def catching(listener: socket.socket | None, backend: Backend, called: str | None) -> AsyncIterator[None]:
    """The backend's mail is read on `listener` until the block ends; `called` is this machine's name for programs."""
    if listener is None:
        yield
        return
    config = GuardedConfig(
        LateMailCatcher(backend, called),
        backend.settings.connections,
        lifespan="off",
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = BesideServer(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


@asynccontextmanager
async def taking(listener: socket.socket | None, backend: Backend) -> AsyncIterator[None]:
    """What programs send to `listener` by SMTP is kept with the backend's mail until the block ends."""
    if listener is None:
        yield
        return
    from minato.mailpit.smtp import receiving

    async with receiving(listener, backend):
        yield
