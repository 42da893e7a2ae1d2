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
    # Lengths alone bound the score; without this a schema of many tables would make a wrong name expensive.
    candidates = [each for each in dict.fromkeys(known) if _best_possible(wanted, each) >= at_least]
    for size in (3, 2):
        grams = _grams(wanted, size)
        found = [
            (_similarity(wanted, candidate.lower()), candidate)
            for candidate in candidates
            if _cosine(grams, _grams(candidate.lower(), size)) > 0
        ]
        if found:
            return sorted((pair for pair in found if pair[0] >= at_least), key=lambda pair: -pair[0])
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
