"""Conditions as PostgreSQL prints them (`pg_get_expr`): their words, and what an AND or OR at the top joins.

Every name of a project's function has its schema there, keywords are capitals, and each operation has its parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

_TOKEN: Final = re.compile(
    r"(?P<text>[EBX]?'(?:[^']|'')*')"
    r'|(?P<name>(?:"(?:[^"]|"")*"|[^\W\d][\w$]*)(?:\.(?:"(?:[^"]|"")*"|[^\W\d][\w$]*))*)'
    r"|(?P<number>\d[\w.]*)|(?P<cast>::)|(?P<sign>[^\s\w])"
)
_COMPARISONS: Final = frozenset({"=", "<>", "<", ">", "<=", ">="})


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


class Comparison(NamedTuple):
    """What stands at both sides of a comparison."""

    left: str
    operator: str
    right: str


def tokens(text: str) -> list[Token]:
    """The words of a condition.

    >>> [token.text for token in tokens("(a.\\"B c\\" = 'it''s'::text)")]
    ['(', 'a."B c"', '=', "'it''s'", '::', 'text', ')']
    """
    found = (match for match in _TOKEN.finditer(text))
    return [Token(str(match.lastgroup), match[0], match.start(), match.end()) for match in found]


def bare(condition: str) -> str:
    """Without the parentheses around all of it.

    >>> bare("((a) AND (b))")
    '(a) AND (b)'
    """
    while condition.startswith("(") and _end_of_first(tokens(condition)) == len(condition):
        condition = condition[1:-1].strip()
    return condition


def parts(condition: str, operator: Literal["AND", "OR"]) -> list[str]:
    """What an AND or OR at the top joins; the condition itself where there is none.

    >>> parts("((a = 1) AND (b BETWEEN 1 AND 2) AND c)", "AND")
    ['(a = 1)', '(b BETWEEN 1 AND 2)', 'c']
    """
    text = bare(condition)
    cuts = [0]
    for token in _at_top(tokens(text)):
        if token.text == operator:
            cuts += [token.start, token.end]
    cuts.append(len(text))
    return [text[start:end].strip() for start, end in zip(cuts[::2], cuts[1::2], strict=True)]


def comparison(condition: str) -> Comparison | None:
    """The two sides of a plain comparison; None for any other condition.

    >>> comparison("(owner = ( SELECT auth.uid() AS uid))")
    Comparison(left='owner', operator='=', right='( SELECT auth.uid() AS uid)')
    >>> comparison("(a = ANY (b))"), comparison("((a = 1) = b)"), comparison("((NOT a) = b)")
    (None, Comparison(left='(a = 1)', operator='=', right='b'), Comparison(left='(NOT a)', operator='=', right='b'))
    """
    text = bare(condition)
    top = list(_at_top(tokens(text)))
    if any(token.kind == "name" and token.text.isupper() and token.text != "NULL" for token in top):
        return None
    runs = _operators(top)
    if len(runs) != 1 or runs[0][0] not in _COMPARISONS:
        return None
    operator, start, end = runs[0]
    return Comparison(text[:start].strip(), operator, text[end:].strip())


def _operators(top: Sequence[Token]) -> list[tuple[str, int, int]]:
    """The operators among these words: signs that touch each other are one."""
    runs: list[tuple[str, int, int]] = []
    for token in top:
        if token.kind != "sign" or token.text in "()[],.":
            continue
        if runs and runs[-1][2] == token.start:
            text, start, _ = runs.pop()
            runs.append((text + token.text, start, token.end))
        else:
            runs.append((token.text, token.start, token.end))
    return runs


def _at_top(words: Sequence[Token]) -> Iterator[Token]:
    """The words that stand in no parenthesis."""
    depth = 0
    for word in words:
        depth += (word.text in "([") - (word.text in ")]")
        if depth == 0:
            yield word


def _end_of_first(words: Sequence[Token]) -> int:
    """Where the parenthesis that the text begins with is closed; 0 where it is not."""
    depth = 0
    for word in words:
        depth += (word.text == "(") - (word.text == ")")
        if depth == 0:
            return word.end
    return 0
