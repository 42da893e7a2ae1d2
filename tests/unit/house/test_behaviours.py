"""docs/data-api-behaviours.md: which test holds each behaviour that PostgREST's specification names.

A behaviour is the n-th line of an area of that specification (`INS-3`). A test claims it in a comment above it
(`# rest: INS-3, RNG-1..RNG-3`) or in the first word of an `Exchange`. `python -m tests.unit.house.test_behaviours`
writes the page anew; what nobody claims fails.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "data-api-behaviours.md"
TESTS = ROOT / "tests" / "integration" / "rest"
AREAS = {
    "RULE": ("Rules of every answer", 7), "AUTH": ("Tokens and roles", 14), "AUD": ("jwt-aud", 3),
    "KEY": ("Asymmetric and binary secrets", 2), "JCACHE": ("The cache of verified tokens", 1),
    "NOANON": ("No anonymous role, no secret", 2), "MISC": ("Concurrency, login role, trace, Vary", 4),
    "CORS": ("Cross-origin requests", 4), "OPT": ("OPTIONS", 4), "PATH": ("db-extra-search-path", 4),
    "PRE": ("Headers set before a request", 1), "TX": ("How transactions end", 5), "API": ("The OpenAPI document", 10),
    "APIX": ("Options of the OpenAPI document", 5), "FLT": ("Filters", 13), "SEL": ("select", 10),
    "ORD": ("order, Accept, representations", 5), "LOGIC": ("and, or, not", 4), "RNG": ("Ranges and counts", 3),
    "CAP": ("db-max-rows", 1), "ONE": ("Single objects, stripped nulls", 3), "INS": ("Insert", 11),
    "UPD": ("Update", 5), "UPS": ("Upsert and PUT", 4), "DEL": ("Delete", 1), "RPC": ("Functions", 15),
    "EMB": ("Which relationship is meant", 5), "INNER": ("Inner embeds, related order, computed relations", 4),
    "SPR": ("Spreads", 2), "AGG": ("Aggregates", 2), "JSONP": ("JSON paths", 1),
    "SCHEMA": ("Several schemas, Unicode", 2), "MEDIA": ("Media types", 4), "PLAN": ("Plans and timings", 3),
    "ERR": ("Errors", 3), "PREF": ("Preferences", 5),
}  # fmt: skip
IDENTIFIER = re.compile(r"\b([A-Z]+)-(\d+)(?:\.\.\1-(\d+))?")
CLAIM = re.compile(r'^\s*(?:# rest: (.*)|X\("([^"]*)")')
TEST = re.compile(r"(?:async )?def (test_\w+)")


def behaviours() -> list[str]:
    return [f"{area}-{number}" for area, (_, count) in AREAS.items() for number in range(1, count + 1)]


def claims() -> dict[str, list[str]]:
    """Behaviour → the tests that hold it, as `file: sentence`."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.glob("test_*.py")):
        pending: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            claim, test = CLAIM.match(line), TEST.match(line)
            if claim:
                pending += _identifiers(claim[1] or claim[2])
            elif test:
                sentence = f"`{path.name}`: {test[1].removeprefix('test_').replace('_', ' ')}"
                for each in dict.fromkeys(pending):
                    found.setdefault(each, []).append(sentence)
                pending = []
    return found


def page() -> str:
    found = claims()
    lines = [
        "# What the data API is tested for",
        "",
        "Written by `python -m tests.unit.house.test_behaviours` from the ids beside tests/integration/rest.",
        "An id counts the lines of one area of PostgREST's own specification.",
    ]
    for area, (title, count) in AREAS.items():
        lines += ["", f"## {title}", "", "| Behaviour | Held by |", "| --- | --- |"]
        for number in range(1, count + 1):
            lines.append(f"| {area}-{number} | {'<br>'.join(found.get(f'{area}-{number}', []))} |")
    return "\n".join(lines) + "\n"


def _identifiers(text: str) -> list[str]:
    return [
        f"{area}-{number}"
        for area, first, last in IDENTIFIER.findall(text)
        for number in range(int(first), int(last or first) + 1)
    ]


def test_every_claim_names_a_behaviour_that_exists() -> None:
    assert set(claims()) <= set(behaviours())


def test_every_behaviour_is_held_by_a_test() -> None:
    assert [each for each in behaviours() if each not in claims()] == []


def test_the_page_says_what_the_tests_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
