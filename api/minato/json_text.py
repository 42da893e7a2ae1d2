"""JSON as this server writes it, and JSON with comments as people write it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

# A JSON object of somebody else's making: nobody promises what its members are, so who reads one checks it.
JsonObject = dict[str, Any]
JsonMapping = Mapping[str, Any]
# A text, or what JSON does not know: comments, and then the last commas, which comments may follow.
_TEXT: Final = r'("(?:[^"\\]|\\.)*")'
_COMMENT: Final = re.compile(_TEXT + r"|//[^\n]*|/\*.*?\*/", re.S)
_LAST_COMMA: Final = re.compile(_TEXT + r"|,(?=\s*[}\]])", re.S)


def encode(value: object) -> bytes:
    """Compact JSON; a lone surrogate, which JSON can't carry as UTF-8, becomes a question mark."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_without_surrogates(value))


def read_jsonc(text: str) -> object:
    """A document with comments and last commas. Raises ValueError, RecursionError.

    >>> read_jsonc('{"a": 1, /* b */} // c')
    {'a': 1}
    """
    for unknown in (_COMMENT, _LAST_COMMA):
        text = unknown.sub(lambda found: found[1] or "", text)
    return json.loads(text)


def _without_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value
