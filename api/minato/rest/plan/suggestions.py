"""The nearest known name to a mistyped one, for the hints of PGRST200, 202 and 205.

Scores as the FuzzySet library of the reference does: the cosine of 3-grams, else of 2-grams, chooses fifty candidates,
and the distance of Levenshtein ranks them. Whoever shares no gram is no candidate, however few letters differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

GRAM_SIZES = (3, 2)
MAX_CANDIDATES = 50
MAX_LENGTH = 200


def nearest(name: str, known: Iterable[str], at_least: float) -> str | None:
    """The best match with a score of `at_least`, or None.

    >>> nearest("profile", ["profiles", "cars"], 0.75)
    'profiles'
    """
    return next((candidate for _, candidate in ranked(name, known, at_least)), None)


def ranked(name: str, known: Iterable[str], at_least: float) -> list[tuple[float, str]]:
    """All candidates that share a gram and score `at_least`, best first, with their scores.

    >>> ranked("a_b", ["c_b", "b_a"], 0.33)
    [(0.6666666666666667, 'c_b')]
    """
    wanted = name.lower()[:MAX_LENGTH]
    # Of equals the reference tells the one that was named last.
    names = list(dict.fromkeys(reversed(list(known))))
    exact = next((each for each in names if each.lower() == wanted), None)
    if exact is not None:
        return [(1.0, exact)]
    # Lengths alone bound the score; without this a schema of many tables would make a wrong name expensive.
    possible = [each for each in names if _best_possible(wanted, each) >= at_least]
    for size in GRAM_SIZES:
        scored = [(_similarity(wanted, each.lower()), each) for each in _candidates(wanted, possible, size)]
        near = [each for each in scored if each[0] >= at_least]
        if near:
            return sorted(near, key=lambda each: -each[0])
    return []


def _best_possible(one: str, other: str) -> float:
    longer = max(len(one), len(other))
    return min(len(one), len(other)) / longer if longer else 1.0


def _candidates(wanted: str, names: Sequence[str], size: int) -> list[str]:
    """Those of `names` whose grams are nearest, the nearest first."""
    grams = _grams(wanted, size)
    cosines = ((_cosine(grams, _grams(name.lower(), size)), name) for name in names)
    sharing = sorted((each for each in cosines if each[0] > 0), key=lambda each: -each[0])
    return [name for _, name in sharing[:MAX_CANDIDATES]]


def _grams(name: str, size: int) -> Counter[str]:
    """All runs of `size` characters of a name in lower case, of which letters, digits, blanks and commas count."""
    kept = "".join(each for each in name if each.isalnum() or each.isspace() or each == ",")
    enclosed = f"-{kept}-"
    return Counter(enclosed[start : start + size] for start in range(len(enclosed) - size + 1))


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
