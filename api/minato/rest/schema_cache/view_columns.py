"""Which columns of a view are plainly columns of a table, read from the stored parse tree of its definition.

PostgreSQL notes for every output column where it comes from (`resorigtbl`, `resorigcol`), through joins, subqueries and
CTEs; a column of another view points to that view, so chains are followed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

Origin = tuple[int, int]
"""A relation's oid and a column's number."""

TARGET_ENTRY = re.compile(r":resno (\d+) .*?:resorigtbl (\d+) :resorigcol (\d+)", re.DOTALL)
TARGET_LIST = " :targetList ("
# What a name has of brackets, blanks and backslashes is written behind a backslash; of names nothing is wanted here.
ESCAPED = re.compile(r"\\.", re.DOTALL)


def view_origins(definition: str) -> dict[int, Origin]:
    """The origin of each output column that has one, by column number.

    >>> view_origins("({QUERY :x 1 :targetList ({TARGETENTRY :expr {VAR} :resno 1 :resname id "
    ...              ":resorigtbl 42 :resorigcol 3 :resjunk false}) :y 2})")
    {1: (42, 3)}
    """
    origins: dict[int, Origin] = {}
    for entry in _entries(_outermost_target_list(ESCAPED.sub("", definition))):
        # The outermost attributes follow the expression, so the last match is the entry's own.
        matches = TARGET_ENTRY.findall(_without_nested(entry))
        for number, table, column in matches[-1:]:
            if table != "0":
                origins[int(number)] = (int(table), int(column))
    return origins


def follow(origin: Origin, views: Mapping[int, Mapping[int, Origin]]) -> Origin:
    """The base table's column behind `origin`, through views of views."""
    seen: set[Origin] = set()
    while origin[0] in views and origin not in seen:
        seen.add(origin)
        deeper = views[origin[0]].get(origin[1])
        if deeper is None:
            return origin
        origin = deeper
    return origin


def _outermost_target_list(definition: str) -> str:
    depth = 0
    for index, character in enumerate(definition):
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif character == ":" and depth == 1 and definition.startswith(TARGET_LIST, index - 1):
            return _balanced(definition, index - 1 + len(TARGET_LIST))
    return ""


def _balanced(text: str, start: int) -> str:
    depth = 1
    for index in range(start, len(text)):
        if text[index] == "(":
            depth += 1
        elif text[index] == ")":
            depth -= 1
            if depth == 0:
                return text[start:index]
    return text[start:]


def _entries(target_list: str) -> list[str]:
    entries: list[str] = []
    depth, start = 0, 0
    for index, character in enumerate(target_list):
        if character == "{":
            if depth == 0:
                start = index
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                entries.append(target_list[start + 1 : index])
    return entries


def _without_nested(entry: str) -> str:
    """The entry's own attributes: what stands in inner braces is its expression."""
    kept: list[str] = []
    depth = 0
    for character in entry:
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
        elif depth == 0:
            kept.append(character)
    return "".join(kept)
