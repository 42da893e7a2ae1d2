"""Other parts of a backend become events, too: messages that leave it, faults that act."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Literal, Protocol, TypeVar

from minato.journal.journal import Journal
from minato.journal.secrets import HIDDEN, is_secret
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


# What the event has by itself, or what is of the log alone.
_OF_LOG: Final = frozenset({"event", "level", "request_id", "timestamp", "exc_info", "branch"})
_MOST_TEXT: Final = 2000
# What is an event of another kind already.
_ELSEWHERE: Final = frozenset({"function said"})


def note_log(journal: Journal, level: str, said: Mapping[str, object]) -> None:
    """Note a warning or an error of the server's log; what threads say is in the log alone."""
    if said.get("event") in _ELSEWHERE or not _is_in_loop():
        return
    error = said.get("exc_info")
    told: dict[str, object] = {
        name: HIDDEN if is_secret(name) else str(value)[:_MOST_TEXT]
        for name, value in said.items()
        if name not in _OF_LOG
    }
    if isinstance(error, BaseException):
        told["error"] = f"{type(error).__name__}: {error}"[:_MOST_TEXT]
    size = sum(len(str(value)) for value in told.values())
    # A line may say itself whose it is, and then it knows better than where it is said.
    cause = str(said.get("request_id") or "") or None
    worst: Literal["warn", "error"] = "warn" if level == "warning" else "error"
    journal.note("log", str(said.get("event")), lambda whole: dict(told), level=worst, cause=cause, size=size)


def _is_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Rule(Protocol):
    """A fault that acts."""

    @property
    def id(self) -> str: ...

    def as_json(self) -> dict[str, Any]: ...


def note_fault(journal: Journal, fault: Rule) -> None:
    """Note that `fault` acts on what is at work here."""
    told = fault.as_json()
    journal.note("fault", f"fault {fault.id} acts on a {told['where']}", lambda whole: dict(told), level="warn")
