"""The logic of a policy's condition: what it comes down to, and which index would answer it."""

from __future__ import annotations

import re
from itertools import product
from typing import Final

from minato.advisors.expression import CALLER, calls, names_no_column
from minato.conditions import Token, bare, parts, tokens

_SAME: Final = re.compile(r"(?P<side>\d+|'[^']*'::\w+) = (?P=side)")
# The columns of one of several ways to find the rows, each of which needs an index.
Way = frozenset[str]


def is_always_true(condition: str | None) -> bool:
    """Whether a condition lets every row through.

    >>> is_always_true("true"), is_always_true("(1 = 1)"), is_always_true("(a = 1)"), is_always_true(None)
    (True, True, False, False)
    """
    if condition is None:
        return False
    plain = bare(condition)
    return plain == "true" or _SAME.fullmatch(plain) is not None


def ways(condition: str) -> list[Way]:
    """The ways by which indexes could find the rows of the caller; none where all rows have to be looked at.

    >>> [sorted(way) for way in ways("((a = auth.uid()) OR (b = auth.uid()))")]
    [['a', 'b']]
    >>> ways("((a = auth.uid()) OR is_open)")
    []
    """
    joined = parts(condition, "OR")
    if len(joined) > 1:
        return [frozenset().union(*chosen) for chosen in product(*(ways(part) for part in joined))]
    joined = parts(condition, "AND")
    if len(joined) > 1:
        return [way for part in joined for way in ways(part)]
    column = _column_of_caller(bare(condition))
    return [frozenset({column})] if column else []


def _column_of_caller(comparison: str) -> str | None:
    """The column that is compared with what tells who asks, written as in SQL."""
    words = tokens(comparison)
    equals = [at for at, word in enumerate(words) if word.text == "=" and _depth(words, at) == 0]
    if len(equals) != 1 or not calls(comparison, CALLER):
        return None
    left, right = words[: equals[0]], words[equals[0] + 1 :]
    for column, other in ((left, right), (right, left)):
        if len(column) == 1 and column[0].kind == "name" and "." not in column[0].text and names_no_column(other):
            return column[0].text
    return None


def _depth(words: list[Token], at: int) -> int:
    return sum((word.text == "(") - (word.text == ")") for word in words[:at])
