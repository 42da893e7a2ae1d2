"""The wrong lines that a file can have: mutmut's operators, and three of our own that it lacks.

Left out: what nobody can notice (annotations, names of loggers and what they are told) and strings in other letters,
for headers and SQL's words are the same in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from functools import cached_property
from itertools import islice
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators, operator_string

from tests.mutation.owners import IMPORT, owners

Operator = Callable[[Any], Iterable[cst.CSTNode]]
Operators = Sequence[tuple[type, Operator]]

LOGS = {"log", "logger", "logging", "access_log"}
UNTOLD = {"getLogger", "TypeVar", "ParamSpec", "cast", "len", "isinstance", "warn"}


def negated(node: cst.If | cst.While | cst.CompIf) -> Iterator[cst.CSTNode]:
    """`if not (…)` where it says `if …`."""
    yield node.with_changes(test=cst.UnaryOperation(cst.Not(), parenthesized(node.test)))


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(lpar=[cst.LeftParen(), *node.lpar], rpar=[*node.rpar, cst.RightParen()])


def dropped(node: cst.Expr) -> Iterator[cst.CSTNode]:
    """A call whose result nobody takes, left out."""
    if isinstance(node.value, cst.Call | cst.Await):
        yield cst.Pass()


def nothing_returned(node: cst.Return) -> Iterator[cst.CSTNode]:
    """`return` where a value was."""
    if node.value is not None and not (isinstance(node.value, cst.Name) and node.value.value == "None"):
        yield node.with_changes(value=None)


def other_text(node: cst.BaseString) -> Iterator[cst.CSTNode]:
    yield from islice(operator_string(node), 1)


OURS: Operators = (
    *((kind, other_text if operator is operator_string else operator) for kind, operator in mutation_operators),
    *((kind, negated) for kind in (cst.If, cst.While, cst.CompIf)),
    (cst.Expr, dropped),
    (cst.Return, nothing_returned),
)


@dataclass(frozen=True, eq=False)
class Mutant:
    """One wrong line of `file`, at `line`, in `function` (of `owners`); nothing is written anywhere."""

    file: str
    line: int
    function: str
    kind: str
    module: cst.Module
    right: cst.CSTNode
    wrong: cst.CSTNode

    @cached_property
    def source(self) -> str:
        """The file with the wrong line in it."""
        changed = self.module.deep_replace(self.right, self.wrong)
        assert isinstance(changed, cst.Module)
        return changed.code

    @cached_property
    def lines(self) -> tuple[str, str]:
        """What the line says, and what it says wrongly; several lines are joined."""
        changes = list(unified_diff(self.module.code.splitlines(), self.source.splitlines(), n=0, lineterm=""))[3:]
        said = (" ".join(line[1:].strip() for line in changes if line[:1] == sign) for sign in "-+")
        before, after = said
        return before, after


class Finder(cst.CSTVisitor):
    """Collects (line, operator, right node, wrong node)."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        self.found: list[tuple[int, str, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if unnoticeable(node):
            return False
        for kind, operator in OURS:
            if isinstance(node, kind):
                line = self.get_metadata(PositionProvider, node).start.line
                name = operator.__name__.removeprefix("operator_")
                self.found.extend((line, name, node, wrong) for wrong in operator(node))
        return True


def unnoticeable(node: cst.CSTNode) -> bool:
    """Types, imports, docstrings, what is written into logs, and whether a dataclass is frozen."""
    if isinstance(node, cst.Annotation | cst.Import | cst.ImportFrom | cst.TypeAlias):
        return True
    if isinstance(node, cst.Expr):
        return isinstance(node.value, cst.BaseString) or (isinstance(node.value, cst.Call) and logs(node.value))
    if isinstance(node, cst.Subscript):
        return isinstance(node.value, cst.Name) and node.value.value in ("Literal", "Annotated", "dict", "list", "type")
    if isinstance(node, cst.Decorator):
        return isinstance(node.decorator, cst.Call) and called(node.decorator) == "dataclass"
    if isinstance(node, cst.If):
        return isinstance(node.test, cst.Name) and node.test.value == "TYPE_CHECKING"
    return isinstance(node, cst.Call) and called(node) in UNTOLD


def called(call: cst.Call) -> str:
    function = call.func
    return function.attr.value if isinstance(function, cst.Attribute) else getattr(function, "value", "")


def logs(call: cst.Call) -> bool:
    function = call.func
    return isinstance(function, cst.Attribute) and getattr(function.value, "value", None) in LOGS


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Every wrong line that the operators know for a file."""
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    finder = Finder()
    wrapper.visit(finder)
    names = owners(source)
    return [
        Mutant(file, line, names.get(line, IMPORT), kind, wrapper.module, right, wrong)
        for line, kind, right, wrong in finder.found
    ]
