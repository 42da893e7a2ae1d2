"""Lays a tree of types out: on the line where it fits, else broken as prettier breaks it."""

from __future__ import annotations

from collections.abc import Sequence

from minato.cli.gen_types.typescript.syntax import (
    NULL,
    STEP,
    WIDTH,
    Array,
    Generic,
    Intersection,
    Member,
    ObjectType,
    Syntax,
    Text,
    Tuple,
    Union,
    width,
)


def layout(node: Syntax, column: int, indent: int, tail: int = 0) -> str:
    """The text of a node that begins in `column` of a line that is indented by `indent`; `tail` columns follow it.

    >>> print(layout(Union([Text("a" * 40), Text("b" * 40)]), column=3, indent=0))
    <BLANKLINE>
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
      | bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    """
    flat = on_one_line(node)
    if flat is not None and column + width(flat) + tail <= WIDTH:
        return flat
    match node:
        case Text(text):
            return text
        case Generic(name, arguments):
            return f"{name}<{_lines([*(f'{one},' for one in arguments[:-1]), arguments[-1]], indent)}>"
        case ObjectType(members):
            return "{" + _lines([_member(one, indent + STEP) for one in members], indent) + "}"
        case Tuple(items):
            shown = [layout(one, indent + STEP, indent + STEP, tail=1) + "," for one in items]
            return f"[{_lines(shown, indent)}]"
        case Array(Union() as item) if not _hugs(item):
            return f"({_lines(_alternatives(item, indent + STEP), indent)})[]"
        case Array(item):
            return _array(item, column, indent, tail)
        case Union():
            return _union(node, column, indent, tail)
        case Intersection(left, right):
            after = f" & {layout(right, 0, 0)}"
            return layout(left, column, indent, width(after) + tail) + after


def on_one_line(node: Syntax) -> str | None:
    """The text on one line; None for what is always broken."""
    match node:
        case Text(text):
            return text
        case Generic(name, arguments):
            return f"{name}<{', '.join(arguments)}>"
        case ObjectType([]):
            return "{}"
        case ObjectType(members, is_open):
            return None if is_open else _members_on_one_line(members)
        case Tuple(items):
            return _joined(items, ", ", "[", "]")
        case Array(Union() as item):
            return _joined([item], "", "(", ")[]")
        case Array(item):
            return _joined([item], "", "", "[]")
        case Union(types):
            return _joined(types, " | ", "", "")
        case Intersection(left, right):
            return _joined([left, right], " & ", "", "")


def _members_on_one_line(members: Sequence[Member]) -> str | None:
    shown = [f"{one.head}{text}" for one in members if (text := on_one_line(one.type)) is not None]
    return f"{{ {'; '.join(shown)} }}" if len(shown) == len(members) else None


def _joined(nodes: Sequence[Syntax], between: str, before: str, after: str) -> str | None:
    shown = [text for node in nodes if (text := on_one_line(node)) is not None]
    return before + between.join(shown) + after if len(shown) == len(nodes) else None


def _lines(lines: Sequence[str], indent: int) -> str:
    inner = "\n" + " " * (indent + STEP)
    return "".join(inner + line for line in lines) + "\n" + " " * indent


def _member(member: Member, indent: int) -> str:
    text = layout(member.type, indent + width(member.head), indent)
    return (member.head.rstrip() if text.startswith("\n") else member.head) + text


def _array(item: Syntax, column: int, indent: int, tail: int) -> str:
    if isinstance(item, Union):
        return f"({layout(item, column + 1, indent, tail + 3)})[]"
    return layout(item, column, indent, tail + 2) + "[]"


def _union(node: Union, column: int, indent: int, tail: int) -> str:
    if not _hugs(node):
        inner = "\n" + " " * (indent + STEP)
        return "".join(inner + line for line in _alternatives(node, indent + STEP))
    after = " | null" * (len(node.types) - 1)
    return layout(node.types[0], column, indent, len(after) + tail) + after


def _alternatives(node: Union, indent: int) -> list[str]:
    return [f"| {layout(one, indent + STEP, indent + STEP)}" for one in node.types]


def _hugs(node: Union) -> bool:
    """Whether it is an object or null, which stays on the line it begins in."""
    return isinstance(node.types[0], ObjectType) and all(one == NULL for one in node.types[1:])
