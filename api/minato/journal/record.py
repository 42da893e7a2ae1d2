"""What a room tells of a request while it answers it, for the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from minato.http.asgi import Header, Scope

# Where in a scope the record lies; there is none where no journal is kept.
RECORD: Final = "minato.record"
NOTHING: Final[Mapping[str, object]] = {}
UNTIMED: Final[Mapping[str, float]] = {}


class Record:
    """`claims` are verified ones; `statement` and `values` were run as the caller; `stages` are milliseconds."""

    __slots__ = ("claims", "role", "stages", "statement", "values")

    def __init__(self) -> None:
        self.role: str | None = None
        self.claims = NOTHING
        self.statement: str | None = None
        self.values: Sequence[str | bytes] = ()
        self.stages = UNTIMED


def record_of(scope: Scope) -> Record | None:
    """The record of a request, where a journal is kept."""
    record: Record | None = scope.get(RECORD)
    return record


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
