"""Request bodies: JSON text to a dataclass of parameters, refused in the words of Go's decoder."""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields
from typing import NoReturn, TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

from minato.auth.wire.errors import AuthError

P = TypeVar("P")

# annotation of a field → what Go calls its type, and the Python types that fit
_KINDS: dict[str, tuple[str, type | tuple[type, ...]]] = {
    "str": ("string", str),
    "bool": ("bool", bool),
    "list[str]": ("[]string", list),
    "dict[str, object]": ("map[string]interface {}", dict),
    "object": ("json.RawMessage", object),
}
COMPLAINT = "Could not parse request body as JSON: "
_LITERALS = {"t": "true", "f": "false", "n": "null"}
# with and without hyphens, in braces, as a URN
_LENGTHS_OF_UUIDS = (32, 34, 36, 38, 41, 45)
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_params(kind: type[P], body: bytes) -> P:
    """The parameters in `body`; unknown fields are ignored and null is absent. Raises 400 bad_json."""
    document = parse_json(body)
    if document is None:
        return kind()
    if not isinstance(document, dict):
        _refuse(f"json: cannot unmarshal {_go_kind(document)} into Go value of type api.{kind.__name__}")
    lowered = {name.lower(): value for name, value in document.items()}
    given: dict[str, object] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = document.get(field.name, lowered.get(field.name))
        if value is None:
            continue
        go_type, fitting = _KINDS[str(field.type).removesuffix(" | None")]
        if not isinstance(value, fitting):
            where = f"{kind.__name__}.{field.name} of type {go_type}"
            _refuse(f"json: cannot unmarshal {_go_kind(value)} into Go struct field {where}")
        where = f"{kind.__name__}.{field.name}"
        given[field.name] = [_text(item, where) for item in value] if isinstance(value, list) else value
    return kind(**given)


def parse_first(kind: type[P], body: bytes, complaint: str) -> P:
    """`parse_params` of the first value in `body`, as Go's decoder of a stream reads it, in its words for an end."""
    text = body.decode("utf-8", "replace")
    try:
        _, end = json.JSONDecoder().raw_decode(text, len(text) - len(text.lstrip()))
        text = text[:end]
    except (json.JSONDecodeError, RecursionError):
        pass
    try:
        return parse_params(kind, text.encode())
    except AuthError as error:
        reason = error.message.removeprefix(COMPLAINT)
        if reason == "unexpected end of JSON input":
            reason = "unexpected EOF" if text.strip() else "EOF"
        raise AuthError(400, error.code, f"{complaint}{reason}") from error


def parse_form(body: bytes) -> dict[str, str]:
    """The values of a form, without NUL; of a name given twice the first, as Go has it.

    >>> parse_form(b"a=1&a=2&b=")
    {'b': '', 'a': '1'}
    """
    pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
    return {name: without_nul(value) for name, value in reversed(pairs)}


def without_nul(text: str) -> str:
    """`text` with U+FFFD in place of NUL, which PostgreSQL keeps in no text: what is looked up by it is not found.

    >>> without_nul("a\\0")
    'a�'
    """
    return text.replace("\0", "\ufffd")


def parse_uuid(text: str) -> UUID:
    """An id in a body. Raises 400 bad_json."""
    try:
        return UUID(text)
    except ValueError:
        reason = "format" if len(text.encode()) in _LENGTHS_OF_UUIDS else f"length {len(text.encode())}"
        _refuse(f'uuid: incorrect UUID {reason} in string "{text}"')


def _text(item: object, where: str) -> str:
    """One of a list of texts; null in it is an empty one."""
    if not isinstance(item, str | None):
        _refuse(f"json: cannot unmarshal {_go_kind(item)} into Go struct field {where} of type string")
    return item or ""


def parse_json(body: bytes) -> object:
    """The value in `body`. Broken UTF-8 and lone surrogates become U+FFFD, as in Go."""
    text = body.decode("utf-8", "replace")
    try:
        return _clean(json.loads(text, parse_constant=_refuse_constant, parse_float=_number, parse_int=_number))
    except json.JSONDecodeError as error:
        _refuse(syntax_error(text, error))
    except RecursionError:
        _refuse("exceeded max depth")


def syntax_error(text: str, error: json.JSONDecodeError) -> str:
    """Go's sentence for what Python's decoder stumbled over."""
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return "unexpected end of JSON input"
    found = text[error.pos]
    literal = _LITERALS.get(found)
    if error.msg == "Expecting value" and literal is not None:
        return _literal_error(text[error.pos :], literal)
    shown = {"'": r"'\''", '"': "'\"'"}.get(found, f"'{found}'")
    return f"invalid character {shown} {_expectation(text, error)}"


def _expectation(text: str, error: json.JSONDecodeError) -> str:
    message = error.msg
    if message.startswith("Expecting property name"):
        return "looking for beginning of object key string"
    if message.startswith("Illegal trailing comma"):
        return "looking for beginning of value"
    if message.startswith("Expecting ':'"):
        return "after object key"
    if message.startswith("Expecting ','"):
        return "after object key:value pair" if _innermost(text[: error.pos]) == "{" else "after array element"
    if message.startswith("Extra data"):
        return "after top-level value"
    if message.startswith("Invalid control character"):
        return "in string literal"
    if message.startswith("Invalid \\"):
        return "in string escape code"
    return "looking for beginning of value"


def _literal_error(rest: str, literal: str) -> str:
    for position, wanted in enumerate(literal):
        if position >= len(rest):
            return "unexpected end of JSON input"
        if rest[position] != wanted:
            return f"invalid character '{rest[position]}' in literal {literal} (expecting '{wanted}')"
    return "unexpected end of JSON input"


def _innermost(text: str) -> str:
    opened: list[str] = []
    for mark in re.sub(r'"(?:\\.|[^"\\])*"', "", text):
        if mark in "{[":
            opened.append(mark)
        elif mark in "}]" and opened:
            opened.pop()
    return opened[-1] if opened else ""


def _clean(value: object) -> object:
    if isinstance(value, str):
        if "\0" in value:
            # PostgreSQL keeps no NUL in text nor jsonb; refused here, it is the sender's fault and not a 500.
            _refuse("invalid character '\\x00' in string literal")
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return value


def _number(text: str) -> int | float:
    """Numbers that a float64 cannot hold are refused, as Go's decoder does."""
    value = float(text)
    if math.isinf(value):
        _refuse(f"json: cannot unmarshal number {text} into Go value of type float64")
    return value if set(text) & set(".eE") else int(text)


def _go_kind(value: object) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _refuse_constant(name: str) -> NoReturn:
    _refuse(f"invalid character '{name[0]}' looking for beginning of value")


def _refuse(message: str) -> NoReturn:
    raise AuthError(400, "bad_json", f"{COMPLAINT}{message}")
