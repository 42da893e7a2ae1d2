"""Rows that PostgreSQL tells as JSON, `to_json` of the whole row: one value to take from the wire, not one a column.

`pg_catalog.` stands before it, because somebody's `public.to_json(auth.users)` would fit better. Columns keep their
types by the fields of the dataclass they are read as.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar, get_args, get_type_hints
from uuid import UUID

from minato.database.wire.values import as_moment

T = TypeVar("T")
Rows = Sequence[Sequence[bytes | None]]
_READ: tuple[tuple[type, Callable[[str], object]], ...] = ((datetime, as_moment), (UUID, UUID))


def reader(kind: type[T]) -> Callable[[Rows], list[T]]:
    """What makes a `kind` of each row, a dataclass with a field for each column that it wants."""
    hints = get_type_hints(kind)
    names = list(inspect.signature(kind).parameters)
    converted = [(name, read) for name in names if (read := _read(hints[name])) is not None]
    pick = itemgetter(*names)

    def one(raw: bytes) -> T:
        row: dict[str, Any] = json.loads(raw)
        for name, read in converted:
            if (told := row[name]) is not None:
                row[name] = read(told)
        return kind(*pick(row))

    return lambda rows: [one(raw) for (raw,) in rows if raw is not None]


def _read(hint: object) -> Callable[[str], object] | None:
    kinds = get_args(hint) or (hint,)
    return next((read for kind, read in _READ if kind in kinds), None)


def only(found: list[T]) -> T | None:
    """The one that was found, if any."""
    return found[0] if found else None
