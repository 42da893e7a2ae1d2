"""One client's conversation in SMTP (RFC 5321), as Mailpit holds it: every message is taken, none goes anywhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

LINE_LIMIT: Final = 64 * 1024
MAX_RECIPIENTS: Final = 100
MAX_ERRORS: Final = 10
NAME: Final = "minato"

_PATH = re.compile(r"(FROM|TO):\s*<([^<>\x00-\x20\x7f]*)>((?: +[^\s]+)*)", re.IGNORECASE)
_SIZE = re.compile(r"SIZE=(\d{1,20})", re.IGNORECASE)

UNKNOWN: Final = "500 5.5.2 Syntax error, command unrecognized"
TOO_LONG: Final = "500 5.5.2 Line too long"
TOO_LARGE: Final = "552 5.3.4 Message size exceeds fixed maximum message size"
BAD_PATH: Final = "501 5.5.4 Syntax error in parameters or arguments (invalid {} parameter)"
NO_PARAMETER: Final = "501 5.5.4 Syntax error (no parameters allowed)"
OUT_OF_ORDER: Final = "503 5.5.1 Bad sequence of commands ({} required before {})"
TOO_MANY: Final = "452 4.5.3 Too many recipients"
BYE: Final = "221 2.0.0 Service closing transmission channel"
IDLE: Final = "421 4.4.2 {} closing connection: it was idle for too long"


@dataclass
class Envelope:
    """Whom a message is from, and to whom."""

    sender: str | None = None
    recipients: list[str] = field(default_factory=list)


# Keeps a message; its id.
Keep = Callable[[Envelope, bytes], str]


@dataclass(frozen=True)
class Limits:
    """Bytes of a message, and seconds that a client may be silent."""

    message: int
    idle: float


class SmtpSession:
    """A conversation from greeting to farewell; what was taken is given to `keep`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, keep: Keep, limits: Limits) -> None:
        self._reader, self._writer = reader, writer
        self._keep = keep
        self._limits = limits
        self._greeted = False
        self._envelope = Envelope()
        self._errors = 0

    async def run(self) -> None:
        """Until the client leaves, is silent for too long, or makes too many mistakes."""
        try:
            await self._say(f"220 {NAME} ESMTP Service ready")
            while (line := await self._line()) is not None:
                if not await self._obey(line):
                    return
        except TimeoutError:
            await self._say(IDLE.format(NAME))
        except asyncio.IncompleteReadError:
            # It left amid a line or a message, which is none then.
            return

    async def _line(self) -> str | None:
        """The next command; None when it can't be one."""
        try:
            async with asyncio.timeout(self._limits.idle):
                raw = await self._reader.readuntil(b"\n")
        except asyncio.LimitOverrunError:
            await self._say(TOO_LONG)
            return None
        return raw.decode("utf-8", "replace").rstrip("\r\n")

    async def _obey(self, line: str) -> bool:
        """Whether the conversation goes on."""
        verb, _, rest = line.partition(" ")
        if verb.upper() == "QUIT":
            await self._say(BYE)
            return False
        if verb.upper() == "DATA" and not rest.strip():
            answer = await self._data()
        else:
            answer = self._answer(verb.upper(), rest.strip())
        await self._say(answer)
        self._errors += answer[0] == "5"
        # A page of a browser that posts to this port would go on as if nothing were wrong.
        return self._errors < MAX_ERRORS and not rest.endswith(("HTTP/1.1", "HTTP/1.0"))

    def _answer(self, verb: str, rest: str) -> str:
        if verb in ("HELO", "EHLO"):
            return self._hello(verb, rest)
        if verb == "MAIL":
            return self._mail(rest)
        if verb == "RCPT":
            return self._recipient(rest)
        if verb == "NOOP":
            return "250 2.0.0 Ok"
        if verb == "VRFY":
            return "252 2.5.0 Cannot VRFY user, but will accept message"
        if verb not in ("RSET", "DATA"):
            return UNKNOWN
        if rest:
            return NO_PARAMETER
        self._envelope = Envelope()
        return "250 2.0.0 Ok"

    def _hello(self, verb: str, rest: str) -> str:
        self._greeted, self._envelope = True, Envelope()
        # What is not printed is not said again.
        greeting = f"{NAME} greets {''.join(filter(str.isprintable, rest))[:255]}".rstrip()
        if verb == "HELO":
            return f"250 {greeting}"
        lines = (greeting, f"SIZE {self._limits.message}", "8BITMIME", "ENHANCEDSTATUSCODES")
        return "".join(f"250-{line}\r\n" for line in lines) + "250 SMTPUTF8"

    def _mail(self, rest: str) -> str:
        if not self._greeted:
            return OUT_OF_ORDER.format("HELO", "MAIL")
        found = _PATH.fullmatch(rest)
        if found is None or found[1].upper() != "FROM":
            return BAD_PATH.format("FROM")
        if (size := _SIZE.search(found[3])) and int(size[1]) > self._limits.message:
            return TOO_LARGE
        self._envelope = Envelope(found[2])
        return "250 2.1.0 Ok"

    def _recipient(self, rest: str) -> str:
        if self._envelope.sender is None:
            return OUT_OF_ORDER.format("MAIL", "RCPT")
        found = _PATH.fullmatch(rest)
        if found is None or found[1].upper() != "TO" or not found[2]:
            return BAD_PATH.format("TO")
        if len(self._envelope.recipients) >= MAX_RECIPIENTS:
            return TOO_MANY
        self._envelope.recipients.append(found[2])
        return "250 2.1.5 Ok"

    async def _data(self) -> str:
        envelope = self._envelope
        if envelope.sender is None or not envelope.recipients:
            return OUT_OF_ORDER.format("MAIL & RCPT", "DATA")
        await self._say("354 Start mail input; end with <CR><LF>.<CR><LF>")
        self._envelope = Envelope()
        source = await self._message()
        return TOO_LARGE if source is None else f"250 2.0.0 Ok: queued as {self._keep(envelope, source)}"

    async def _message(self) -> bytes | None:
        """What comes until the line of one dot; None when that is too much."""
        taken, size, begins_line = bytearray(), 0, True
        while (piece := await self._piece()) != b".\r\n" or not begins_line:
            text = piece.removeprefix(b".") if begins_line else piece
            # After what ends otherwise than in CR LF no line begins: all must agree where a message ends.
            begins_line = piece.endswith(b"\r\n")
            size += len(text)
            if size <= self._limits.message:
                taken += text
        return bytes(taken) if size <= self._limits.message else None

    async def _piece(self) -> bytes:
        """A line, or as much of one as is held at a time."""
        async with asyncio.timeout(self._limits.idle):
            try:
                return await self._reader.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                return await self._reader.readexactly(error.consumed)

    async def _say(self, answer: str) -> None:
        self._writer.write(f"{answer}\r\n".encode())
        async with asyncio.timeout(self._limits.idle):
            await self._writer.drain()
