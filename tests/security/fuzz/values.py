"""Values that have broken programs, and ways to break those that have not."""

from __future__ import annotations

from random import Random
from typing import Any

TEXTS = [
    *("", " ", "a", "0", "-1", "null", "true", "NaN", "1e400", "99999999999999999999", "2147483648"),
    *("0x10", "\x00", "\ufffe", "\u202e", "é", "日本", "💥", "\ud800", "ﬀ", "İ", "%", "%%", "%00", "%ff"),
    *("%2e%2e/", "'", '"', "\\", "`", "--", ";", "/*", "$1", "{}", "{0}", "()", "[]", "<>", "..", "../"),
    *("/", "//", "?", "#", "&", "eq.1", "in.(1,2)", "is.null", "like.*", "fts.a", "cs.{a}", "not.eq.1"),
    *("*", "a->b", "a->>b", "a::int", "count()", "2026-01-01", "infinity", "-infinity", "2026-13-45"),
    *("epoch", "00000000-0000-0000-0000-000000000000", "a@example.com", "+4917012345678"),
    *("http://127.0.0.1/", "javascript:1", "data:,", "bytes=0-1", "bytes=-0", 'W/"x"', "\r\n"),
    *("a\r\nb: c", "\t", "1;2", "a=b", "a,b", "!", "~", "^", "|", "Bearer x", "AND 1=1", "or(a.eq.1)"),
    "a" * 300,
]
NUMBERS: list[Any] = [0, -1, 1, 2**31, 2**63, -(2**63) - 1, 2**70, 0.5, -0.0, 1e308, 10**18]
OTHERS: list[Any] = [None, True, False, [], {}, [None], {"": None}, [[[]]], {"a": {"b": {"c": []}}}]


def text(random: Random) -> str:
    """One of the texts, or two glued together, or random letters."""
    roll = random.random()
    if roll < 0.6:
        return random.choice(TEXTS)
    if roll < 0.85:
        return random.choice(TEXTS) + random.choice(TEXTS)
    return "".join(
        chr(random.choice((random.randrange(32, 127), random.randrange(0x2FFF)))) for _ in range(random.randrange(12))
    )


def value(random: Random, depth: int = 0) -> Any:
    """Anything JSON can say."""
    roll = random.random()
    if roll < 0.45 or depth > 3:
        return text(random)
    if roll < 0.6:
        return random.choice(NUMBERS)
    if roll < 0.75:
        return random.choice(OTHERS)
    if roll < 0.87:
        return [value(random, depth + 1) for _ in range(random.randrange(4))]
    return {text(random): value(random, depth + 1) for _ in range(random.randrange(4))}


def some(random: Random, known: dict[str, list[Any]]) -> dict[str, Any]:
    """An object with some of the known members, now and then with a value that is not known, or one more member."""
    made: dict[str, Any] = {}
    for name, values in known.items():
        if random.random() < 0.6:
            made[name] = random.choice(values) if random.random() < 0.6 else value(random)
    if random.random() < 0.2:
        made[text(random)] = value(random)
    return made


def mutated(random: Random, data: bytes) -> bytes:
    """Now and then a few bytes changed, cut out, doubled or put in."""
    if random.random() < 0.7:
        return data
    changed = bytearray(data)
    for _ in range(random.randrange(1, 5)):
        at = random.randrange(len(changed) + 1)
        match random.randrange(4):
            case 0:
                changed[at : at + 1] = bytes((random.randrange(256),))
            case 1:
                del changed[at : at + random.randrange(1, 9)]
            case 2:
                changed[at:at] = changed[at : at + random.randrange(1, 9)]
            case _:
                changed[at:at] = random.choice(TEXTS).encode("utf-8", "replace")[:50]
    return bytes(changed)
