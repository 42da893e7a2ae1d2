"""Filters on metadata and what they mean, told twice: in Python here, in SQL by the program."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

KEYS = ["a", "b", 'it"s', "$odd key"]
# Few values, so that they meet; some that look alike and are of different types.
SCALARS = [0, 1, 1.0, -2.5, 1e300, 12345678901234567890, "", "1", "1.0", "true", "a", "é🗝", "' or true --", True, False]
scalars = st.sampled_from(SCALARS)
numbers = st.sampled_from([value for value in SCALARS if not isinstance(value, str | bool)])
metadata = st.dictionaries(st.sampled_from(KEYS), scalars | st.lists(scalars, max_size=3), max_size=4)
operators = (
    st.fixed_dictionaries(
        {},
        optional={
            **dict.fromkeys(("$eq", "$ne"), scalars),
            **dict.fromkeys(("$gt", "$gte", "$lt", "$lte"), numbers),
            **{name: st.lists(scalars, min_size=1, max_size=3) for name in ("$in", "$nin")},
            "$exists": st.booleans(),
        },
    )
    .filter(bool)
    .map(lambda found: dict(list(found.items())[:2]))
)
fields = st.dictionaries(
    st.sampled_from([key for key in KEYS if not key.startswith("$")]), scalars | operators, min_size=1, max_size=2
)
filters = st.recursive(
    fields,
    lambda inner: st.lists(inner, min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from([{"$and": parts}, {"$or": parts}])
    ),
    max_leaves=5,
)
ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def fits(wanted: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether the metadata `found` fits the filter `wanted`."""
    if "$and" in wanted:
        return all(fits(part, found) for part in wanted["$and"])
    if "$or" in wanted:
        return any(fits(part, found) for part in wanted["$or"])
    return all(_holds(found, key, condition) for key, condition in wanted.items())


def _holds(found: dict[str, Any], key: str, condition: Any) -> bool:
    asked = condition if isinstance(condition, dict) else {"$eq": condition}
    return all(_compares(name, value, key in found, found.get(key)) for name, value in asked.items())


def _compares(name: str, value: Any, present: bool, found: Any) -> bool:
    if name == "$exists":
        return present is value
    if not present:
        return False
    if name in ORDERS:
        if isinstance(found, bool) or not isinstance(found, int | float):
            return False
        return bool(ORDERS[name](found, value))
    among = value if isinstance(value, list) else [value]
    items = found if isinstance(found, list) else [found]
    met = any(_same(one, item) for one in among for item in items)
    return met if name in ("$eq", "$in") else not met


def _same(one: Any, other: Any) -> bool:
    """A number is no text, and true is not 1."""
    return _kind(one) == _kind(other) and bool(one == other)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "text" if isinstance(value, str) else "number"
