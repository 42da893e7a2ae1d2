"""The nearest known name to a mistyped one, for the hints of PGRST200, 202 and 205.

Scores as the FuzzySet libraries do: cosine of 3-grams (then 2-grams) finds candidates, Levenshtein ranks them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt

MAX_LENGTH = 200


def nearest(name: str, known: Iterable[str], at_least: float) -> str | None:
    """The best match with a score of `at_least`, or None.

    >>> nearest("profile", ["profiles", "cars"], 0.75)
    'profiles'
    """
    return next((candidate for _, candidate in ranked(name, known, at_least)), None)


def ranked(name: str, known: Iterable[str], at_least: float) -> list[tuple[float, str]]:
    """All candidates that share a gram and score `at_least`, best first, with their scores."""
    wanted = name.lower()[:MAX_LENGTH]
    known = list(dict.fromkeys(known))
    exact = next((each for each in known if each.lower() == wanted), None)
    if exact is not None:
        return [(1.0, exact)]
    # Lengths alone bound the score; without this a schema of many tables would make a wrong name expensive.
    candidates = [each for each in known if _best_possible(wanted, each) >= at_least]
    for size in (3, 2):
        grams = _grams(wanted, size)
        cosines = ((_cosine(grams, _grams(candidate.lower(), size)), candidate) for candidate in candidates)
        found = [(_similarity(wanted, name.lower()), cosine, name) for cosine, name in cosines if cosine > 0]
        near = sorted((each for each in found if each[0] >= at_least), key=lambda each: (-each[0], -each[1]))
        if near:
            return [(score, name) for score, _, name in near]
    return []


def _best_possible(one: str, other: str) -> float:
    longer = max(len(one), len(other))
    return min(len(one), len(other)) / longer if longer else 1.0


def _grams(name: str, size: int) -> Counter[str]:
    padded = "-" + "".join(character for character in name if character.isalnum() or character in "_, ") + "-"
    return Counter(padded[i : i + size] for i in range(max(len(padded) - size + 1, 1)))


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    dot = sum(count * other[gram] for gram, count in one.items())
    return dot / (sqrt(sum(c * c for c in one.values())) * sqrt(sum(c * c for c in other.values()))) if dot else 0.0


def _similarity(one: str, other: str) -> float:
    longer = max(len(one), len(other))
    return 1 - _distance(one, other) / longer if longer else 1.0


def _distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for index, left in enumerate(one, 1):
        row = list(_next_row(row, left, other, index))
    return row[-1]


def _next_row(row: list[int], left: str, other: str, first: int) -> Iterator[int]:
    value = first
    yield value
    for index, right in enumerate(other):
        value = min(value + 1, row[index + 1] + 1, row[index] + (left != right))
        yield value
