"""What a database consists of, in pieces that are made, changed and dropped one by one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from minato.database.identifiers import quote_identifier, quote_qualified

# In this order where nothing demands another.
KINDS: Final = (
    "schema",
    "extension",
    "type",
    "sequence",
    "table",
    "column",
    "function",
    "cast",
    "default",
    "sequence owner",
    "constraint",
    "index",
    "statistics",
    "view",
    "rule",
    "rls",
    "policy",
    "trigger",
    "replica identity",
    "event trigger",
    "publication",
    "publication member",
    "acl",
    "comment",
    "default acl",
)


class Key(NamedTuple):
    """Which piece: `name` lies in `schema`, and `part` within `name` (a table's column, a function's arguments).

    `of` is the kind of the piece that a comment or a list of privileges belongs to.
    """

    kind: str
    schema: str
    name: str
    part: str = ""
    of: str = ""

    @property
    def rank(self) -> int:
        return KINDS.index(self.kind)


@dataclass(frozen=True)
class Entity:
    """A piece as one database has it.

    `definition` says everything that is compared; `create` makes the piece and `drop` removes it, each a few
    statements without semicolons. A piece goes with its `parent`. `needs` are the pieces without which it can't be.
    `facts` are what its kind wants to know for changing it in place.
    """

    key: Key
    definition: Hashable
    create: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    parent: Key | None = None
    needs: frozenset[Key] = frozenset()
    facts: object = field(default=None, compare=False)


def qualified(key: Key) -> str:
    """The quoted name of what lies directly in a schema.

    >>> qualified(Key("column", "public", "notes", "id"))
    '"public"."notes"'
    """
    return quote_qualified(key.schema, key.name)


def quoted(name: str) -> str:
    return quote_identifier(name)


def literal(text: str) -> str:
    """A string constant, as `standard_conforming_strings` reads it.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
