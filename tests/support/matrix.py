"""Who may do what, as a table in a text file: a line for every deed, a column for every kind of caller.

The files in tests/security/matrix are read by people: a changed permission is a changed cell in a review. With
MATRIX=write in the environment the tests write what they find instead of comparing it.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "security" / "matrix"

# the heading of a column, and who of the cast it is
CALLERS = {
    "anon": "anon",
    "anonym": "anonymous",
    "unconf": "unconfirmed_importer",
    "newcom": "newcomer",
    "import": "importer",
    "agent": "other_agent",
    "verif": "agent",
    "sus.ag": "suspended",
    "sus.im": "suspended_importer",
    "gone": "deleted",
    "admin": "admin",
    "servic": "service_role",
}
WIDTH = max(map(len, CALLERS)) + 1

Deed = Callable[[str], Awaitable[object]]


async def found(deeds: dict[str, Deed]) -> dict[str, str]:
    """Every deed tried by every caller: its name and the line of the table."""
    lines = {}
    for name, deed in deeds.items():
        cells = [str(await deed(who)) for who in CALLERS.values()]
        lines[name] = "".join(cell.ljust(WIDTH) for cell in cells).rstrip()
    return lines


async def compare(file: str, deeds: dict[str, Deed]) -> None:
    """Hold what is found against the lines of a file."""
    lines = await found(deeds)
    path = FOLDER / f"{file}.txt"
    if os.environ.get("MATRIX") == "write":
        _write(path, {**(_read(path) if path.exists() else {}), **lines})
    expected = _read(path)
    assert lines == {name: expected.get(name, "") for name in deeds}


def names(file: str) -> set[str]:
    """The deeds a file knows."""
    return set(_read(FOLDER / f"{file}.txt"))


def _read(path: Path) -> dict[str, str]:
    """The first line is the heading; a line is a name, two blanks, and cells."""
    rows = (line.partition("  ") for line in path.read_text().splitlines()[1:] if line)
    return {name: cells.strip() for name, _, cells in rows}


def _write(path: Path, lines: dict[str, str]) -> None:
    widest = max(map(len, lines)) + 2
    heading = "".join(name.ljust(WIDTH) for name in CALLERS).rstrip()
    shown = [f"{name.ljust(widest)}{cells}" for name, cells in lines.items()]
    path.write_text("\n".join([f"{''.ljust(widest)}{heading}", *shown]) + "\n")
