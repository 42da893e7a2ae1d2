"""Names of a database as names of a program: ASCII letters and digits, everything else parts the words."""

from __future__ import annotations

import json
import re
from typing import Final

_OTHERS: Final = re.compile(r"[^a-zA-Z0-9]")
_RUNS_OF_OTHERS: Final = re.compile(r"[^a-zA-Z0-9]+")


def pascal(name: str) -> str:
    """
    >>> pascal("odd name"), pascal("userID"), pascal("été")
    ('OddName', 'UserID', 'T')
    """
    return "".join(word[:1].upper() + word[1:] for word in _OTHERS.split(name))


def snake(name: str) -> str:
    """
    >>> snake("Odd -Name"), snake("_id"), snake("userID")
    ('odd_name', '_id', 'userid')
    """
    return "_".join(word.lower() for word in _RUNS_OF_OTHERS.split(name))


def camel(name: str) -> str:
    """
    >>> camel("odd_Name"), camel("_id"), camel("userID")
    ('oddName', 'Id', 'userid')
    """
    words = [word.lower() for word in _OTHERS.split(name)]
    return words[0] + "".join(word.capitalize() for word in words[1:])


def in_quotes(text: str) -> str:
    r"""A string as JSON writes it, which Python, Go and JavaScript read as the same.

    >>> in_quotes('a"b'), in_quotes("ü")
    ('"a\\"b"', '"ü"')
    """
    return json.dumps(text, ensure_ascii=False)
