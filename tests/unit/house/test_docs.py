"""The documents can't rot: settings, capabilities and decisions are checked against the code."""

from __future__ import annotations

import re
from pathlib import Path

from minato.config.example import render_example, rooms

ROOT = Path(__file__).parents[3]
STATUSES = {"yes", "part", "no", "client"}


def capabilities() -> dict[str, str]:
    """Capability id → status, from docs/compatibility.md."""
    rows = re.findall(r"^\| `([a-z_.]+)` \| (\w+)", (ROOT / "docs/compatibility.md").read_text(), re.M)
    return dict(rows)


def test_the_example_shows_every_setting_as_it_is() -> None:
    assert (ROOT / ".env.example").read_text() == render_example()


def test_every_setting_says_what_it_does() -> None:
    silent = [
        f"{room}.{name}"
        for room, model in rooms()
        for name, field in model.model_fields.items()
        if not field.description
    ]
    assert silent == []


def test_every_capability_has_an_honest_status() -> None:
    assert set(capabilities().values()) <= STATUSES
    assert len(capabilities()) >= 234


def test_a_capability_that_a_contract_test_drives_is_not_called_missing() -> None:
    known = capabilities()
    driven: set[str] = set()
    for file in (ROOT / "web/tests/contract").glob("*.test.ts"):
        driven |= set(
            re.findall(r"(?:auth|database|realtime|storage|client|functions)\.[a-z_]+\.[a-z_]+", file.read_text())
        )
    capability_ids = {name for name in driven if not name.startswith(("auth.admin.auth",)) and name in known}
    assert capability_ids, "contract tests are named by capability"
    assert {name for name in capability_ids if known[name] == "no"} == set()


def test_every_decision_is_in_the_index() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text()
    missing = [file.name for file in (ROOT / "docs/decisions").glob("[0-9]*.md") if file.name not in index]
    assert missing == []


def test_every_document_that_is_linked_exists() -> None:
    broken = [
        f"{document.relative_to(ROOT)} → {target}"
        for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
        for target in re.findall(r"\]\((?!http|#|/)([^)#]+)", document.read_text())
        if not (document.parent / target).exists()
    ]
    assert broken == []


def test_prose_is_narrow_enough_to_be_read_as_it_stands() -> None:
    wide = []
    for file in [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("migrations/**/*.md"),
        ROOT / "web/README.md",
    ]:
        if file.name == "acceptance.md":
            continue
        fenced = False
        for number, line in enumerate(file.read_text().splitlines(), 1):
            fenced ^= line.lstrip().startswith("```")
            # What can't be broken, or is laid out by hand, may be wider.
            if len(line) > 120 and not fenced and not line.lstrip().startswith(("|", "<", "!", "```", "[")):
                wide.append(f"{file.relative_to(ROOT)}:{number}")
    assert wide == []


def test_the_examples_of_tests_that_the_documents_show_are_those_that_run() -> None:
    pages = [(ROOT / name).read_text() for name in ("docs/how-to/test-your-app.md", "README.md")]
    examples = ROOT / "packages/minato-test/examples"
    files = [path.read_text() for path in examples.rglob("*.*") if path.suffix in (".ts", ".py", ".ini")]
    shown = [block for page in pages for block in re.findall(r"^```(?:ts|python|ini)\n(.*?)^```", page, re.M | re.S)]
    assert len(shown) >= 7
    assert [block for block in shown if not any(block in file for file in files)] == []
