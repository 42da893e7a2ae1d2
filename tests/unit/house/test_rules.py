"""Rules of the house that no linter knows: where time and randomness come from, what may wait, how long a file is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

API = Path(__file__).parents[3] / "api" / "minato"
LONGEST_FILE = 400

# Stages that turn one value into another and never touch the database or the network.
PURE = (
    "rest/parse",
    "rest/plan",
    "rest/sql",
    "rest/respond",
    "realtime/message",
    "realtime/serializer",
    "realtime/payloads",
    "realtime/change_feed/pgoutput",
    "storage/names",
    "storage/ranges",
    "storage/validation",
)

# (module, attribute) → the only files that may use it. Time and chance have one door each, so that tests can move them.
ONE_DOOR = {
    ("datetime", "now"): ("clock.py",),
    ("datetime", "utcnow"): (),
    ("time", "time"): ("clock.py",),
    ("uuid", "uuid4"): ("entropy.py",),
    ("secrets", "token_bytes"): ("entropy.py",),
    ("os", "urandom"): ("entropy.py",),
    ("random", "random"): (),
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(API.rglob("*.py")):
        yield file.relative_to(API).as_posix(), ast.parse(file.read_text())


def test_time_and_randomness_come_through_one_door() -> None:
    strays = [
        f"{name}:{node.lineno} {node.value.id}.{node.attr}"
        for name, tree in modules()
        # The launcher and the command line run outside any backend.
        if not name.startswith(("postgres/", "cli/"))
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and name not in ONE_DOOR.get((node.value.id, node.attr), (name,))
    ]
    assert strays == []


def test_pure_stages_wait_for_nothing() -> None:
    waiting = [
        f"{name}:{node.lineno}"
        for name, tree in modules()
        if name.startswith(PURE)
        for node in ast.walk(tree)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await)
    ]
    assert waiting == []


@pytest.mark.parametrize("file", sorted(API.rglob("*.py")), ids=lambda file: file.relative_to(API).as_posix())
def test_no_file_outgrows_the_house(file: Path) -> None:
    assert len(file.read_text().splitlines()) <= LONGEST_FILE


def test_every_module_says_what_it_is_for() -> None:
    silent = [name for name, tree in modules() if tree.body and ast.get_docstring(tree) is None]
    assert silent == []
