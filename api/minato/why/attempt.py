"""What somebody tried on a table, in SQL that whoever ran it wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from minato.database.as_caller import Setting
from minato.database.wire.messages import Value

SqlCommand = Literal["SELECT", "INSERT", "UPDATE", "DELETE"]


class TableName(NamedTuple):
    schema: str
    name: str

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


@dataclass(frozen=True)
class Upsert:
    """ON CONFLICT on the columns `key`. `merges`: DO UPDATE, of all that was written; else DO NOTHING."""

    key: tuple[str, ...]
    merges: bool


@dataclass(frozen=True)
class Attempt:
    """One statement on `table` by `role`, in a transaction with these `settings` (its role is left out).

    A SELECT with something `written` asks whether it would see such a row, which is not there.

    `written` is the SQL of each column's new value, over the FROM item `source`; `where` a condition, over that item
    for an INSERT, else over `table` by its full name. Their placeholders are `parameters`. `reads` are the columns
    that it shows or compares, None where it needs no right to read; "*" are all.
    """

    command: SqlCommand
    table: TableName
    role: str
    settings: Sequence[Setting] = ()
    written: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    where: str = ""
    parameters: tuple[Value, ...] = ()
    reads: tuple[str, ...] | None = None
    returns: bool = False
    upsert: Upsert | None = None
