"""What the readers of the kinds share while a catalogue is read: a cursor, what was found, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from psycopg2.extensions import cursor as Cursor

from minato.schema_diff.entity import Entity, Key
from minato.schema_diff.scope import Scope

# What a catalogue answers: each reader knows its own columns.
Row = tuple[Any, ...]
# A row of pg_depend's idea of an object: the catalogue, the oid, the column or 0.
Address = tuple[str, int, int]


@dataclass
class Reader:
    """`full` and `partial` are the oids of the schemas in the scope, `members` what belongs to an extension."""

    cursor: Cursor
    scope: Scope
    full: list[int] = field(default_factory=list)
    partial: list[int] = field(default_factory=list)
    members: dict[tuple[str, int], str] = field(default_factory=dict)
    entities: dict[Key, Entity] = field(default_factory=dict)
    addresses: dict[Address, Key] = field(default_factory=dict)

    def rows(self, query: str, parameters: Sequence[object] = ()) -> list[Row]:
        self.cursor.execute(query, parameters or None)
        return list(self.cursor.fetchall())

    def owned(self, catalogue: str, oid: int) -> bool:
        """Whether an extension made it: it comes and goes with that."""
        return (catalogue, oid) in self.members

    def add(self, entity: Entity, *addresses: Address) -> None:
        self.entities[entity.key] = entity
        for address in addresses:
            self.addresses[address] = entity.key

    def find(self, address: Address) -> Key | None:
        """The piece at an address, or that which a column without a piece of its own belongs to."""
        catalogue, oid, _ = address
        found = self.addresses.get(address) or self.addresses.get((catalogue, oid, 0))
        if found is None and (extension := self.members.get((catalogue, oid))):
            return Key("extension", "", extension)
        return found

    def need(self, key: Key, *others: Key) -> None:
        """Note that a piece can't be without others."""
        entity = self.entities[key]
        self.entities[key] = replace(entity, needs=entity.needs | {other for other in others if other != key})
