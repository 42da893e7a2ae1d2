"""The filters of a query on metadata, and what they are in SQL.

A filter is `{"$and": [filter, …]}`, `{"$or": [filter, …]}`, or conditions by metadata key that must all hold: a scalar,
which is to be equal, or operators (`{"year": {"$gte": 1990, "$lt": 2000}}`). Shapes are those of supabase/storage
http/routes/vector/query-vectors.ts. What they mean is Amazon S3 Vectors': types count, so the number 1 is not the text
"1"; a list equals what it contains; a key that is not there fits nothing but `{"$exists": false}`.

jsonb compares by type, and numbers by value. Keys and values are parameters, never SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from minato.json_text import JsonObject
from minato.storage.errors import StorageError, invalid_request
from minato.storage.vectors.errors import invalid

Scalar = str | int | float | bool
ORDERED = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
EQUAL, LISTED = ("$eq", "$ne"), ("$in", "$nin")
OPERATORS = (*EQUAL, *ORDERED, *LISTED, "$exists")
GROUPS = {"$and": " and ", "$or": " or "}
# Each may become two parameters of a statement and some stack of PostgreSQL's, which has neither without end.
MOST_CONDITIONS = 1000
DEEPEST = 32


@dataclass(frozen=True, slots=True)
class Condition:
    """What the metadata `key` must be; `value` is what stands behind the operator."""

    key: str
    operator: str
    value: Scalar | list[Scalar]


@dataclass(frozen=True, slots=True)
class Group:
    """`parts` of which all must hold (`$and`) or one (`$or`)."""

    operator: str
    parts: tuple[Filter, ...]


Filter = Condition | Group


def read_filter(value: object, hidden: frozenset[str] = frozenset()) -> Filter:
    """The filter in a query. Raises InvalidRequest, and InvalidParameter for one on a key that is `hidden`."""
    found = _read(value, 1)
    count = 0
    for condition in conditions(found):
        count += 1
        if condition.key in hidden:
            raise invalid(f'Metadata key "{condition.key}" is configured as non-filterable')
    if count > MOST_CONDITIONS:
        raise invalid(f"filter must have at most {MOST_CONDITIONS} conditions")
    return found


def conditions(wanted: Filter) -> Iterator[Condition]:
    """Every condition of a filter."""
    if isinstance(wanted, Condition):
        yield wanted
        return
    for part in wanted.parts:
        yield from conditions(part)


def _read(value: object, depth: int) -> Filter:
    if depth > DEEPEST:
        raise invalid(f"filter must not be nested deeper than {DEEPEST}")
    if not isinstance(value, dict):
        raise _misread("a filter is an object")
    if not value:
        raise invalid("Filter must contain at least one clause")
    for operator in GROUPS:
        if operator in value:
            return Group(operator, _parts(operator, value, depth))
    return Group("$and", tuple(found for key, wanted in value.items() for found in _of_key(key, wanted)))


def _parts(operator: str, value: JsonObject, depth: int) -> tuple[Filter, ...]:
    parts = value[operator]
    if len(value) > 1:
        raise _misread(f"{operator} stands alone in its object")
    if not isinstance(parts, list) or not parts:
        raise _misread(f"{operator} takes a list of filters that is not empty")
    return tuple(_read(part, depth + 1) for part in parts)


def _of_key(key: str, wanted: object) -> Iterator[Condition]:
    if key.startswith("$"):
        raise _misread(f"{key} can't stand where a metadata key does")
    if not isinstance(wanted, dict):
        yield Condition(key, "$eq", _scalar("$eq", wanted))
        return
    if not wanted:
        raise _misread("an object of operators is not empty")
    for operator, value in wanted.items():
        yield Condition(key, operator, _operand(operator, value))


def _operand(operator: str, value: object) -> Scalar | list[Scalar]:
    if operator in EQUAL:
        return _scalar(operator, value)
    if operator in LISTED:
        if not isinstance(value, list) or not value:
            raise _misread(f"{operator} takes a list that is not empty")
        return [_scalar(operator, item) for item in value]
    if operator in ORDERED:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _misread(f"{operator} takes a number")
        return value
    if operator != "$exists":
        raise _misread(f"{operator} is no operator; there are {', '.join((*OPERATORS, *GROUPS))}")
    if not isinstance(value, bool):
        raise _misread("$exists takes true or false")
    return value


def _scalar(operator: str, value: object) -> Scalar:
    if not isinstance(value, str | int | float | bool):
        raise _misread(f"{operator} takes a string, a number or a boolean")
    return value


def _misread(message: str) -> StorageError:
    return invalid_request(f"body/filter must match a schema in anyOf: {message}", "Error")


def as_sql(wanted: Filter, column: str, values: list[object]) -> str:
    """The filter as a condition on the jsonb `column`; what it compares with is added to the statement's `values`.

    A comparison with a key that is not there is null, which counts as false: nothing in the language turns it round.

    >>> as_sql(Condition("year", "$gte", 1990), "metadata", values := ["before"]), values
    ("(jsonb_typeof(metadata -> $2) = 'number' and metadata -> $2 >= $3::text::jsonb)", ['before', 'year', '1990'])
    """
    if isinstance(wanted, Group):
        parts = [as_sql(part, column, values) for part in wanted.parts]
        return f"({GROUPS[wanted.operator].join(parts)})"
    key = _bound(values, wanted.key)
    if wanted.operator == "$exists":
        return f"jsonb_exists({column}, {key})" if wanted.value else f"(not jsonb_exists({column}, {key}))"
    found = f"{column} -> {key}"
    if wanted.operator in ORDERED:
        value = f"{_bound(values, _json(wanted.value))}::text::jsonb"
        return f"(jsonb_typeof({found}) = 'number' and {found} {ORDERED[wanted.operator]} {value})"
    return _equality(wanted, found, values)


def _equality(wanted: Condition, found: str, values: list[object]) -> str:
    """A jsonb list contains its items, and a scalar nothing but itself."""
    if isinstance(wanted.value, list):
        among = _bound(values, [_json(item) for item in wanted.value])
        equal = f"{found} @> any ({among}::text[]::jsonb[])"
    else:
        equal = f"{found} @> {_bound(values, _json(wanted.value))}::text::jsonb"
    return f"(not ({equal}))" if wanted.operator in ("$ne", "$nin") else f"({equal})"


def _bound(values: list[object], value: object) -> str:
    values.append(value)
    return f"${len(values)}"


def _json(value: object) -> str:
    return orjson.dumps(value).decode()
