"""The grammar of names: columns, relations, JSON paths, types. Used by select, filters and order alike."""

from __future__ import annotations

from api.rest.parse.scanner import Scanner
from api.rest.parse.syntax import Field, JsonStep

FIELD_NAME = "field name (* or [a..z0..9_$])"
JSON_KEY = "any non reserved character different from: .,>()"


def parse_quoted(scanner: Scanner) -> str:
    r"""`"…"`, a backslash taking the next character as it is.

    >>> parse_quoted(Scanner(r'"a\"b,c"'))
    'a"b,c'
    """
    scanner.expect('"')
    parts: list[str] = []
    while True:
        parts.append(scanner.take_until('"\\'))
        if scanner.take('"'):
            return "".join(parts)
        if not scanner.take("\\") or scanner.at_end:
            raise scanner.fail('"\\""')
        parts.append(scanner.text[scanner.position])
        scanner.position += 1


def parse_name(scanner: Scanner) -> str:
    """A column or relation name; quoted, or identifiers joined by dashes.

    >>> parse_name(Scanner("first-name->x"))
    'first-name'
    """
    if scanner.peek('"'):
        return parse_quoted(scanner)
    parts = [_identifier(scanner, FIELD_NAME)]
    while scanner.peek("-") and not scanner.peek("->"):
        scanner.position += 1
        parts.append(_identifier(scanner, "letter, digit or _"))
    scanner.note("letter", "digit", '"-"')
    return "-".join(parts)


def parse_type(scanner: Scanner) -> str:
    """A type after `::`; letters, digits, `_`, `$` and blanks."""
    return _identifier(scanner, "letter, digit or _")


def parse_field(scanner: Scanner) -> Field:
    """A column with its JSON path.

    >>> parse_field(Scanner("data->a->>0"))
    Field(name='data', path=(JsonStep(key='a', as_text=False, is_index=False), \
JsonStep(key='0', as_text=True, is_index=True)))
    """
    scanner.skip_blanks()
    name = parse_name(scanner)
    path = parse_json_path(scanner)
    scanner.skip_blanks()
    return Field(name, path)


def parse_json_path(scanner: Scanner) -> tuple[JsonStep, ...]:
    """Any number of `->key` and `->>key`."""
    steps: list[JsonStep] = []
    while scanner.peek("->"):
        as_text = scanner.peek("->>")
        scanner.position += 3 if as_text else 2
        steps.append(_json_step(scanner, as_text))
    scanner.note('"->>"', '"->"')
    return tuple(steps)


def _json_step(scanner: Scanner, as_text: bool) -> JsonStep:
    start = scanner.position
    index = _json_index(scanner)
    if index is not None:
        return JsonStep(index, as_text, is_index=True)
    scanner.position = start
    if scanner.peek('"'):
        return JsonStep(parse_quoted(scanner), as_text)
    parts = [_json_word(scanner)]
    while scanner.peek("-") and not scanner.peek("->"):
        scanner.position += 1
        parts.append(_json_word(scanner))
    return JsonStep("-".join(parts), as_text)


def _json_index(scanner: Scanner) -> str | None:
    sign = "-" if scanner.peek("-") else ""
    scanner.position += len(sign)
    start = scanner.position
    while not scanner.at_end and scanner.text[scanner.position] in "0123456789":
        scanner.position += 1
    digits = scanner.text[start : scanner.position]
    ended = scanner.at_end or any(scanner.peek(token) for token in ("->", "::", ".", ","))
    return sign + digits if digits and ended else None


def _json_word(scanner: Scanner) -> str:
    word = scanner.take_until("(-:.,>)")
    if not word:
        raise scanner.fail(JSON_KEY)
    return word.strip()


def _identifier(scanner: Scanner, expected: str) -> str:
    start = scanner.position
    text = scanner.text
    position = start
    while position < len(text) and (text[position].isalnum() or text[position] in "_ $"):
        position += 1
    if position == start:
        raise scanner.fail(expected)
    scanner.position = position
    return text[start:position].strip()
