"""The request body: JSON whatever its Content-Type, read field by field with the refusals of Go's parser.

Unknown fields are ignored, `null` is the same as absent.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from api.auth.errors import AuthError, bad_json

LIMIT = 1024 * 1024
T = TypeVar("T")
GO_KINDS = {str: "string", bool: "bool", int: "number", float: "number", dict: "object", list: "array"}


class Body:
    """Typed access to the fields of a JSON object. `struct` is the name Go's errors give it."""

    def __init__(self, fields: dict[str, Any], struct: str) -> None:
        self._fields = fields
        self._struct = struct

    def text(self, name: str) -> str:
        """A string; empty when absent."""
        return self._typed(name, str, "string") or ""

    def optional_text(self, name: str) -> str | None:
        """A string, None when absent."""
        return self._typed(name, str, "string")

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean."""
        value = self._typed(name, bool, "bool")
        return default if value is None else value

    def mapping(self, name: str) -> dict[str, Any] | None:
        """An object, None when absent."""
        return self._typed(name, dict, "map[string]interface {}")

    def number(self, name: str) -> int | None:
        """A whole number, None when absent."""
        return self._typed(name, int, "int")

    def _typed(self, name: str, kind: type[T], go_type: str) -> T | None:
        value = self._fields.get(name)
        if value is None:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            found = GO_KINDS.get(type(value), "value")
            raise bad_json(
                f"json: cannot unmarshal {found} into Go struct field {self._struct}.{name} of type {go_type}"
            )
        return value


def parse_body(raw: bytes, struct: str, *, optional: bool = False) -> Body:
    """The body as an object. With `optional` an empty one is fine. Raises `400 bad_json`."""
    if not raw.strip():
        if optional:
            return Body({}, struct)
        raise bad_json("unexpected end of JSON input")
    try:
        value = json.loads(raw)
    except UnicodeDecodeError as error:
        raise bad_json("invalid character in string literal") from error
    except json.JSONDecodeError as error:
        raise bad_json(_go_text(raw, error)) from error
    except RecursionError as error:
        raise bad_json("exceeded max depth") from error
    if value is None:
        return Body({}, struct)
    if not isinstance(value, dict):
        found = GO_KINDS.get(type(value), "value")
        raise bad_json(f"json: cannot unmarshal {found} into Go value of type api.{struct}")
    return Body(value, struct)


def too_large() -> AuthError:
    """The body went over the limit."""
    return AuthError(413, "request_entity_too_large", f"Request body too large (max {LIMIT} bytes)")


def _go_text(raw: bytes, error: json.JSONDecodeError) -> str:
    rest = error.doc[error.pos : error.pos + 1]
    if not rest:
        return "unexpected end of JSON input"
    if error.pos == 0 or not raw.lstrip().startswith((b"{", b"[")):
        return f"invalid character {rest!r} looking for beginning of value"
    if error.msg.startswith("Expecting property name"):
        return f"invalid character {rest!r} looking for beginning of object key string"
    if error.msg.startswith("Expecting ':'"):
        return f"invalid character {rest!r} after object key"
    if error.msg.startswith("Expecting ','"):
        return f"invalid character {rest!r} after object key:value pair"
    if error.msg.startswith("Extra data"):
        return f"invalid character {rest!r} after top-level value"
    return f"invalid character {rest!r} looking for beginning of value"
