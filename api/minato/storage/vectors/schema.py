"""Checks a JSON body against a part of JSON Schema and changes nothing in it; the texts are ajv's.

The reference reads vectors with a validator of their own that coerces no type and tells everything that is wrong:
supabase/storage http/routes/vector/validation.ts. `minato.storage.validation` is the one of the other routes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

from minato.json_text import JsonMapping, JsonObject
from minato.storage.errors import invalid_request

Schema = JsonMapping
# A body of half a million wrong numbers has an answer of a few lines.
MOST_PROBLEMS = 20
NUMBERS = frozenset({int, float})


def require(schema: Schema, body: object) -> JsonObject:
    """The body, an object that the schema fits. Raises InvalidRequest."""
    found = list(islice(problems(schema, body, "body"), MOST_PROBLEMS))
    if found or not isinstance(body, dict):
        raise invalid_request(", ".join(found), "Error")
    return body


def problems(schema: Schema, value: object, place: str) -> Iterator[str]:
    """What is wrong with `value`, which stands at `place`, a JSON pointer behind the word body."""
    if "anyOf" in schema:
        yield from _any_of(schema["anyOf"], value, place)
        return
    if not _TYPES[schema["type"]](value):
        yield f"{place} must be {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} must be equal to one of the allowed values"
    if isinstance(value, str):
        yield from _of_text(schema, value, place)
    elif isinstance(value, list):
        yield from _of_array(schema, value, place)
    elif isinstance(value, dict):
        yield from _of_object(schema, value, place)
    elif isinstance(value, int | float):
        yield from _of_number(schema, value, place)


def _any_of(choices: list[Schema], value: object, place: str) -> Iterator[str]:
    told: list[str] = []
    for choice in choices:
        found = list(islice(problems(choice, value, place), MOST_PROBLEMS))
        if not found:
            return
        told += found
    yield from told
    yield f"{place} must match a schema in anyOf"


def _of_number(schema: Schema, value: float, place: str) -> Iterator[str]:
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{place} must be <= {schema['maximum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{place} must be >= {schema['minimum']}"


def _of_text(schema: Schema, value: str, place: str) -> Iterator[str]:
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        yield f"{place} must NOT have more than {schema['maxLength']} characters"
    if len(value) < schema.get("minLength", 0):
        yield f"{place} must NOT have fewer than {schema['minLength']} characters"
    # Not `search`, whose `$` lets a line feed through.
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value, re.ASCII):
        yield f'{place} must match pattern "{schema["pattern"]}"'


def _of_array(schema: Schema, value: list[object], place: str) -> Iterator[str]:
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        yield f"{place} must NOT have more than {schema['maxItems']} items"
        return
    if len(value) < schema.get("minItems", 0):
        yield f"{place} must NOT have fewer than {schema['minItems']} items"
    if schema["items"] == {"type": "number"} and NUMBERS.issuperset(map(type, value)):
        # Two million of them are looked at in no time this way.
        return
    wrong = False
    for number, item in enumerate(value):
        for problem in problems(schema["items"], item, f"{place}/{number}"):
            wrong = True
            yield problem
    if schema.get("uniqueItems") and not wrong:
        yield from _repeated(value, place)


def _repeated(value: list[object], place: str) -> Iterator[str]:
    """The items that are there twice, found from the end as ajv does; they are strings."""
    seen: dict[object, int] = {}
    for number in range(len(value) - 1, -1, -1):
        if value[number] in seen:
            later = seen[value[number]]
            yield f"{place} must NOT have duplicate items (items ## {later} and {number} are identical)"
            return
        seen[value[number]] = number


def _of_object(schema: Schema, value: JsonObject, place: str) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{place} must have required property '{name}'"
    known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in known:
            yield from problems(known[name], item, f"{place}/{name}")
        elif others is False:
            yield f"{place} must NOT have additional properties"
        elif others is not True:
            escaped = name.replace("~", "~0").replace("/", "~1")
            yield from problems(others, item, f"{place}/{escaped}")


def _is_integer(value: object) -> bool:
    return type(value) is int or (isinstance(value, float) and value.is_integer())


_TYPES: dict[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: type(value) in NUMBERS,
    # 3.0 is one: JSON does not tell it from 3.
    "integer": _is_integer,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}
