"""The grammar of `order`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from minato.rest.parse.names import parse_delimiter, parse_field, parse_name
from minato.rest.parse.scanner import Scanner, parsed
from minato.rest.parse.syntax import Field, OrderTerm

DIRECTIONS = {"asc": "ASC", "desc": "DESC"}
NULLS = {"nullsfirst": "NULLS FIRST", "nullslast": "NULLS LAST"}


def parse_order(text: str) -> tuple[OrderTerm, ...]:
    """The terms of `order`. Raises PGRST100.

    >>> parse_order("name.desc.nullslast")
    (OrderTerm(field=Field(name='name', path=()), direction='DESC', nulls='NULLS LAST', relation=None),)
    >>> parse_order("maker(name)")[0].relation
    'maker'
    """
    return parsed(text, f"order ({text})", _terms)


def _terms(scanner: Scanner) -> tuple[OrderTerm, ...]:
    return tuple(scanner.separated(lambda: _term(scanner), lambda: scanner.string(",")))


def _term(scanner: Scanner) -> OrderTerm:
    scanner.blanks()
    readings: list[Callable[[], OrderTerm]] = [lambda: _directed(scanner, parse_field(scanner), None)]
    if scanner.may_come("("):
        readings.insert(0, lambda: scanner.attempt(lambda: _directed(scanner, *_related(scanner))))
    term = scanner.choice(*readings)
    scanner.blanks()
    return term


def _related(scanner: Scanner) -> tuple[Field, str]:
    relation = parse_name(scanner)
    scanner.string("(")
    field = parse_field(scanner)
    scanner.string(")")
    return field, relation


def _directed(scanner: Scanner, field: Field, relation: str | None) -> OrderTerm:
    direction = scanner.optional(lambda: _word(scanner, *DIRECTIONS), ".")
    nulls = scanner.choice(lambda: _nulls(scanner), lambda: scanner.end_or(","))
    return OrderTerm(field, DIRECTIONS.get(direction or "", ""), NULLS.get(nulls or "", ""), relation)


def _nulls(scanner: Scanner) -> str | None:
    word = scanner.optional(lambda: _word(scanner, *NULLS), ".")
    scanner.end_or(",")
    return word


def _word(scanner: Scanner, *words: str) -> str:
    return scanner.choice(*(partial(scanner.attempt, partial(_delimited, scanner, word)) for word in words))


def _delimited(scanner: Scanner, word: str) -> str:
    parse_delimiter(scanner)
    return scanner.string(word)
