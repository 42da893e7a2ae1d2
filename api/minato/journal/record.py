"""What a room tells of a request while it answers it, for the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from minato.http.asgi import Scope

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
