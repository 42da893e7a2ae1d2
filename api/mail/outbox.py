"""The outbox: mail kept in the process, because nobody can confirm an account without reading the mail."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.clock import Clock
from api.entropy import Entropy
from api.mail.email import Email


@dataclass(frozen=True)
class OutboxEntry:
    """A kept message."""

    id: UUID
    created_at: datetime
    email: Email

    def as_json(self) -> dict[str, Any]:
        """The entry as `/_dev/outbox` gives it."""
        email = self.email
        return {
            "id": str(self.id),
            "to": email.to,
            "from": email.sender,
            "subject": email.subject,
            "type": email.type,
            "html": email.html,
            "text": email.text,
            "link": email.link,
            "token": email.token,
            "token_hash": email.token_hash,
            "created_at": self.created_at.isoformat().replace("+00:00", "Z"),
        }


class Outbox:
    """The last `size` messages, and a way to wait for the next one."""

    def __init__(self, clock: Clock, entropy: Entropy, size: int) -> None:
        self._clock = clock
        self._entropy = entropy
        self._entries: deque[OutboxEntry] = deque(maxlen=size)
        self._arrival = asyncio.Event()

    def add(self, email: Email) -> OutboxEntry:
        """Keep `email`; the oldest message goes when the outbox is full."""
        entry = OutboxEntry(self._entropy.uuid4(), self._clock.now(), email)
        self._entries.appendleft(entry)
        self._arrival.set()
        self._arrival = asyncio.Event()
        return entry

    def find(self, to: str | None = None, kind: str | None = None) -> list[OutboxEntry]:
        """The messages to an address and of a kind, newest first."""
        wanted = to.lower() if to else None
        return [
            entry
            for entry in self._entries
            if (wanted is None or entry.email.to.lower() == wanted) and (kind is None or entry.email.type == kind)
        ]

    def get(self, entry_id: UUID) -> OutboxEntry | None:
        """One message by its id."""
        return next((entry for entry in self._entries if entry.id == entry_id), None)

    def clear(self) -> None:
        """Forget every message."""
        self._entries.clear()

    async def wait(self, to: str | None = None, kind: str | None = None, seconds: float = 0) -> list[OutboxEntry]:
        """As `find`, but while nothing fits wait up to `seconds` for a message that does."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := self.find(to, kind)):
                    await self._arrival.wait()
                return found
        except TimeoutError:
            return []
