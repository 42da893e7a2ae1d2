"""The literals of a query: which of its text is values, told by the tokens of the grammar without making its tree.

What is not recognized here is none: the whole parameter counts as fixed then, and `parse_query_string` says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from minato.database.identifiers import array_literal
from minato.rest.parse.filters import FULL_TEXT, IS_WORDS, QUANTIFIED, SIMPLE
from minato.rest.parse.query_string import RESERVED, decode
from minato.rest.parse.syntax import filled_up

# Stands in a parameter's text for a value; who sends this private-use character gets a plan of their own.
MARK = "\ue000"
PATTERNS = ("like", "ilike")
PLAIN = "|".join(("isdistinct", *SIMPLE))
COMPARED = "|".join(each for each in QUANTIFIED if each not in PATTERNS)
QUANTIFIER = r"(?:\((?:any|all)\))?"
CONFIG = r"(?:\([A-Za-z0-9_ $]+\))?"
OPERATOR = (
    rf"(?:not\.)?(?:{PLAIN}|(?:{COMPARED}){QUANTIFIER}|(?P<like>{'|'.join(PATTERNS)}){QUANTIFIER}"
    rf"|(?:{'|'.join(FULL_TEXT)}){CONFIG})\."
)
QUOTED_TEXT = r'"(?:[^"\\]|\\(?s:.))*"'
QUOTED = rf"{QUOTED_TEXT}(?![^,)])"
ELEMENT = rf"(?>{QUOTED}|[^,)]*)"
ELEMENTS = rf"(?>{ELEMENT}(?:,{ELEMENT})*)"
# The names that need no thought; any other makes the tree a fixed one.
NAME = r"[ \t]*[A-Za-z0-9_$]+(?:->>?[A-Za-z0-9_]+)*[ \t]*\."

LONGEST_KEPT = 100

COMPARISON = re.compile(OPERATOR)
LIST = re.compile(rf"((?:not\.)?in\.)[ \t]*\([ \t]*({ELEMENTS})\)")
LISTED = re.compile(rf"(?:^|,)({ELEMENT})")
QUOTED_ALONE = re.compile(QUOTED_TEXT)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
# How a GET parameter begins that may be a filter of a function's result instead of an argument.
FILTERS = re.compile(rf"not\.|(?:in|is|{PLAIN}|{'|'.join((*QUANTIFIED, *FULL_TEXT))})[.(]")
OPEN = re.compile(r"[ \t]*\([ \t]*")
TERM = re.compile(
    rf"(?P<head>{NAME}{OPERATOR})(?P<value>(?>{QUOTED}|\{{[^{{}}]*\}}|[^,)]*))"
    rf"|(?P<of>{NAME}(?:not\.)?in\.)[ \t]*\([ \t]*(?P<elements>{ELEMENTS})\)[ \t]*"
    rf"|(?P<test>{NAME}(?:not\.)?is\.(?i:{'|'.join(IS_WORDS)}))"
    r"|(?P<group>(?:not\.)?(?:and|or)[ \t]*\([ \t]*)"
)
CLOSE = re.compile(r"(?:[ \t]*(,)|\))[ \t]*")


@dataclass(slots=True)
class Literals:
    """`parts` are the parameters of a query as they came, or (name, text with marks); `values` those of the marks.

    `windows` are the texts of `limit` and `offset` by what stands before them, empty for the target's own. The first
    `columns` says whether there are any.
    """

    parts: list[bytes | tuple[bytes, str]]
    values: list[str]
    windows: dict[str, dict[str, str]]
    window_parts: list[bytes]
    window_names: list[str]
    columns: bool | None = None

    @property
    def fixed_size(self) -> int:
        """How long all is that is not a value."""
        return sum(len(part) if isinstance(part, bytes) else len(part[0]) + len(part[1]) for part in self.parts)

    def query(self, first: int) -> bytes:
        """The query with numbered marks, from `first` on, in place of the values."""
        numbers = iter(range(first, first + len(self.values)))
        shown = [part if isinstance(part, bytes) else _numbered(part, numbers) for part in self.parts]
        return b"&".join([*shown, *self.window_parts])


def read_literals(query: bytes, takes_arguments: bool) -> Literals:
    """What of `query` is values; `takes_arguments` for GET on a function.

    >>> read = read_literals(b"select=id&id=in.(1,2)&or=(a.eq.x,b.is.null)&limit=5", False)
    >>> read.values, read.windows
    (['1', '2', '2', '2', 'x'], {'': {'limit': '5'}})
    >>> read.query(0).decode().count("%EE%80%80")
    10
    """
    read = Literals([], [], {}, [], [])
    for part in query.replace(b";", b"&").split(b"&") if query else ():
        raw_name, equals, raw_value = part.partition(b"=")
        name, last = read_name(raw_name)
        if not equals or name in RESERVED or last == "order":
            read.parts.append(part)
            if name == "columns" and read.columns is None:
                read.columns = bool(equals)
        elif last in ("limit", "offset"):
            read.windows.setdefault(name.rpartition(".")[0], {})[last] = decode(raw_value)
            read.window_parts.append(part)
            read.window_names.append(name)
        else:
            given = decode(raw_value)
            found = _logic(given) if last in ("and", "or") else _filter(given, takes_arguments)
            read.parts.append(part if found is None else (raw_name, found[0]))
            read.values += found[1] if found is not None else ()
    return read


def read_name(raw: bytes) -> tuple[str, str]:
    """The name of a parameter and the last part of it. The same names come again and again.

    >>> read_name(b"makers.order")
    ('makers.order', 'order')
    """
    return _short_name(raw) if len(raw) <= LONGEST_KEPT else _name(raw)


def _name(raw: bytes) -> tuple[str, str]:
    name = decode(raw)
    return name, name.rpartition(".")[2]


_short_name = lru_cache(maxsize=1000)(_name)


def mark(number: int) -> str:
    """What stands for the value of that number."""
    return f"{MARK}{number}{MARK}"


def _numbered(part: tuple[bytes, str], numbers: Iterator[int]) -> bytes:
    name, text = part
    return name + b"=" + quote(re.sub(MARK, lambda _: mark(next(numbers)), text), safe="").encode()


def _filter(text: str, takes_arguments: bool) -> tuple[str, list[str]] | None:
    compared = COMPARISON.match(text)
    if compared is not None:
        operand = text[compared.end() :]
        return compared[0] + MARK, [operand.replace("*", "%") if compared["like"] else operand]
    if takes_arguments and FILTERS.match(text) is None:
        return MARK, [text]
    listed = LIST.fullmatch(text)
    values = _listed(listed[2]) if listed else None
    return (f"{listed[1]}({_marks(values)})", values) if listed and values else None


def _logic(text: str) -> tuple[str, list[str]] | None:
    """The tree of `or=(…)` with marks, and its values."""
    opened = OPEN.match(text)
    if opened is None:
        return None
    pieces, values, position, depth = [opened[0]], list[str](), opened.end(), 1
    while depth:
        term = TERM.match(text, position)
        if term is None:
            return None
        position = term.end()
        pieces.append(_term(term, values))
        if term["group"]:
            depth += 1
            continue
        further = False
        while depth and not further:
            closed = CLOSE.match(text, position)
            if closed is None:
                return None
            pieces.append(closed[0])
            position, further = closed.end(), closed[1] is not None
            depth -= 0 if further else 1
    return ("".join(pieces), values) if position == len(text) else None


def _term(term: re.Match[str], values: list[str]) -> str:
    """The text of one term with its mark; its value is added to `values`."""
    if term["head"]:
        value = _unquoted(term["value"])
        values.append(value.replace("*", "%") if term["like"] else value)
        return term["head"] + MARK
    listed = _listed(term["elements"]) if term["of"] else None
    if not listed:
        return term[0]
    values += listed
    return f"{term['of']}({_marks(listed)})"


def _marks(values: list[str]) -> str:
    return ",".join([MARK] * len(values))


def _listed(elements: str) -> list[str]:
    """The values that a list becomes, one of them if it is long; none for an empty one, which is planned otherwise."""
    if not elements:
        return []
    given = elements.split(",") if '"' not in elements else list(map(_unquoted, LISTED.findall(elements)))
    short = filled_up(given)
    return [array_literal(given)] if short is None else [*short]


def _unquoted(element: str) -> str:
    is_quoted = len(element) > 1 and element[0] == '"' and QUOTED_ALONE.fullmatch(element)
    return ESCAPED.sub(r"\1", element[1:-1]) if is_quoted else element
