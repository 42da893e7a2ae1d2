"""Which function a line belongs to: what outlives a change of line numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
# the owner of what runs while a file is imported: tables, constants, classes' fields
IMPORT = ""


def owners(source: str) -> dict[int, str]:
    """The outermost function or method of every line that lies in one: `listed`, `Bucket.empty`."""
    return {line: name for name, function in _functions(ast.parse(source), "") for line in _lines(function)}


def _functions(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in node.body:
        if isinstance(child, Function):
            yield f"{prefix}{child.name}", child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{prefix}{child.name}.")


def _lines(function: Function) -> range:
    """The lines of its body, not of its signature, which runs with the import."""
    return range(function.body[0].lineno, (function.end_lineno or function.lineno) + 1)
