"""The grammar of `order`."""

from __future__ import annotations

from api.rest.parse.names import parse_field, parse_name
from api.rest.parse.scanner import ParseFailure, Scanner
from api.rest.parse.syntax import OrderTerm

DIRECTIONS = (".asc", ".desc")
NULLS = {".nullsfirst": "NULLS FIRST", ".nullslast": "NULLS LAST"}


def parse_order(text: str) -> tuple[OrderTerm, ...]:
    """The terms of `order`. Raises PGRST100.

    >>> parse_order("name.desc.nullslast")
    (OrderTerm(field=Field(name='name', path=()), direction='DESC', nulls='NULLS LAST', relation=None),)
    >>> parse_order("maker(name)")[0].relation
    'maker'
    """
    scanner = Scanner(text)
    try:
        terms = [_term(scanner)]
        while not scanner.at_end:
            scanner.expect(",")
            terms.append(_term(scanner))
    except ParseFailure:
        raise scanner.error(f"order ({text})") from None
    return tuple(terms)


def _term(scanner: Scanner) -> OrderTerm:
    scanner.skip_blanks()
    relation = _relation(scanner)
    field = parse_field(scanner)
    if relation is not None:
        scanner.expect(")")
    direction = scanner.take_any(DIRECTIONS)
    nulls = scanner.take_any(tuple(NULLS))
    scanner.skip_blanks()
    if not (scanner.at_end or scanner.peek(",")):
        raise scanner.fail('","', "end of input")
    return OrderTerm(field, (direction or "")[1:].upper(), NULLS.get(nulls or "", ""), relation)


def _relation(scanner: Scanner) -> str | None:
    start = scanner.position
    try:
        name = parse_name(scanner)
    except ParseFailure:
        scanner.position = start
        return None
    if scanner.peek("("):
        scanner.position += 1
        return name
    scanner.position = start
    return None
