"""Conditions of policies as PostgreSQL prints them: which functions they call, and which of those once per row.

Only what `pg_get_expr` prints is read here: every name of a project's function has its schema, keywords are capitals,
and each operation has its parentheses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from minato.conditions import Token, tokens

# Words of a type after its first: `timestamp with time zone`, `character varying`, `double precision`.
_TYPE_WORDS: Final = frozenset({"with", "without", "time", "zone", "varying", "precision"})
_WORDS: Final = frozenset({"true", "false", "NULL", "ARRAY", "AS", "SELECT", "AND", "OR", "NOT", "IS", "COALESCE"})
# The functions that tell who asks; what they answer is the same for every row.
CALLER: Final = ("auth.uid", "auth.jwt", "auth.role", "auth.email", "current_setting")


@dataclass(frozen=True)
class Call:
    """A call at `start` to `end` of the text. `is_constant`: its arguments name no column. `is_once`: it stands in a
    scalar subquery that reads nothing, which PostgreSQL asks once per statement (an InitPlan)."""

    name: str
    start: int
    end: int
    is_constant: bool
    is_once: bool


def calls(text: str, names: Collection[str]) -> list[Call]:
    """The calls of these functions, from left to right; one in another's arguments is left out.

    >>> [(call.name, call.is_once) for call in calls("((a = auth.uid()) OR ( SELECT x.y() AS y))", ["auth.uid", "x.y"])]
    [('auth.uid', False), ('x.y', True)]
    """
    words = tokens(text)
    closing = _closing(words)
    found: list[Call] = []
    for at, word in enumerate(words[:-1]):
        is_call = word.kind == "name" and word.text in names and words[at + 1].text == "("
        if is_call and not (found and word.start < found[-1].end):
            end = closing[at + 1]
            constant = names_no_column(words[at + 2 : end])
            once = constant and _is_asked_once(words, closing, at)
            found.append(Call(word.text, word.start, words[end].end, constant, once))
    return found


def wrapped(text: str, names: Collection[str]) -> str:
    """The same condition with what would be asked per row, and needn't, in a subquery.

    >>> wrapped("(user_id = auth.uid())", CALLER)
    '(user_id = (select auth.uid()))'
    """
    for call in reversed(calls(text, names)):
        if call.is_constant and not call.is_once:
            text = f"{text[: call.start]}(select {text[call.start : call.end]}){text[call.end :]}"
    return text


def names_no_column(words: Sequence[Token]) -> bool:
    """Whether these words are the same for every row: no name in them but of functions, types and aliases."""
    return not any(_columns(words))


def _columns(words: Sequence[Token]) -> Iterator[str]:
    in_type = False
    for at, word in enumerate(words):
        before = words[at - 1].text if at else ""
        if word.kind != "name":
            in_type = word.kind == "cast"
        elif in_type:
            in_type = at + 1 < len(words) and words[at + 1].text in _TYPE_WORDS
        elif word.text in _WORDS or before == "AS":
            continue
        elif at + 1 == len(words) or words[at + 1].text != "(":
            yield word.text


def _closing(words: Sequence[Token]) -> dict[int, int]:
    """Where each opening parenthesis is closed."""
    found, waiting = {}, []
    for at, word in enumerate(words):
        if word.text == "(":
            waiting.append(at)
        elif word.text == ")" and waiting:
            found[waiting.pop()] = at
    return found


def _is_asked_once(words: Sequence[Token], closing: dict[int, int], at: int) -> bool:
    """Whether the innermost subquery around a word reads nothing, neither a table nor the row outside."""
    around = [start for start, end in closing.items() if start < at < end and words[start + 1].text == "SELECT"]
    if not around:
        return False
    start = max(around)
    return names_no_column(words[start + 1 : closing[start]])
