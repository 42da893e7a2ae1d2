"""docs/acceptance.md: for each entry of the catalogue its sentence and the tests that hold it.

`acceptance.tsv` is the catalogue. An entry is claimed by its id in a comment beside the test or the code that holds it
(`AUTH-001`, or a range `AUTH-001..AUTH-005`). `make acceptance` writes the page, which is in no commit: it says what
the tests say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
CATALOGUE = Path(__file__).with_name("acceptance.tsv")
PAGE = ROOT / "docs" / "acceptance.md"
SOURCES = ("web/src/**/*.ts*", "web/tests/**/*.ts*", "tests/integration/**/*.py")

# it('…', () => · test('…', async ({ page }) => · it.each(…)('…', (one) => · describe('…', () =>
WEB_TEST = re.compile(
    r"(?:\b(?:it|test|describe)|\))\(\s*(['\"`])((?:\\.|(?!\1).)*)\1,\s*(?:async\b|\(|\{|\w+ =>)", re.DOTALL
)
PYTHON_TEST = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
CODE = re.compile(r"\b(?:function|const|class|interface|type) (\w+)")


class Claim(NamedTuple):
    """Where an entry is claimed: the file and the title of the test, or the name of what holds it."""

    file: str
    title: str


@cache
def entries() -> dict[str, str]:
    """Id → sentence, in the order of the catalogue."""
    lines = CATALOGUE.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


@cache
def claims() -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern)):
        for entry, claim in claims_of(path):
            if claim not in found.setdefault(entry, []):
                found[entry].append(claim)
    return found


def claims_of(path: Path) -> Iterator[tuple[str, Claim]]:
    text = path.read_text(encoding="utf-8")
    areas = "|".join(sorted({entry.partition("-")[0] for entry in entries()}))
    identifier = re.compile(rf"\b({areas})-(\d{{3}})(?:\.\.\1-(\d{{3}}))?\b")
    for match in identifier.finditer(text):
        claim = Claim(path.relative_to(ROOT).as_posix(), title_at(path, text, match.start()))
        area, first, last = match.groups()
        for number in range(int(first), int(last or first) + 1):
            yield f"{area}-{number:03}", claim


def title_at(path: Path, text: str, position: int) -> str:
    """What a comment on a line of its own stands above; what a comment behind code stands in."""
    line = text[text.rfind("\n", 0, position) + 1 : position]
    above = [match for pattern in patterns(path) for match in pattern.finditer(text, position)]
    within = [match for pattern in patterns(path) for match in pattern.finditer(text, 0, position)]
    stands_alone = line.lstrip().startswith(("//", "#", "*", "/*"))
    nearest = (above[:1] or within[-1:]) if stands_alone else (within[-1:] or above[:1])
    return plain(nearest[0].group(nearest[0].lastindex or 0)) if nearest else ""


def patterns(path: Path) -> list[re.Pattern[str]]:
    if path.suffix == ".py":
        return [PYTHON_TEST]
    return [WEB_TEST if ".test." in path.name or ".spec." in path.name else CODE]


def plain(title: str) -> str:
    """`test_a_token_ends` and `It\\'s over` as people write them."""
    words = title.removeprefix("test_").replace("_", " ") if title.startswith("test_") else title
    return words.replace("\\'", "'").replace("|", "\\|")


def page() -> str:
    found = claims()
    rows = [
        f"| {entry} | {escaped(sentence)} | {held_by(found.get(entry, []))} |" for entry, sentence in entries().items()
    ]
    named = sum(entry in found for entry in entries())
    head = (
        "# Acceptance: every entry of the catalogue, and what holds it\n\n"
        "Written by `make acceptance` from the ids that stand beside tests and code.\n"
        f"{named} of {len(rows)} entries name what holds them.\n\n| Entry | Says | Held by |\n| --- | --- | --- |\n"
    )
    return head + "\n".join(rows) + "\n"


def held_by(held: list[Claim]) -> str:
    return "<br>".join(f"{claim.title} ({Path(claim.file).name})" for claim in held) or "not named yet"


def escaped(sentence: str) -> str:
    return sentence.replace("|", "\\|")


def test_every_claim_names_an_entry_that_exists() -> None:
    assert set(claims()) <= set(entries())


def test_every_entry_names_what_holds_it() -> None:
    assert set(entries()) - set(claims()) == set()


def test_every_claim_stands_beside_something_that_has_a_name() -> None:
    nameless = {claim.file for held in claims().values() for claim in held if not claim.title}
    assert nameless == set()


def test_a_line_of_the_page_says_the_entry_and_the_test_that_holds_it() -> None:
    line = next(line for line in page().splitlines() if line.startswith("| NFD-001 |"))
    assert entries()["NFD-001"] in line
    assert "An address nobody knows says so and leads home (guards.test.tsx)" in line


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
