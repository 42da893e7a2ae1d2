"""Every condition of a row policy, dropped once.

PostgreSQL writes an expression back with parentheses around each operand, so that one level needs no precedence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

# a quoted text or name, a parenthesis, a word
TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[()]|\w+")
NEUTRAL = {"AND": "true", "OR": "false"}
POLICIES = """
select schemaname, tablename, policyname, qual, with_check from pg_policies
order by schemaname, tablename, policyname
"""


@dataclass(frozen=True)
class Policy:
    """A row of pg_policies; `clauses` are its USING and WITH CHECK, where it has them."""

    schema: str
    table: str
    name: str
    using: str
    with_check: str

    def clauses(self) -> Iterator[tuple[str, str]]:
        for clause, expression in (("using", self.using), ("with check", self.with_check)):
            if expression:
                yield clause, expression


@dataclass(frozen=True)
class Dropped:
    """A policy without one of its conditions."""

    policy: Policy
    clause: str
    condition: str
    expression: str

    @property
    def statement(self) -> str:
        policy = self.policy
        on = f'"{policy.schema}"."{policy.table}"'
        name = policy.name.replace('"', '""')
        return f'alter policy "{name}" on {on} {self.clause} ({self.expression})'

    @property
    def label(self) -> str:
        policy = self.policy
        return f"{policy.schema}.{policy.table} | {policy.name} | {self.clause} | {self.condition}"


def dropped_once(policy: Policy) -> Iterator[Dropped]:
    """One for each operand of each AND (now true) and OR (now false), of subqueries too."""
    for clause, expression in policy.clauses():
        for start, end, neutral in conditions(expression):
            if expression[start:end] != neutral:
                changed = f"{expression[:start]}{neutral}{expression[end:]}"
                yield Dropped(policy, clause, expression[start:end].strip(), changed)


def conditions(expression: str) -> Iterator[tuple[int, int, str]]:
    """Where each operand begins and ends, and what it becomes when it is dropped.

    >>> [("(a AND (b OR (c)))"[start:end], then) for start, end, then in conditions("(a AND (b OR (c)))")]
    [('a', 'true'), ('(b OR (c))', 'true'), ('b', 'false'), ('(c)', 'false')]
    >>> ["x = ' AND ('"[start:end] for start, end, _ in conditions("x = ' AND ('")]
    ["x = ' AND ('"]
    """
    found = [one for start, end in _groups(expression) for one in _operands(expression, start, end)]
    yield from found or [(0, len(expression), "true")]


def _groups(expression: str) -> list[tuple[int, int]]:
    """What lies inside each pair of parentheses, the outermost first, and the whole."""
    groups, opened = [(0, len(expression))], list[int]()
    for token in TOKEN.finditer(expression):
        if token[0] == "(":
            opened.append(token.end())
        elif token[0] == ")":
            groups.append((opened.pop(), token.start()))
    return sorted(groups)


def _operands(expression: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The operands of one level; of a subquery's level those after its WHERE."""
    words = list(_words(expression, start, end))
    if where := [word for word in words if word[0] == "WHERE"]:
        start = where[-1][2]
        words = [word for word in words if word[1] > start]
    joins = [word for word in words if word[0] in NEUTRAL]
    if not joins and not where:
        return
    neutral = NEUTRAL[joins[0][0]] if joins else "true"
    edges = [(start, start), *((word[1], word[2]) for word in joins), (end, end)]
    for (_, begins), (ends, _) in pairwise(edges):
        text = expression[begins:ends]
        if joins or not re.fullmatch(r"\s*\(.*\bAND\b.*\)", text, re.DOTALL):
            yield begins + len(text) - len(text.lstrip()), ends - len(text) + len(text.rstrip()), neutral


def _words(expression: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The words of one level, not of the parentheses in it."""
    depth = 0
    for token in TOKEN.finditer(expression, start, end):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if not depth and token[0] != ")":
            yield token[0], token.start(), token.end()
