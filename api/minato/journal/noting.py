"""Other parts of a backend become events, too: messages that leave it, faults that act."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeVar

from minato.journal.journal import Journal
from minato.mail.outbox import Message, Outbox, OutboxEntry

M = TypeVar("M", bound=Message)


def note_messages(journal: Journal, outbox: Outbox[M], channel: Literal["email", "sms"]) -> None:
    """Note each message that comes into `outbox` from now on: to whom and of which kind, not what it says."""

    def note(entry: OutboxEntry[M] | None) -> None:
        if entry is None:
            return
        to, kind = entry.message.to, entry.message.type
        told = {"channel": channel, "to": to, "type": kind, "message_id": str(entry.id)}
        journal.note("message", f"{channel} to {to}: {kind}", lambda whole: dict(told))

    outbox.changed = note


class Rule(Protocol):
    """A fault that acts."""

    @property
    def id(self) -> str: ...

    def as_json(self) -> dict[str, Any]: ...


def note_fault(journal: Journal, fault: Rule) -> None:
    """Note that `fault` acts on what is at work here."""
    told = fault.as_json()
    journal.note("fault", f"fault {fault.id} acts on a {told['where']}", lambda whole: dict(told), level="warn")
