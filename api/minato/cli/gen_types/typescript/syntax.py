"""TypeScript's types as a tree, and how oxfmt and prettier lay one out: 80 columns, two spaces, no semicolons."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

WIDTH: Final = 80
STEP: Final = 2
_QUOTES: Final = re.compile(r"""\\(["'\\])|(["'])""")


@dataclass(frozen=True)
class Text:
    """What is never broken."""

    text: str


@dataclass(frozen=True)
class Generic:
    """`Name<A, B>` of words."""

    name: str
    arguments: Sequence[str]


@dataclass(frozen=True)
class Member:
    """One of an object type; `key` is as printed."""

    key: str
    type: Syntax
    is_optional: bool = False

    @property
    def head(self) -> str:
        return f"{self.key}{'?' if self.is_optional else ''}: "


@dataclass(frozen=True)
class ObjectType:
    """`{ … }`; one that `is_open` has a line a member, however short it is."""

    members: Sequence[Member]
    is_open: bool = True


@dataclass(frozen=True)
class Tuple:
    """`[A, B]`, of types or of values."""

    items: Sequence[Syntax]


@dataclass(frozen=True)
class Array:
    """`T[]`."""

    item: Syntax


@dataclass(frozen=True)
class Union:
    """`A | B`, of two or more."""

    types: Sequence[Syntax]


@dataclass(frozen=True)
class Intersection:
    """`{ … } & T`."""

    left: ObjectType
    right: Syntax


Syntax: TypeAlias = Text | Generic | ObjectType | Tuple | Array | Union | Intersection

NULL: Final = Text("null")
NEVER: Final = Text("never")
UNKNOWN: Final = Text("unknown")
# What a section without anything holds.
NOTHING: Final = ObjectType([Member("[_ in never]", NEVER)])


def key(name: str) -> str:
    """A property's name, in quotes where it is no identifier.

    >>> key("a$1"), key("odd name"), key("1a")
    ('a$1', '"odd name"', '"1a"')
    """
    letters = name.replace("$", "_")
    return name if letters.isidentifier() and unicodedata.is_normalized("NFKC", name) else quoted(name)


def quoted(value: str) -> str:
    r"""A string, in the quotes that it has fewer of.

    >>> quoted("it's"), quoted('a"b'), quoted("\n")
    ('"it\'s"', '\'a"b\'', '"\\n"')
    """
    text = json.dumps(value, ensure_ascii=False)
    inner = text[1:-1]
    if inner.count('"') <= inner.count("'"):
        return text
    return "'" + _QUOTES.sub(_requoted, inner) + "'"


def union(types: Sequence[Syntax]) -> Syntax:
    """Of one or more; what is a union already is opened."""
    flat = [part for one in types for part in (one.types if isinstance(one, Union) else [one])]
    return flat[0] if len(flat) == 1 else Union(flat)


def width(text: str) -> int:
    """In columns of a terminal, which is how lines are measured."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _requoted(match: re.Match[str]) -> str:
    if match[1]:
        return '"' if match[1] == '"' else match[0]
    return "\\'" if match[2] == "'" else match[2]


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
