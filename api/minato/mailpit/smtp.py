"""The mail catcher's SMTP port: what programs send there lies in the outbox beside the backend's own mail."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email import message_from_bytes
from email.utils import getaddresses
from typing import Final

from minato.backend import Backend
from minato.mailpit.letter import values
from minato.mailpit.mailbox import received
from minato.mailpit.replies import MAX_MESSAGE
from minato.mailpit.smtp_session import LINE_LIMIT, NAME, Envelope, Limits, SmtpSession

MAX_SESSIONS: Final = 32
LIMITS: Final = Limits(message=MAX_MESSAGE, idle=60)
FULL: Final = f"421 4.7.0 {NAME} has too many connections, try again later\r\n".encode()


class SmtpServer:
    """At most `MAX_SESSIONS` conversations at a time."""

    def __init__(self, backend: Backend, limits: Limits) -> None:
        self._backend = backend
        self._limits = limits
        self._sessions: set[asyncio.Task[None]] = set()

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client's visit."""
        task = asyncio.current_task()
        assert task is not None
        try:
            if len(self._sessions) >= MAX_SESSIONS:
                writer.write(FULL)
                return
            self._sessions.add(task)
            with suppress(ConnectionError, TimeoutError):
                await SmtpSession(reader, writer, self._keep, self._limits).run()
        finally:
            self._sessions.discard(task)
            writer.close()

    async def end(self) -> None:
        """Leave every conversation where it is."""
        sessions = list(self._sessions)
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)

    def _keep(self, envelope: Envelope, source: bytes) -> str:
        name = str(self._backend.entropy.uuid4())
        email = received(added_headers(envelope, source, f"<{name}@{NAME}>") + source)
        return str(self._backend.outbox.add(email).id)


def added_headers(envelope: Envelope, source: bytes, message_id: str) -> bytes:
    """What stands in the envelope alone; a recipient whom no header names was to be hidden from the others."""
    message = message_from_bytes(source)
    named = {address.lower() for name in ("To", "Cc", "Bcc") for _, address in getaddresses(values(message, name))}
    hidden = [address for address in envelope.recipients if address.lower() not in named]
    lines = []
    if "Return-Path" not in message:
        lines.append(f"Return-Path: <{envelope.sender}>")
    if "Message-ID" not in message:
        lines.append(f"Message-ID: {message_id}")
    if hidden:
        lines.append(f"Bcc: {', '.join(hidden)}")
    return "".join(f"{line}\r\n" for line in lines).encode()


@asynccontextmanager
async def receiving(listener: socket.socket, backend: Backend, limits: Limits = LIMITS) -> AsyncIterator[None]:
    """Mail is taken on `listener` until the block ends."""
    smtp = SmtpServer(backend, limits)
    server = await asyncio.start_server(smtp.converse, sock=listener, limit=LINE_LIMIT)
    try:
        yield
    finally:
        server.close()
        await smtp.end()
