"""The grammar of filters: `[not.]operator.value`, and of `and`/`or` trees."""

from __future__ import annotations

from collections.abc import Callable

from api.rest.parse.names import parse_field, parse_quoted, parse_type
from api.rest.parse.scanner import ParseFailure, Scanner
from api.rest.parse.syntax import (
    Comparison,
    Field,
    Filter,
    FullText,
    InList,
    IsTest,
    LogicGroup,
    LogicTree,
    Operation,
    Quantifier,
)

# Order matters: the reference takes the first that fits, so "gte" stands before "gt".
SIMPLE = ("neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj")
QUANTIFIED = ("eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch")
FULL_TEXT = ("fts", "plfts", "phfts", "wfts")
IS_WORDS = ("null", "not_null", "true", "false", "unknown")
OPERATOR = "operator (eq, gt, ...)"
DELIMITER = "delimiter (.)"

ValueParser = Callable[[Scanner], str]


def parse_filter(field: Field, text: str) -> Filter:
    """The filter `field=text`. Raises PGRST100.

    >>> parse_filter(Field("id"), "not.in.(1,2)")
    Filter(field=Field(name='id', path=()), operation=InList(values=('1', '2')), negated=True)
    """
    scanner = Scanner(text)
    try:
        return _filter(scanner, field, _rest)
    except ParseFailure:
        raise scanner.error(f"filter ({text})") from None


def looks_like_filter(text: str) -> bool:
    """Whether a GET parameter of a function call filters its result instead of being an argument.

    A value that begins `not.`, `in.`, `is.` or `isdistinct.` is committed to being a filter, as in the reference.

    >>> looks_like_filter("eq.5"), looks_like_filter("5"), looks_like_filter("is.foo")
    (True, False, True)
    """
    if text.startswith(("not.", "in.", "is.", "isdistinct.")):
        return True
    try:
        _filter(Scanner(text), Field(""), _rest)
    except ParseFailure:
        return False
    return True


def parse_logic(operator: str, negated: bool, text: str) -> LogicTree:
    """The tree of `or=(…)`, given as operator and the text with its parentheses. Raises PGRST100.

    >>> tree = parse_logic("or", False, "(a.eq.1,and(b.is.null,c.lt.3))")
    >>> tree.operator, len(tree.terms), tree.terms[1].operator
    ('or', 2, 'and')
    """
    prefix = ("not." if negated else "") + operator
    scanner = Scanner(prefix + text)
    try:
        tree = _logic_tree(scanner)
    except ParseFailure:
        raise scanner.error(f"logic tree ({text})") from None
    return tree


def _filter(scanner: Scanner, field: Field, value: ValueParser) -> Filter:
    negated = scanner.take("not.", '"not"')
    return Filter(field, _operation(scanner, value), negated)


def _operation(scanner: Scanner, value: ValueParser) -> Operation:
    if scanner.peek("in."):
        scanner.position += 3
        return InList(_list(scanner))
    if scanner.peek("is."):
        scanner.position += 3
        return IsTest(_is_word(scanner))
    if scanner.peek("isdistinct."):
        scanner.position += len("isdistinct.")
        return Comparison("isdistinct", value(scanner))
    start = scanner.position
    operation = _full_text(scanner, value) or _comparison(scanner, value)
    if operation is None:
        scanner.position = start
        raise scanner.fail(OPERATOR)
    return operation


def _full_text(scanner: Scanner, value: ValueParser) -> FullText | None:
    start = scanner.position
    operator = scanner.take_any(FULL_TEXT)
    if operator is None:
        return None
    config = _config(scanner)
    if not scanner.take(".", DELIMITER):
        scanner.position = start
        return None
    return FullText(operator, value(scanner), config)


def _config(scanner: Scanner) -> str | None:
    start = scanner.position
    if not scanner.peek("("):
        return None
    scanner.position += 1
    try:
        config = parse_type(scanner)
    except ParseFailure:
        config = ""
    if config and scanner.peek(")"):
        scanner.position += 1
        return config
    scanner.position = start
    return None


def _comparison(scanner: Scanner, value: ValueParser) -> Comparison | None:
    start = scanner.position
    operator = scanner.take_any(SIMPLE)
    if operator is not None and scanner.take(".", DELIMITER):
        return Comparison(operator, value(scanner))
    scanner.position = start
    operator = scanner.take_any(QUANTIFIED)
    if operator is None:
        return None
    quantifier = next((q for q in Quantifier if scanner.peek(f"({q})")), None)
    scanner.position += len(quantifier) + 2 if quantifier else 0
    if not scanner.take(".", DELIMITER):
        return None
    return Comparison(operator, value(scanner), quantifier)


def _is_word(scanner: Scanner) -> str:
    rest = scanner.text[scanner.position :].lower()
    # What follows the word is left unread at the end of a filter, as in the reference.
    word = next((word for word in IS_WORDS if rest.startswith(word)), None)
    if word is None:
        raise scanner.fail("isVal: (null, not_null, true, false, unknown)")
    scanner.position += len(word)
    return word


def _list(scanner: Scanner) -> tuple[str, ...]:
    scanner.skip_blanks()
    scanner.expect("(")
    scanner.skip_blanks()
    values = [_element(scanner)]
    while scanner.take(","):
        values.append(_element(scanner))
    scanner.skip_blanks()
    scanner.expect(")")
    scanner.skip_blanks()
    return tuple(values)


def _element(scanner: Scanner) -> str:
    quoted = _quoted_element(scanner)
    return scanner.take_until(",)") if quoted is None else quoted


def _quoted_element(scanner: Scanner) -> str | None:
    """A quoted value that ends where an element ends; otherwise its quotes are ordinary characters."""
    if not scanner.peek('"'):
        return None
    start = scanner.position
    try:
        value = parse_quoted(scanner)
    except ParseFailure:
        value = None
    if value is not None and (scanner.at_end or scanner.text[scanner.position] in ",)"):
        return value
    scanner.position = start
    return None


def _rest(scanner: Scanner) -> str:
    start, scanner.position = scanner.position, len(scanner.text)
    return scanner.text[start:]


def _logic_value(scanner: Scanner) -> str:
    quoted = _quoted_element(scanner)
    if quoted is not None:
        return quoted
    if scanner.peek("{"):
        end = scanner.text.find("}", scanner.position)
        inner = scanner.text[scanner.position + 1 : end]
        if end >= 0 and "{" not in inner:
            scanner.position = end + 1
            return "{" + inner + "}"
    return scanner.take_until(",)")


def _logic_tree(scanner: Scanner) -> LogicTree:
    start = scanner.position
    try:
        field = parse_field(scanner)
        scanner.expect(".", DELIMITER)
        return _filter(scanner, field, _logic_value)
    except ParseFailure:
        scanner.position = start
    return _logic_group(scanner)


def _logic_group(scanner: Scanner) -> LogicGroup:
    negated = scanner.take("not.", "negation operator (not)")
    operator = scanner.take_any(("and", "or"))
    if operator is None:
        raise scanner.fail("logic operator (and, or)")
    scanner.skip_blanks()
    scanner.expect("(")
    scanner.skip_blanks()
    scanner.enter()
    terms = [_logic_tree(scanner)]
    scanner.skip_blanks()
    while scanner.take(","):
        scanner.skip_blanks()
        terms.append(_logic_tree(scanner))
        scanner.skip_blanks()
    scanner.expect(")")
    scanner.leave()
    scanner.skip_blanks()
    return LogicGroup(operator, tuple(terms), negated)
