"""JSON as this server writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

# A JSON object of somebody else's making: nobody promises what its members are, so who reads one checks it.
JsonObject = dict[str, Any]
JsonMapping = Mapping[str, Any]


def encode(value: object) -> bytes:
    """Compact JSON; a lone surrogate, which JSON can't carry as UTF-8, becomes a question mark."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_without_surrogates(value))


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value
