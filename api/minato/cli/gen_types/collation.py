"""The order of names: English as ICU has it (`Intl.Collator("en")` of JavaScript), which postgres-meta sorts by.

Letters count before accents, accents before case; `_` and punctuation stand before digits, digits before letters. Exact
for ASCII and for Latin letters with accents; other scripts follow in the order of Unicode.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from typing import Final

Weights = tuple[tuple[tuple[int, int], ...], tuple[int, ...], tuple[int, ...]]

_SPACES: Final = "\t\n\v\f\r\x85\u2028\u2029 "
_PUNCTUATION: Final = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
_FIRST: Final = {character: at for at, character in enumerate(_SPACES + _PUNCTUATION)}
_ACCENTS: Final = {
    mark: at
    for at, mark in enumerate(
        "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304", start=1
    )
}
# Letters that are others with a mark through them, and pairs written as one.
_SPELLED: Final = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o\u0338", "Æ": "AE", "Œ": "OE", "Ø": "O\u0338", "ẞ": "SS"}


def collation_key(text: str) -> Weights:
    """What sorts as the text does.

    >>> sorted(["b", "a_b", "aB", "ab", "a1", "A", "a", "é", "f", "_z"], key=collation_key)
    ['_z', 'a', 'A', 'a_b', 'a1', 'ab', 'aB', 'b', 'é', 'f']
    """
    first: list[tuple[int, int]] = []
    second: list[int] = []
    third: list[int] = []
    for character in unicodedata.normalize("NFD", "".join(_SPELLED.get(one, one) for one in text)):
        if unicodedata.combining(character):
            second.append(_ACCENTS.get(character, ord(character)))
        elif (weight := _primary(character)) is not None:
            first.append(weight)
            second.append(0)
            third.append(1 if character != character.lower() else 0)
    return tuple(first), tuple(second), tuple(third)


def list_key(texts: Sequence[str] | None) -> Weights:
    """Of a list, which is compared as the JSON of it."""
    return collation_key(json.dumps(texts, ensure_ascii=False, separators=(",", ":")))


def _primary(character: str) -> tuple[int, int] | None:
    """The group and the place in it; None for a control character, which counts nowhere."""
    if character in _FIRST:
        return 0, _FIRST[character]
    category = unicodedata.category(character)
    if category in ("Cc", "Cf"):
        return None
    if category[0] in "PSZ":
        return 1, ord(character)
    if category == "Nd":
        return 2, unicodedata.digit(character)
    return 3, ord(character.lower()[0])
