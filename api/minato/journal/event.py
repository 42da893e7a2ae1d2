"""One thing that happened: an entry of the journal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, Literal

from minato.json_text import JsonObject

Kind = Literal[
    "request", "socket", "message", "change", "cron", "webhook", "function", "fault", "clock", "log", "branch"
]
Level = Literal["info", "warn", "error"]
LEVELS: Final[tuple[Level, ...]] = ("info", "warn", "error")
# What an event takes beside what it refers to.
BARE: Final = 1024
# Makes the JSON of an event when somebody reads it: all of it, or without bodies, as a list has it.
Data = Callable[[bool], JsonObject]


class Event(ABC):
    """`at` is by the backend's clock, in Unix seconds; `ms` is how long it really took; `cause` is the id of the
    request that led to it; `size` is about how many bytes it keeps. The journal says `seq` and `at`."""

    __slots__ = ("at", "cause", "id", "kind", "level", "ms", "seq", "size")

    seq: int
    at: float
    kind: Kind
    level: Level
    id: str | None
    cause: str | None
    ms: float | None
    size: int

    @property
    @abstractmethod
    def title(self) -> str:
        """One line."""

    @abstractmethod
    def data(self, whole: bool) -> JsonObject:
        """What its kind tells; without bodies unless the `whole` of it."""

    def as_json(self, whole: bool = False) -> JsonObject:
        """`{"seq", "at", "kind", "id", "cause", "level", "title", "ms", "data"}`."""
        moment = datetime.fromtimestamp(self.at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {
            **{"seq": self.seq, "at": moment, "kind": self.kind, "id": self.id, "cause": self.cause},
            **{"level": self.level, "title": self.title},
            "ms": None if self.ms is None else round(self.ms, 3),
            "data": self.data(whole),
        }


class Noted(Event):
    """One that is told as it happens."""

    __slots__ = ("_data", "_title")

    def __init__(self, kind: Kind, title: str, data: Data, level: Level = "info", size: int = 0) -> None:
        self.kind, self.level, self.size = kind, level, BARE + size
        self.id = self.cause = self.ms = None
        self._title, self._data = title, data

    @property
    def title(self) -> str:
        return self._title

    def data(self, whole: bool) -> JsonObject:
        return self._data(whole)
