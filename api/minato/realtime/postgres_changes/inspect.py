"""Values as the reference prints them in its error texts: Elixir terms."""

from __future__ import annotations

import orjson


def inspect_term(value: object) -> str:
    """A JSON value as an Elixir term.

    >>> inspect_term({"a": ["x", 1, None, True]})
    '%{"a" => ["x", 1, nil, true]}'
    """
    if isinstance(value, dict):
        pairs = ", ".join(f"{inspect_term(key)} => {inspect_term(item)}" for key, item in sorted(value.items()))
        return "%{" + pairs + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inspect_term, value)) + "]"
    if isinstance(value, tuple):
        return "{" + ", ".join(map(inspect_term, value)) + "}"
    return "nil" if value is None else orjson.dumps(value).decode()
