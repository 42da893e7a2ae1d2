"""PostgreSQL's types and defaults as OpenAPI has them."""

from __future__ import annotations

import orjson

from minato.json_text import JsonObject

JSON = JsonObject
FORMATS = {"smallint": "int32", "integer": "int32", "bigint": "int64"}
TYPES = {
    "boolean": "boolean",
    "smallint": "integer",
    "integer": "integer",
    "bigint": "integer",
    "numeric": "number",
    "real": "number",
    "double precision": "number",
}


def described_type(name: str) -> JSON:
    """`format` and, unless any JSON fits, `type`.

    >>> described_type("bigint"), described_type("text[]")
    ({'format': 'int64', 'type': 'integer'}, {'format': 'text[]', 'type': 'array', 'items': {'type': 'string'}})
    """
    described: JSON = {"format": FORMATS.get(name, name)}
    if name.endswith("[]"):
        return {**described, "type": "array", "items": _typed(name.removesuffix("[]"))}
    return {**described, **_typed(name)}


def default_value(type_name: str, expression: str | None) -> JSON:
    """`default`, where the expression is a constant JSON can say; of strings, the expression itself.

    >>> default_value("text", "'none'::text"), default_value("integer", "7"), default_value("integer", "next()")
    ({'default': 'none'}, {'default': 7}, {})
    """
    if expression is None:
        return {}
    if described_type(type_name).get("type") == "string":
        literal = expression.removesuffix(f"::{type_name}")
        return {"default": literal.strip("'") if literal != expression else expression}
    try:
        return {"default": orjson.loads(expression)}
    except orjson.JSONDecodeError:
        return {}


def _typed(name: str) -> JSON:
    return {} if name in ("json", "jsonb") else {"type": TYPES.get(name, "string")}
