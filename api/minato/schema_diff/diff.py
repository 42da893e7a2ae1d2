"""The statements that make one database like another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from minato.schema_diff.catalog import read_catalog
from minato.schema_diff.plan import Plan
from minato.schema_diff.scope import Scope

# Functions may name what comes after them.
UNCHECKED: Final = "set check_function_bodies = off"
_FUNCTION: Final = re.compile(r"create (or replace )?(function|procedure)", re.IGNORECASE)


def compare(source: str, target: str, scope: Scope) -> list[str]:
    """The statements, in order and without semicolons, that take the database at `source` to what lies at `target`;
    neither is changed. Raises psycopg2.Error."""
    statements = list(Plan(read_catalog(source, scope), read_catalog(target, scope)).statements())
    if any(_FUNCTION.match(statement) for statement in statements):
        return [UNCHECKED, *statements]
    return statements


def script(statements: Sequence[str]) -> str:
    """A file of them.

    >>> script(["create table a ()", "create table b ()"])
    'create table a ();\\n\\ncreate table b ();\\n'
    """
    return "".join(
        f"{statement};\n" if place == 0 else f"\n{statement};\n" for place, statement in enumerate(statements)
    )
