"""One outbox for the workers of a server: what one of them keeps the parent has, too, and so have all the others."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Final, Generic
from uuid import UUID

import orjson

from minato.machine.exchange import Circle
from minato.machine.link import Link, LinkLost, Member, connect
from minato.mail.outbox import M, Outbox, OutboxEntry

CLEARED: Final = b"null"


class OutboxFrames(Generic[M]):
    """Entries of `box` as frames and back; `make` is the message's class."""

    def __init__(self, box: Outbox[M], make: Callable[..., M]) -> None:
        self._box = box
        self._make = make

    def all(self) -> list[bytes]:
        """What is kept, oldest first."""
        return [self.write(entry) for entry in reversed(self._box.find())]

    def write(self, entry: OutboxEntry[M] | None) -> bytes:
        """An entry that was added; None where all were forgotten."""
        if entry is None:
            return CLEARED
        message = entry.message
        fields: dict[str, object] = asdict(message) if is_dataclass(message) and not isinstance(message, type) else {}
        # The whole of a mail that another program wrote stays where that was taken.
        told = {name: value for name, value in fields.items() if not isinstance(value, bytes)}
        return orjson.dumps({"id": entry.id, "created_at": entry.created_at, "message": told})

    def heed(self, frame: bytes) -> bool:
        """Do the same here; whether it was news."""
        told = orjson.loads(frame)
        if told is None:
            return self._box.forget()
        made = datetime.fromisoformat(told["created_at"])
        return self._box.keep(OutboxEntry(UUID(told["id"]), made, self._make(**told["message"])))


class OutboxService(Circle, Generic[M]):
    """The parent's side: knows all, and tells whoever comes."""

    def __init__(self, box: Outbox[M], make: Callable[..., M]) -> None:
        super().__init__()
        self._frames = OutboxFrames(box, make)
        box.changed = lambda entry: self.tell(self._frames.write(entry))

    def welcome(self, link: Link, worker: int) -> None:
        super().welcome(link, worker)
        for frame in self._frames.all():
            link.post(frame)

    async def serve(self, link: Link) -> None:
        while True:
            frame = await link.receive()
            if self._frames.heed(frame):
                self.tell(frame, but=link)


class SharedOutbox(Generic[M]):
    """A worker's side of the service `name`."""

    def __init__(self, member: Member, name: str, box: Outbox[M], make: Callable[..., M]) -> None:
        self._member = member
        self._name = name
        self._frames = OutboxFrames(box, make)
        self._link: Link | None = None
        box.changed = self._tell

    async def run(self) -> None:
        """Tell the others what is kept here and hear of theirs, for as long as the parent answers."""
        with suppress(LinkLost):
            link = self._link = await connect(self._member, self._name)
            try:
                for frame in self._frames.all():
                    link.post(frame)
                while True:
                    self._frames.heed(await link.receive())
            finally:
                self._link = None
                link.close()

    def _tell(self, entry: OutboxEntry[M] | None) -> None:
        if self._link is not None:
            self._link.post(self._frames.write(entry))
