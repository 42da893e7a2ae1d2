"""docs/acceptance.md: which test or line answers for each entry of the catalogue.

An entry is claimed by its id in a comment beside the test or the code that holds it (`AUTH-001`, or a range
`AUTH-001..AUTH-005`). `python -m tests.unit.house.test_acceptance` writes the page anew; an entry nobody claims is
listed as such.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "acceptance.md"
COUNTS = {
    "PRD": 27, "RTE": 49, "LAND": 35, "AUTH": 32, "AGSU": 16, "IMSU": 17, "AGSI": 14, "IMSI": 13, "ONB": 35,
    "EML": 15, "ADE": 36, "NFD": 3, "GRD": 16, "SES": 42, "DAT": 5, "ERR": 2, "CON": 9,
    "PR2": 6, "RT2": 11, "AGL": 15, "IML": 15, "AGD": 13, "AGP": 28, "AGR": 9, "ARF": 16, "AGI": 9, "AIF": 17,
    "ACP": 21, "AGM": 3, "IMM": 26, "AGV": 10, "IMV": 3, "AGS": 11, "IMT": 5, "IMD": 10, "FED": 24, "IMP": 15,
    "IPR": 28, "IMR": 21, "IMA": 12, "IMC": 16, "IMSV": 10, "PUA": 19, "PUI": 9, "DA2": 23, "STA": 8, "ROL": 8,
    "CA2": 12, "RLT": 6, "ER2": 12, "CO2": 13,
    "ADL": 5, "ADD": 6, "ADA": 7, "ADI": 6, "ADR": 12, "ADM": 8, "ADS": 2, "ADN": 19,
}  # fmt: skip
IDENTIFIER = re.compile(rf"\b({'|'.join(COUNTS)})-(\d{{3}})(?:\.\.\1-(\d{{3}}))?\b")
SOURCES = ("web/src/**/*.ts*", "web/tests/**/*.ts*", "tests/integration/**/*.py")


def entries() -> list[str]:
    return [f"{area}-{number:03}" for area, count in COUNTS.items() for number in range(1, count + 1)]


def claims() -> dict[str, list[str]]:
    """Entry → `file:line` of each claim, in the order of the files."""
    found: dict[str, list[str]] = {}
    for path in sorted(path for pattern in SOURCES for path in ROOT.glob(pattern)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for area, first, last in IDENTIFIER.findall(line):
                for entry in range(int(first), int(last or first) + 1):
                    place = f"{path.relative_to(ROOT).as_posix()}:{number}"
                    found.setdefault(f"{area}-{entry:03}", []).append(place)
    return found


def page() -> str:
    found = claims()
    rows = [f"| {entry} | {'<br>'.join(found.get(entry, ['not named yet']))} |" for entry in entries()]
    named = sum(entry in found for entry in entries())
    head = (
        "# Acceptance: every entry of the catalogue, and what holds it\n\n"
        "Written by `python -m tests.unit.house.test_acceptance` from the ids that stand beside tests and code.\n"
        f"{named} of {len(rows)} entries name what holds them.\n\n| Entry | Held by |\n| --- | --- |\n"
    )
    return head + "\n".join(rows) + "\n"


def test_every_claim_names_an_entry_that_exists() -> None:
    assert set(claims()) <= set(entries())


def test_every_entry_names_what_holds_it() -> None:
    assert set(entries()) - set(claims()) == set()


def test_the_page_says_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
