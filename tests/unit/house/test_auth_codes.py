"""Every error code that the auth room knows is raised somewhere, and some scenario of its tests gets it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from minato.auth.errors import CODES

ROOT = Path(__file__).parents[3]
ROOM, SCENARIOS = ROOT / "api" / "minato" / "auth", ROOT / "tests" / "integration" / "auth"
# Codes no scenario can get, and why.
UNTESTED = {"not_implemented": "answers only where the extra `saml` is not installed; the tests need it installed"}


def words(folder: Path) -> Iterator[str]:
    """Every string of the code; what an f-string fills in is a `*`."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_code_is_raised_somewhere() -> None:
    raised = set(words(ROOM))
    patterns = [
        re.compile(re.escape(word).replace(r"\*", r"[a-z]+")) for word in raised if re.match(r"[a-z]+_.*\*", word)
    ]
    unraised = {code for code in CODES - raised if not any(pattern.fullmatch(code) for pattern in patterns)}
    assert unraised == set()


def test_every_code_is_met_by_a_scenario() -> None:
    met = set(words(SCENARIOS))
    assert {code for code in CODES if code not in met} == set(UNTESTED)
