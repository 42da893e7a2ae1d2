"""What a room tells of a request while it answers it, for the journal."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from minato.http.asgi import Header, Message, Scope
from minato.journal.event import Event

# Where in a scope the record lies; there is none where no journal is kept.
RECORD: Final = "minato.record"
NOTHING: Final[Mapping[str, object]] = {}


class Recorded(NamedTuple):
    """A request as it came. `path` is decoded, `query` is not; `body` is None where not all of it was kept; `role` is
    None where no room knew who asks."""

    method: str
    path: str
    query: str
    headers: Sequence[Header]
    body: bytes | None
    role: str | None
    claims: Mapping[str, object]

    def header(self, wanted: bytes) -> str:
        """The first header of this name, empty without one."""
        return next((value.decode("latin-1") for name, value in self.headers if name.lower() == wanted), "")


class Record(Event):
    """A request as an event that is still to be filled. The gateway says `headers` and the id, a room who asks by
    verified `claims`; `statement` and `values` were run as the caller; `spent` are milliseconds of the `stages`."""

    __slots__ = ("claims", "headers", "role", "spent", "stages", "statement", "values")

    headers: Sequence[Header]
    role: str | None
    claims: Mapping[str, object]
    statement: str | None
    values: Sequence[str | bytes]
    stages: Sequence[str]
    spent: Sequence[float]

    @abstractmethod
    def saw(self, message: Message) -> None:
        """A message of the answer, as it leaves."""

    @abstractmethod
    def recorded(self) -> Recorded:
        """It, as it came."""


def record_of(scope: Scope) -> Record | None:
    """The record of a request, where a journal is kept."""
    record: Record | None = scope.get(RECORD)
    return record
