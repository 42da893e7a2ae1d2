"""The outbox: messages kept in the process, because nobody can confirm an account without reading one."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from minato.clock import Clock
from minato.entropy import Entropy


class Message(Protocol):
    """A mail or a text message."""

    @property
    def to(self) -> str: ...

    @property
    def type(self) -> str: ...

    def as_json(self) -> dict[str, object]: ...


M = TypeVar("M", bound=Message)


@dataclass(frozen=True)
class OutboxEntry(Generic[M]):
    """A kept message."""

    id: UUID
    created_at: datetime
    message: M

    @property
    def email(self) -> M:
        """The message of a mail's entry."""
        return self.message

    def as_json(self) -> dict[str, object]:
        """The entry as `/_dev` gives it."""
        moment = self.created_at.isoformat().replace("+00:00", "Z")
        return {"id": str(self.id), **self.message.as_json(), "created_at": moment}


class Outbox(Generic[M]):
    """The last `size` messages, and a way to wait for the next one."""

    def __init__(self, clock: Clock, entropy: Entropy, size: int) -> None:
        self._clock = clock
        self._entropy = entropy
        self._entries: deque[OutboxEntry[M]] = deque(maxlen=size)
        self._arrival = asyncio.Event()
        # Told of what is added, and by None that all was forgotten: for those that keep the same.
        self.changed: Callable[[OutboxEntry[M] | None], object] = lambda entry: None

    def add(self, message: M) -> OutboxEntry[M]:
        """Keep `message`; the oldest message goes when the outbox is full."""
        entry = OutboxEntry(self._entropy.uuid4(), self._clock.now(), message)
        self.keep(entry)
        self.changed(entry)
        return entry

    def keep(self, entry: OutboxEntry[M]) -> bool:
        """Take over the entry of another process; whether it was news."""
        if self.get(entry.id) is not None:
            return False
        self._entries.appendleft(entry)
        self._arrival.set()
        self._arrival = asyncio.Event()
        return True

    def hold(self, entries: Sequence[OutboxEntry[M]]) -> None:
        """Have these messages, newest first, in place of all others."""
        self.clear()
        for entry in reversed(entries):
            self.keep(entry)
            self.changed(entry)

    def find(self, to: str | None = None, kind: str | None = None) -> list[OutboxEntry[M]]:
        """The messages to an address and of a kind, newest first."""
        wanted = to.lower() if to else None
        return [
            entry
            for entry in self._entries
            if (wanted is None or entry.message.to.lower() == wanted) and (kind is None or entry.message.type == kind)
        ]

    def get(self, entry_id: UUID) -> OutboxEntry[M] | None:
        """One message by its id."""
        return next((entry for entry in self._entries if entry.id == entry_id), None)

    def remove(self, ids: Collection[UUID]) -> None:
        """Forget the messages with these ids."""
        kept = [entry for entry in self._entries if entry.id not in ids]
        self._entries = deque(kept, self._entries.maxlen)

    def clear(self) -> None:
        """Forget every message."""
        self.forget()
        self.changed(None)

    def forget(self) -> bool:
        """Do as another process did that forgot all; whether there was something."""
        had_some = bool(self._entries)
        self._entries.clear()
        return had_some

    @property
    def arrival(self) -> asyncio.Event:
        """Is set when the next message is kept."""
        return self._arrival

    async def wait(self, to: str | None = None, kind: str | None = None, seconds: float = 0) -> list[OutboxEntry[M]]:
        """As `find`, but while nothing fits wait up to `seconds` for a message that does."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := self.find(to, kind)):
                    await self._arrival.wait()
                return found
        except TimeoutError:
            return []
