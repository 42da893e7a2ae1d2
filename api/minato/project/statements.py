"""Cuts a file of SQL into its statements, as the Supabase CLI does (pkg/parser): comments stay with what they precede.

A semicolon ends a statement unless it stands in a quoted string or name, a dollar-quoted body, a comment, parentheses
or the body of a function that begins with BEGIN ATOMIC. Beyond the CLI, E'…' strings know the backslash, CASE … END may
stand in an atomic body, and a dollar sign within a name opens nothing: as PostgreSQL reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# In this order: the first that fits is taken. What is never closed reaches to the end of the file.
_TOKEN = re.compile(
    r"""
      [eE]'(?: [^'\\] | '' | \\. )*(?: '|\Z)
    | '(?: [^'] | '' )*(?: '|\Z)
    | "(?: [^"] | "" )*(?: "|\Z)
    | \$(?P<tag>[^\W\d]\w*|)\$ .*? (?: \$(?P=tag)\$ | \Z)
    | --[^\n]*
    | (?P<comment>/\*)
    | \\.
    | (?P<word>[^\W\d][\w$]*)
    | (?P<mark>[();])
    | [\w$]+
    | \s+
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")


@dataclass(frozen=True)
class Statement:
    """`text` has no semicolon at its end; `line` is where it begins in the file, counted from 1."""

    text: str
    line: int

    @property
    def is_comment(self) -> bool:
        """Whether there is nothing to run.

        >>> [statement.is_comment for statement in split_statements("select 1; -- done /* or not */")]
        [False, True]
        """
        return not any(word.strip() for word in _outside_comments(self.text))


def split_statements(script: str) -> list[Statement]:
    """Every statement that is more than white space, in order; a file of comments alone is one.

    >>> [statement.text for statement in split_statements("select ';' ; -- done;\\nselect 2;")]
    ["select ';'", '-- done;\\nselect 2']
    """
    return [found for found in _cut(script) if found.text]


def without_comments(script: str) -> str:
    """The same with a space in the place of each comment; what stands in quotes or a dollar-quoted body stays.

    >>> without_comments("select 1 /* one */ + '--' -- two")
    "select 1   + '--'  "
    """
    return "".join(_outside_comments(script, " "))


def first_word(script: str) -> str:
    """What it begins with, in lower case; the rest is not looked at.

    >>> first_word("-- now\\n /* or later */ CREATE table a ()")
    'create'
    """
    return next((piece for piece in _outside_comments(script) if piece.strip()), "").lower()


def _cut(script: str) -> Iterator[Statement]:
    start, depth = 0, _Depth()
    for token, end in _tokens(script):
        if token == ";" and not depth.is_inside:
            yield _statement(script, start, end - 1)
            start = end
        else:
            depth.note(token.lower())
    yield _statement(script, start, len(script))


def _statement(script: str, start: int, end: int) -> Statement:
    raw = script[start:end]
    text = raw.strip()
    begins = start + len(raw) - len(raw.lstrip())
    return Statement(text, script.count("\n", 0, begins) + 1)


def _tokens(script: str) -> Iterator[tuple[str, int]]:
    """Words and marks, each with the place behind it; everything else is passed over."""
    position = 0
    while match := _TOKEN.match(script, position):
        position = _end_of_comment(script, match.end()) if match["comment"] else match.end()
        if match["word"] or match["mark"]:
            yield match[0], position


def _outside_comments(script: str, instead: str = "") -> Iterator[str]:
    position = 0
    while match := _TOKEN.match(script, position):
        position = _end_of_comment(script, match.end()) if match["comment"] else match.end()
        yield instead if match["comment"] or match[0].startswith("--") else match[0]


def _end_of_comment(script: str, position: int) -> int:
    """Comments nest."""
    depth = 1
    while depth and (edge := _COMMENT_EDGE.search(script, position)):
        depth += 1 if edge[0] == "/*" else -1
        position = edge.end()
    return len(script) if depth else position


class _Depth:
    """How deep in parentheses and in the body of a function written in standard SQL."""

    def __init__(self) -> None:
        self._parentheses = 0
        self._blocks = 0
        self._last = ""

    @property
    def is_inside(self) -> bool:
        return self._parentheses > 0 or self._blocks > 0

    def note(self, token: str) -> None:
        """Take in the next word or mark of a statement."""
        if token == "(":
            self._parentheses += 1
        elif token == ")":
            self._parentheses = max(0, self._parentheses - 1)
        elif token == "atomic" and self._last == "begin":
            self._blocks += 1
        elif self._blocks:
            self._blocks += (token == "case") - (token == "end")
        self._last = token
