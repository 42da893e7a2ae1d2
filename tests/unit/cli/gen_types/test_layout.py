"""TypeScript breaks where prettier breaks it: at 80 columns, the outermost first."""

from __future__ import annotations

import pytest
from minato.cli.gen_types.typescript.layout import layout
from minato.cli.gen_types.typescript.syntax import (
    NULL,
    Array,
    Generic,
    Intersection,
    Member,
    ObjectType,
    Syntax,
    Text,
    Tuple,
    Union,
    key,
    quoted,
)

LONG = "x" * 40


def shown(node: Syntax) -> str:
    """As a member of an object at the left margin."""
    return layout(ObjectType([Member("a", node)]), 0, 0)


def lines(*inner: str) -> str:
    return "\n".join(["{", *inner, "}"])


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (Text("y" * 75), ["  a: " + "y" * 75]),
        (Text("y" * 99), ["  a: " + "y" * 99]),
        (Union([Text("y" * 68), NULL]), ["  a: " + "y" * 68 + " | null"]),
        (Union([Text("y" * 69), NULL]), ["  a:", "    | " + "y" * 69, "    | null"]),
        (Array(Union([Text("x"), Text("y")])), ["  a: (x | y)[]"]),
        (Array(Union([Text(LONG), Text(LONG)])), ["  a: (", f"    | {LONG}", f"    | {LONG}", "  )[]"]),
        (Tuple([]), ["  a: []"]),
        (Tuple([Text("x"), Text("y")]), ["  a: [x, y]"]),
        (Tuple([Text(LONG), Text(LONG)]), ["  a: [", f"    {LONG},", f"    {LONG},", "  ]"]),
        (ObjectType([]), ["  a: {}"]),
        (ObjectType([Member("b", Text("x"))], is_open=False), ["  a: { b: x }"]),
        (ObjectType([Member("b", Text("x"))]), ["  a: {", "    b: x", "  }"]),
        (Union([ObjectType([Member("b", Text("x"))]), NULL]), ["  a: {", "    b: x", "  } | null"]),
        (
            Union([ObjectType([Member("b", Text("x"))]), Text("y")]),
            ["  a:", "    | {", "        b: x", "      }", "    | y"],
        ),
        (
            Intersection(ObjectType([Member("b", Text("x"))], is_open=False), Text(LONG * 2)),
            ["  a: {", "    b: x", f"  }} & {LONG * 2}"],
        ),
        (
            Array(Generic("Record", ("y" * 40, "z" * 40))),
            ["  a: Record<", "    " + "y" * 40 + ",", "    " + "z" * 40, "  >[]"],
        ),
    ],
)
def test_a_type_is_laid_out(node: Syntax, expected: list[str]) -> None:
    assert shown(node) == lines(*expected)


def test_wide_letters_count_twice() -> None:
    assert shown(Union([Text("日" * 34), NULL])) == lines("  a: " + "日" * 34 + " | null")
    assert shown(Union([Text("日" * 35), NULL])) == lines("  a:", "    | " + "日" * 35, "    | null")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", "a"), ("$a1", "$a1"), ("ü", "ü"), ("class", "class"), ("1a", '"1a"'), ("a-b", '"a-b"'), ("", '""')],
)
def test_names_are_quoted_only_where_they_are_no_identifiers(name: str, expected: str) -> None:
    assert key(name) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("it's", '"it\'s"'),
        ('say "hi"', "'say \"hi\"'"),
        ("both ' and \"", '"both \' and \\""'),
        ('""\'', "'\"\"\\''"),
        ("back\\slash", '"back\\\\slash"'),
        ('\\"', "'\\\\\"'"),
    ],
)
def test_strings_are_in_the_quotes_they_have_fewer_of(value: str, expected: str) -> None:
    assert quoted(value) == expected
