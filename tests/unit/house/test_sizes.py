"""How the code is cut: types that say something, and files that are worth opening."""

from __future__ import annotations

import ast
from pathlib import Path

from minato.places import PACKAGE

LINES_PER_ANY = 700
SMALLEST = 25

# Files of fewer lines, and why each stands by itself.
SMALL = {
    "__main__.py": "what `python -m minato` runs",
    "places.py": "below everything else: whoever looks for a file asks it",
    "auth/oauth_server/access.py": "asked by every endpoint of that room, above and below it nothing they share",
    "saml/documents.py": "the one way in for XML of strangers",
    "cli/db_tools/programs.py": "the refusal of four commands; the search itself is also a server's",
    "http/errors.py": "what every room's refusals begin with; below asgi, which raises two of them",
    "migrate/sql_file.py": "every revision imports it by this name",
    "postgres/errors.py": "raised by every file of the room, caught by commands",
    "postgres/waiting.py": "the two ways to wait, for every file of the room that does",
    "project/jobs.py": "read by two rooms that never meet",
    "testing/plugin.py": "what pytest imports everywhere: it brings nothing along",
    "workers.py": "the process's threads: made by the host, used by two rooms that never meet",
}


def sources() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py"]


def test_any_is_said_at_most_once_in_700_lines() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    said = sum(isinstance(node, ast.Name) and node.id == "Any" for text in texts for node in ast.walk(ast.parse(text)))
    lines = sum(text.count("\n") for text in texts)
    assert said <= lines // LINES_PER_ANY, f"{said} times Any in {lines} lines: say object, or what the value is"


def test_no_file_is_smaller_than_what_it_takes_to_open_it() -> None:
    small = {path for path in sources() if path.read_text(encoding="utf-8").count("\n") < SMALLEST}
    unargued = sorted(str(path.relative_to(PACKAGE)) for path in small if str(path.relative_to(PACKAGE)) not in SMALL)
    assert not unargued, f"fold these into the file that reads them, or say why not: {unargued}"
