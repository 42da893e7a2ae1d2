"""Metadata of an account: what is given is laid over what is known."""

from __future__ import annotations

from typing import Any


def merged(known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Shallow; null removes a key.

    >>> merged({"a": 1, "b": 2}, {"b": None, "c": 3})
    {'a': 1, 'c': 3}
    """
    return {key: value for key, value in {**known, **given}.items() if value is not None}
