"""The words of the query string: fields, select items, filters, logic, order. Intent only; nothing is checked yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class JsonStep:
    """`->key`, `->>key`, `->0`. `as_text` is the double arrow; an index is digits with an optional minus."""

    key: str
    as_text: bool
    is_index: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A column and a path into its JSON."""

    name: str
    path: tuple[JsonStep, ...] = ()


@dataclass(frozen=True, slots=True)
class SelectField:
    """`alias:column->path::cast.aggregate()::aggregate_cast`; `*` is a column name."""

    field: Field
    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@dataclass(frozen=True, slots=True)
class SelectRelation:
    """`alias:name!hint!inner(items)`, or `...name(items)` when `spread`."""

    name: str
    alias: str | None = None
    hint: str | None = None
    inner: bool = False
    spread: bool = False
    items: tuple[SelectItem, ...] = ()


SelectItem = SelectField | SelectRelation


class Quantifier(StrEnum):
    ANY = "any"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`eq.value`, `like(any).{a,b}`, `isdistinct.value`."""

    operator: str
    value: str
    quantifier: Quantifier | None = None


# How many values a short list is filled up to; a longer one is a single array, however long.
SHORT_LISTS = (4, 16)


@dataclass(frozen=True, slots=True)
class InList:
    values: tuple[str, ...]


def filled_up(values: Sequence[str]) -> Sequence[str] | None:
    """A short list with its last value again and again, so that few lengths are left; None for a longer one.

    >>> filled_up(["7", "8"]), filled_up(["7"] * 17)
    (['7', '8', '8', '8'], None)
    """
    size = next((size for size in SHORT_LISTS if len(values) <= size), None)
    return None if size is None else [*values, *[values[-1]] * (size - len(values))]


@dataclass(frozen=True, slots=True)
class IsTest:
    """`is.` null, not_null, true, false or unknown, in lower case."""

    word: str


@dataclass(frozen=True, slots=True)
class FullText:
    """`fts(english).value`; `operator` is fts, plfts, phfts or wfts."""

    operator: str
    value: str
    config: str | None = None


Operation = Comparison | InList | IsTest | FullText


@dataclass(frozen=True, slots=True)
class Filter:
    field: Field
    operation: Operation
    negated: bool = False


@dataclass(frozen=True, slots=True)
class LogicGroup:
    """`and(…)`, `or(…)`, either negated."""

    operator: str
    terms: tuple[LogicTree, ...]
    negated: bool = False


LogicTree = Filter | LogicGroup


@dataclass(frozen=True, slots=True)
class OrderTerm:
    """One term of `order`; `relation` is the embed it reaches into. `direction` and `nulls` are SQL words or empty."""

    field: Field
    direction: str = ""
    nulls: str = ""
    relation: str | None = None


EmbedPath = tuple[str, ...]
