"""The grammar of names: columns, relations, JSON paths, types. Used by select, filters and order alike."""

from __future__ import annotations

import re
from collections.abc import Callable

from minato.rest.parse.scanner import Scanner
from minato.rest.parse.syntax import Field, JsonStep

FIELD_NAME = "field name (* or [a..z0..9_$])"
JSON_KEY = "any non reserved character different from: .,>()"
DELIMITER = "delimiter (.)"
IDENTIFIER = re.compile(r"(?:[^\W\d]|[0-9 $])*")
DIGITS = re.compile(r"[0-9]*")
PLAIN = re.compile(r'[^"\\]*')
KEY = re.compile(r"[^(:.,>)-]*")
QUOTE = r'"\""'


def parse_quoted(scanner: Scanner) -> str:
    r"""`"…"`, a backslash taking the next character as it is.

    >>> parse_quoted(Scanner(r'"a\"b,c"'))
    'a"b,c'
    """
    scanner.string('"')
    parts = [scanner.many(PLAIN)]
    while scanner.peek("\\"):
        scanner.string("\\")
        parts += [scanner.character(lambda _: True), scanner.many(PLAIN)]
    scanner.note(scanner.next, r'"\\"')
    scanner.string('"')
    return "".join(parts)


def parse_name(scanner: Scanner) -> str:
    """A column or relation name; quoted, or identifiers joined by dashes.

    >>> parse_name(Scanner("first-name->x"))
    'first-name'
    """
    return scanner.labelled(FIELD_NAME, lambda: _quoted_or_joined(scanner, parse_identifier))


def parse_identifier(scanner: Scanner) -> str:
    """Letters, digits, `_`, `$` and blanks; also a type after `::`."""
    return scanner.many(IDENTIFIER, "letter", "digit", at_least=1).strip()


def parse_delimiter(scanner: Scanner) -> None:
    scanner.labelled(DELIMITER, lambda: scanner.string("."))


def parse_field(scanner: Scanner) -> Field:
    """A column with its JSON path, blanks around it.

    >>> parse_field(Scanner("data->a->>0"))
    Field(name='data', path=(JsonStep(key='a', as_text=False, is_index=False), \
JsonStep(key='0', as_text=True, is_index=True)))
    """
    scanner.blanks()
    name = parse_name(scanner)
    path = parse_json_path(scanner)
    scanner.blanks()
    return Field(name, path)


def parse_json_path(scanner: Scanner) -> tuple[JsonStep, ...]:
    """Any number of `->key` and `->>key`."""
    return tuple(scanner.repeated(lambda: _json_step(scanner), "->"))


def _json_step(scanner: Scanner) -> JsonStep:
    arrow = scanner.one_of(("->>", "->"))
    return scanner.choice(
        lambda: scanner.attempt(lambda: _json_index(scanner, arrow == "->>")),
        lambda: scanner.attempt(lambda: _json_key(scanner, arrow == "->>")),
    )


def _json_index(scanner: Scanner, as_text: bool) -> JsonStep:
    sign = scanner.optional(lambda: scanner.string("-")) or ""
    digits = scanner.many(DIGITS, "digit", at_least=1)
    scanner.end_or("->", "::", ".", ",")
    return JsonStep(sign + digits, as_text, is_index=True)


def _json_key(scanner: Scanner, as_text: bool) -> JsonStep:
    key = scanner.labelled(JSON_KEY, lambda: _quoted_or_joined(scanner, _json_word))
    return JsonStep(key, as_text)


def _json_word(scanner: Scanner) -> str:
    return scanner.many(KEY, at_least=1).strip()


def _quoted_or_joined(scanner: Scanner, part: Callable[[Scanner], str]) -> str:
    """A quoted text, or parts joined by dashes."""
    if scanner.peek('"'):
        return parse_quoted(scanner)
    scanner.note(scanner.next, QUOTE)
    parts = scanner.separated(lambda: part(scanner), lambda: scanner.attempt(lambda: _dash(scanner)), "-")
    return parts[0] if len(parts) == 1 else "-".join(parts)


def _dash(scanner: Scanner) -> None:
    scanner.string("-")
    scanner.not_followed_by(">".__eq__, '">"')
