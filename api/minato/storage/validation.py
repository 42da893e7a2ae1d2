"""Checks bodies and queries against a small part of JSON Schema, with the coercions and texts of ajv.

A value that would fit if written otherwise is written otherwise ("60" for 60, a scalar for a list of one); the first
thing that is wrong is reported, as fastify does.
"""

from __future__ import annotations

import re
from typing import Any

from minato.json_text import JsonMapping
from minato.storage.errors import invalid_request

Schema = JsonMapping

# Parts of the request schemas that several endpoints share.
SIZE_PATTERN = r"^[0-9]+(?:\.[0-9]+)?(?:[gG][bB]|[mM][bB]|[kK][bB]|[bB])$"
BUCKET_LIMITS: Schema = {
    "public": {"type": "boolean"},
    "file_size_limit": {
        "anyOf": [
            {"type": "integer", "minimum": 0, "nullable": True},
            {"type": "string", "pattern": SIZE_PATTERN, "nullable": True},
        ]
    },
    "allowed_mime_types": {"type": "array", "items": {"type": "string"}, "nullable": True},
}
ORDER: Schema = {"type": "string", "enum": ["asc", "desc"]}
# A hundred years: what ends later than the year 9999 has no date.
EXPIRES_IN: Schema = {"type": "integer", "minimum": 1, "maximum": 100 * 365 * 86_400}
TOKEN_QUERY: Schema = {"type": "object", "required": ["token"], "properties": {"token": {"type": "string"}}}
# Move and copy name their objects alike.
SOURCE_AND_TARGET: Schema = {
    "bucketId": {"type": "string"},
    "sourceKey": {"type": "string"},
    "destinationBucket": {"type": "string"},
    "destinationKey": {"type": "string"},
}
SOURCE_AND_TARGET_REQUIRED = ["sourceKey", "bucketId", "destinationKey"]


class Invalid(Exception):
    """A value that does not fit; `messages` are ajv's."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


def validate(schema: Schema, value: Any, place: str) -> Any:
    """`value` as the schema wants it, unknown properties kept; `place` is body or querystring."""
    try:
        return _check(schema, value, place)
    except Invalid as error:
        raise invalid_request(", ".join(error.messages), "Error") from None


def _check(schema: Schema, value: Any, place: str) -> Any:
    if "anyOf" in schema and "type" not in schema:
        return _any_of(schema["anyOf"], value, place)
    value = _of_type(schema, value, place)
    if value is None:
        return None
    if "enum" in schema and value not in schema["enum"]:
        raise Invalid(f"{place} must be equal to one of the allowed values")
    if "minimum" in schema and value < schema["minimum"]:
        raise Invalid(f"{place} must be >= {schema['minimum']}")
    if "maximum" in schema and value > schema["maximum"]:
        raise Invalid(f"{place} must be <= {schema['maximum']}")
    if "pattern" in schema and not re.search(schema["pattern"], value, re.ASCII):
        raise Invalid(f'{place} must match pattern "{schema["pattern"]}"')
    if isinstance(value, list):
        return _items(schema, value, place)
    return _properties(schema, value, place) if isinstance(value, dict) else value


def _any_of(choices: list[Schema], value: object, place: str) -> object:
    messages: list[str] = []
    for choice in choices:
        try:
            return _check(choice, value, place)
        except Invalid as error:
            messages += error.messages
    raise Invalid(*messages, f"{place} must match a schema in anyOf")


def _items(schema: Schema, value: list[object], place: str) -> list[object]:
    if len(value) < schema.get("minItems", 0):
        raise Invalid(f"{place} must NOT have fewer than {schema['minItems']} items")
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        raise Invalid(f"{place} must NOT have more than {schema['maxItems']} items")
    return [_check(schema["items"], item, f"{place}/{number}") for number, item in enumerate(value)]


def _properties(schema: Schema, value: dict[str, object], place: str) -> dict[str, object]:
    for name in schema.get("required", ()):
        if name not in value:
            raise Invalid(f"{place} must have required property '{name}'")
    known = schema.get("properties", {})
    checked = {name: _check(known[name], item, f"{place}/{name}") for name, item in value.items() if name in known}
    wanted = schema.get("requireAny", ())
    if wanted and not any(name in value for name in wanted):
        missing = [f"{place} must have required property '{name}'" for name in wanted]
        raise Invalid(*missing, f"{place} must match a schema in anyOf")
    return {**value, **checked}


def _of_type(schema: Schema, value: object, place: str) -> object:
    kind = schema["type"]
    if value is None and schema.get("nullable"):
        return None
    if kind != "array" and isinstance(value, list) and len(value) == 1 and kind != "object":
        value = value[0]
    coerced, fits = _COERCE[kind](value)
    if not fits:
        raise Invalid(f"{place} must be {kind}")
    return coerced


def _string(value: object) -> tuple[object, bool]:
    if isinstance(value, bool):
        return str(value).lower(), True
    if isinstance(value, int | float):
        return str(value), True
    return ("", True) if value is None else (value, isinstance(value, str))


def _integer(value: object) -> tuple[object, bool]:
    if value is None or isinstance(value, bool):
        return int(bool(value)), True
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,18}", value, re.ASCII):
        return int(value), True
    if isinstance(value, float) and value.is_integer():
        return int(value), True
    return value, isinstance(value, int)


def _number(value: object) -> tuple[object, bool]:
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,18}(\.\d{1,18})?", value, re.ASCII):
        return float(value), True
    return value, isinstance(value, int | float) and not isinstance(value, bool)


def _boolean(value: object) -> tuple[object, bool]:
    if isinstance(value, bool):
        return value, True
    if value is None or value in ("false", 0):
        return False, True
    return True, value in ("true", 1)


def _array(value: object) -> tuple[object, bool]:
    return (value, not isinstance(value, dict)) if isinstance(value, list | dict) else ([value], True)


def _object(value: object) -> tuple[object, bool]:
    return value, isinstance(value, dict)


_COERCE = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "array": _array,
    "object": _object,
}
