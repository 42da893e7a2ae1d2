"""Conditions of policies, as PostgreSQL prints them."""

from __future__ import annotations

import pytest
from minato.advisors.conditions import is_always_true, ways
from minato.advisors.expression import CALLER, calls, wrapped
from minato.conditions import bare


@pytest.mark.parametrize(
    ("condition", "mended"),
    [
        ("(user_id = auth.uid())", "(user_id = (select auth.uid()))"),
        ("(user_id = ( SELECT auth.uid() AS uid))", None),
        ("((auth.jwt() ->> 'a'::text) = b)", "(((select auth.jwt()) ->> 'a'::text) = b)"),
        ("((auth.uid() = a) OR (auth.role() = b))", "(((select auth.uid()) = a) OR ((select auth.role()) = b))"),
        ("('auth.uid()'::text = note)", None),
        ('("auth.uid()" = note)', None),
        ("(( SELECT (auth.jwt() ->> 'sub'::text)) = note)", None),
        ("(a = ANY (ARRAY( SELECT m.a\n   FROM m\n  WHERE (m.u = auth.uid()))))", "m.u = (select auth.uid())"),
        ("( SELECT (t.u = auth.uid()))", "( SELECT (t.u = (select auth.uid())))"),
        ("(current_setting('app.a'::text, true) = b)", "((select current_setting('app.a'::text, true)) = b)"),
        ("(current_setting(name, true) = b)", None),
        ("(current_setting(('it''s ('::text || auth.uid())) = b)", "((select current_setting(("),
        ("(a = (auth.uid())::character varying)", "(a = ((select auth.uid()))::character varying)"),
    ],
)
def test_what_is_the_same_for_every_row_goes_into_a_subquery(condition: str, mended: str | None) -> None:
    after = wrapped(condition, CALLER)
    assert after == condition if mended is None else mended in after
    printed = after.replace("(select ", "( SELECT ")
    assert wrapped(printed, CALLER) == printed


def test_a_call_with_a_column_is_told_from_one_without() -> None:
    found = calls("(x.f(id) AND x.f('a'::x.kind) AND x.f(t.id, 1) AND x.f(now()))", ["x.f"])
    assert [call.is_constant for call in found] == [False, True, False, True]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("(a = auth.uid())", [{"a"}]),
        ("(( SELECT auth.uid() AS uid) = a)", [{"a"}]),
        ('("A b" = auth.uid())', [{'"A b"'}]),
        ("((a)::text = (auth.uid())::text)", []),
        ("(a = b)", []),
        ("(t.a = auth.uid())", []),
        ("(NOT (a = auth.uid()))", []),
        ("((a = auth.uid()) OR (b = auth.uid()))", [{"a", "b"}]),
        ("((a = auth.uid()) OR open)", []),
        ("((a = auth.uid()) AND open)", [{"a"}]),
        ("((a = auth.uid()) AND ((b = auth.uid()) OR (c = auth.uid())))", [{"a"}, {"b", "c"}]),
        ("(a <> auth.uid())", []),
    ],
)
def test_an_index_is_wanted_where_it_would_find_the_rows(condition: str, expected: list[set[str]]) -> None:
    assert [set(way) for way in ways(condition)] == expected


@pytest.mark.parametrize(
    ("condition", "answer"),
    [("true", True), ("(true)", True), ("('a'::text = 'a'::text)", True), ("(1 = 2)", False), ("false", False)],
)
def test_what_is_always_true_is_known(condition: str, answer: bool) -> None:
    assert is_always_true(condition) is answer


def test_only_parentheses_around_all_of_it_are_taken_off() -> None:
    assert bare("((a) OR (b))") == "(a) OR (b)"
    assert bare("(a) OR (b)") == "(a) OR (b)"
    assert bare("(((')')))") == "')'"
