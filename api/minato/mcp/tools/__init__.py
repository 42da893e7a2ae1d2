"""The tools, a file a group; the groups have the reference's names, and `testing` is ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from minato.mcp.tool import Tool
from minato.mcp.tools import branching, database, debugging, development, functions, requests, storage, testing

FEATURES: Final[Mapping[str, Sequence[Tool[Any]]]] = {
    "database": database.TOOLS,
    "debugging": (*debugging.TOOLS, *requests.TOOLS),
    "development": development.TOOLS,
    "functions": functions.TOOLS,
    "branching": branching.TOOLS,
    "testing": testing.TOOLS,
    "storage": storage.TOOLS,
}
# Without `?features=`: as there, storage is asked for by name.
DEFAULT: Final = tuple(name for name in FEATURES if name != "storage")
# What an address of one branch has: it makes and drops no others.
BOUND: Final = tuple(name for name in FEATURES if name != "branching")
