"""A lint, and what it found in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from minato.advisors.snapshot import Snapshot

Category = Literal["SECURITY", "PERFORMANCE", "RELIABILITY"]


class Level(IntEnum):
    """How bad it is; the names are those of the reference."""

    INFO = 0
    WARN = 1
    ERROR = 2


@dataclass(frozen=True)
class Lint:
    """`name` is the reference's where it looks at the same; `why` is a sentence."""

    name: str
    title: str
    level: Level
    category: Category
    why: str


@dataclass(frozen=True)
class Finding:
    """`detail` says what and where in a sentence, `mend` are the statements after which it is gone, without semicolons.

    `part` is what it is about within the object: a policy, a column, an index, a function's arguments.
    """

    lint: Lint
    kind: str
    schema: str
    name: str
    part: str
    detail: str
    mend: tuple[str, ...]
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def place(self) -> str:
        """As the list of what is allowed names it."""
        place = ".".join(word for word in (self.schema, self.name) if word)
        return place + (self.part if self.part.startswith("(") else f".{self.part}" if self.part else "")

    @property
    def key(self) -> str:
        """What stays the same from one look to the next."""
        return "_".join(word for word in (self.lint.name, self.schema, self.name, self.part) if word)


# A lint at work: what it finds in a database.
Rule = Callable[[Snapshot], Iterable[Finding]]
