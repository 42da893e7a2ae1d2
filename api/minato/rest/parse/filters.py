"""The grammar of filters: `[not.]operator.value`, and of `and`/`or` trees."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from minato.rest.parse.names import parse_delimiter, parse_field, parse_identifier, parse_quoted
from minato.rest.parse.scanner import ParseFailure, Scanner, parsed
from minato.rest.parse.syntax import (
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
IS_VALUE = "isVal: (null, not_null, true, false, unknown)"
IN_ELEMENT = re.compile(r"[^,)]*")
IN_BRACES = re.compile(r"[^{}]*")
ANYTHING = re.compile(r"(?s:.*)")

ValueParser = Callable[[Scanner], str]


def parse_filter(field: Field, text: str) -> Filter:
    """The filter `field=text`. Raises PGRST100.

    >>> parse_filter(Field("id"), "not.in.(1,2)")
    Filter(field=Field(name='id', path=()), operation=InList(values=('1', '2')), negated=True)
    """
    return parsed(text, f"filter ({text})", lambda scanner: _filter(scanner, field, _rest))


def looks_like_filter(text: str) -> bool:
    """Whether a GET parameter of a function call filters its result instead of being an argument.

    A value that begins `not.`, `in.`, `is.` or `isdistinct.` is committed to being a filter, as in the reference.

    >>> looks_like_filter("eq.5"), looks_like_filter("5"), looks_like_filter("is.foo")
    (True, False, True)
    """
    scanner = Scanner(text)
    try:
        _filter(scanner, Field(""), _rest)
    except ParseFailure as failure:
        return failure.consumed or scanner.position > 0
    return True


def parse_logic(operator: str, negated: bool, text: str) -> LogicTree:
    """The tree of `or=(…)`, given as operator and the text with its parentheses. Raises PGRST100.

    >>> tree = parse_logic("or", False, "(a.eq.1,and(b.is.null,c.lt.3))")
    >>> tree.operator, len(tree.terms), tree.terms[1].operator
    ('or', 2, 'and')
    """
    prefix = ("not." if negated else "") + operator
    return parsed(prefix + text, f"logic tree ({text})", _logic_tree)


def _filter(scanner: Scanner, field: Field, value: ValueParser) -> Filter:
    negated = _negated(scanner)
    return Filter(field, _operation(scanner, value), negated)


def _negated(scanner: Scanner) -> bool:
    return bool(scanner.optional(lambda: scanner.attempt(lambda: _before_delimiter(scanner, "not")), "n"))


def _before_delimiter(scanner: Scanner, word: str) -> str:
    scanner.string(word)
    parse_delimiter(scanner)
    return word


def _operation(scanner: Scanner, value: ValueParser) -> Operation:
    readings: tuple[Callable[[], Operation], ...] = (
        lambda: _committed(scanner, "in", _list),
        lambda: _committed(scanner, "is", _is_value),
        lambda: _committed(scanner, "isdistinct", lambda rest: Comparison("isdistinct", value(rest))),
        lambda: scanner.attempt(lambda: _full_text(scanner, value)),
        lambda: scanner.attempt(lambda: _simple(scanner, value)),
        lambda: scanner.attempt(lambda: _quantified(scanner, value)),
    )
    return scanner.labelled(OPERATOR, lambda: scanner.choice(*readings))


def _committed(scanner: Scanner, word: str, operand: Callable[[Scanner], Operation]) -> Operation:
    """An operator that nothing else can be once its delimiter was read."""
    scanner.attempt(lambda: _before_delimiter(scanner, word))
    return operand(scanner)


def _full_text(scanner: Scanner, value: ValueParser) -> FullText:
    operator = scanner.one_of(FULL_TEXT)
    config = scanner.optional(lambda: scanner.attempt(lambda: _in_parentheses(scanner, parse_identifier)), "(")
    parse_delimiter(scanner)
    return FullText(operator, value(scanner), config)


def _simple(scanner: Scanner, value: ValueParser) -> Comparison:
    operator = scanner.one_of(SIMPLE)
    parse_delimiter(scanner)
    return Comparison(operator, value(scanner))


def _quantified(scanner: Scanner, value: ValueParser) -> Comparison:
    operator = scanner.one_of(QUANTIFIED)
    quantifier = scanner.optional(lambda: scanner.attempt(lambda: _in_parentheses(scanner, _quantifier)), "(")
    parse_delimiter(scanner)
    return Comparison(operator, value(scanner), Quantifier(quantifier) if quantifier else None)


def _quantifier(scanner: Scanner) -> str:
    return scanner.choice(lambda: scanner.attempt(lambda: scanner.string("any")), lambda: scanner.string("all"))


def _in_parentheses(scanner: Scanner, read: Callable[[Scanner], str]) -> str:
    scanner.string("(")
    inner = read(scanner)
    scanner.string(")")
    return inner


def _is_value(scanner: Scanner) -> IsTest:
    """What follows the word is left unread at the end of a filter, as in the reference."""
    words = (partial(scanner.attempt, partial(_in_any_case, scanner, word)) for word in IS_WORDS)
    return IsTest(scanner.labelled(IS_VALUE, lambda: scanner.choice(*words)))


def _in_any_case(scanner: Scanner, word: str) -> str:
    for letter in word:
        scanner.character((letter + letter.upper()).__contains__)
    return word


def _list(scanner: Scanner) -> InList:
    _parenthesis(scanner, "(")
    values = scanner.separated(lambda: _element(scanner), lambda: scanner.string(","), ",")
    _parenthesis(scanner, ")")
    return InList(tuple(values))


def _parenthesis(scanner: Scanner, character: str) -> None:
    scanner.blanks()
    scanner.string(character)
    scanner.blanks()


def _element(scanner: Scanner) -> str:
    return scanner.choice(lambda: _quoted_element(scanner), lambda: scanner.many(IN_ELEMENT))


def _quoted_element(scanner: Scanner) -> str:
    """A quoted value that ends where an element ends; otherwise its quotes are ordinary characters."""

    def quoted() -> str:
        value = parse_quoted(scanner)
        scanner.not_followed_by(_is_in_element)
        return value

    return scanner.attempt(quoted)


def _is_in_element(character: str) -> bool:
    return character not in ",)"


def _rest(scanner: Scanner) -> str:
    return scanner.many(ANYTHING)


def _logic_value(scanner: Scanner) -> str:
    return scanner.choice(
        lambda: _quoted_element(scanner),
        lambda: scanner.attempt(lambda: _array(scanner)),
        lambda: scanner.many(IN_ELEMENT),
    )


def _array(scanner: Scanner) -> str:
    return scanner.string("{") + scanner.many(IN_BRACES) + scanner.string("}")


def _logic_tree(scanner: Scanner) -> LogicTree:
    readings: tuple[Callable[[], LogicTree], ...] = (
        lambda: scanner.attempt(lambda: _logic_filter(scanner)),
        lambda: _logic_group(scanner),
    )
    return scanner.choice(*readings)


def _logic_filter(scanner: Scanner) -> Filter:
    field = parse_field(scanner)
    parse_delimiter(scanner)
    return _filter(scanner, field, _logic_value)


def _logic_group(scanner: Scanner) -> LogicGroup:
    negated = scanner.labelled("negation operator (not)", lambda: _negated(scanner))
    operator = scanner.labelled("logic operator (and, or)", lambda: _logic_operator(scanner))
    _parenthesis(scanner, "(")
    with scanner.nested():
        terms = scanner.separated(lambda: _logic_tree(scanner), lambda: _parenthesis(scanner, ","))
    _parenthesis(scanner, ")")
    return LogicGroup(operator, tuple(terms), negated)


def _logic_operator(scanner: Scanner) -> str:
    return scanner.choice(lambda: scanner.attempt(lambda: scanner.string("and")), lambda: scanner.string("or"))
