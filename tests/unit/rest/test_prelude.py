"""Ready bytes say exactly what would be said anew: of each request, of whatever headers."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from minato.database.as_caller import Setting
from minato.database.wire.session import Command
from minato.http.asgi import Header
from minato.http.repeated import RepeatedHeaders
from minato.rest.execute import Transaction
from minato.rest.parse.api_request import RawRequest
from minato.rest.plan.action import Action, ActionPlan
from minato.rest.prelude import ID, MOST_PLANS, PATH, Preludes, prelude, preludes_of
from minato.tokens.caller import Caller

from tests.support.examples import of_hundred
from tests.unit.rest.test_sql_text import CACHE, SETTINGS

CALLER = Caller("authenticated", {"sub": "é\u0000\\u0001id\\u0001", "role": "authenticated"}, "token")
PLAN = ActionPlan(Action.READ)
# What a client may send: no control characters but the tab.
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f") | st.just("\t"))
NAMES = st.sampled_from(["host", "accept", "cookie", "x-a", "x-b", "x-request-id"])
HEADERS = st.lists(st.tuples(NAMES, VALUES), max_size=6)
TRANSACTION = Transaction(Command(""), "authenticated", True, lambda _: None)


def around(of_caller: Sequence[Setting]) -> list[Setting]:
    return [("search_path", '"public"'), ("statement_timeout", "1s"), *of_caller, ("app.settings.a", "b")]


def encoded(pairs: list[tuple[str, str]]) -> tuple[Header, ...]:
    return tuple((name.encode(), value.encode("latin-1")) for name, value in pairs)


@settings(max_examples=of_hundred(100))
@given(HEADERS, HEADERS, st.text(string.ascii_letters + "%/_-", max_size=9), st.sampled_from(["GET", "POST"]))
def test_ready_bytes_are_those_that_would_be_made_anew(
    before: list[tuple[str, str]], after: list[tuple[str, str]], path: str, method: str
) -> None:
    repeated = RepeatedHeaders(encoded(before), encoded(after))
    for number in ("3c6b", "9d40"):
        raw = RawRequest(method, f"/{path}".encode(), b"", repeated.with_id(number), b"", repeated)
        preludes = preludes_of(raw, CALLER, SETTINGS, CACHE)
        assert preludes is not None
        preludes.prepare(raw, (), around, TRANSACTION, PLAN)
        prepared = preludes.find(method, PLAN)
        anew = prelude(raw, CALLER, around)
        if any(name == "x-request-id" for name, _ in after):
            # Of two ids the last is seen, so the one in between is in no JSON.
            assert prepared is None
            continue
        assert prepared is not None
        ready = prepared.for_request(raw, None).prelude
        assert (ready.text, ready.bound(b"m1")) == (anew.text, anew.bound(b"m1"))


@pytest.mark.parametrize("value", [PATH, ID])
def test_what_could_be_taken_for_a_mark_is_made_anew(value: str) -> None:
    repeated = RepeatedHeaders(((b"x-a", value.encode()),))
    raw = RawRequest("GET", b"/cars", b"", repeated.with_id("3c6b"), b"", repeated)
    preludes = Preludes(CALLER, SETTINGS, CACHE)

    def marked(of_caller: Sequence[Setting]) -> list[Setting]:
        return [("app.settings.a", value), *of_caller]

    preludes.prepare(raw, (), marked, TRANSACTION, PLAN)
    prepared = preludes.find("GET", PLAN)
    assert prepared is None or prepared.for_request(raw, None).prelude.bound(b"m") == prelude(
        raw, CALLER, marked
    ).bound(b"m")


def test_another_caller_another_configuration_and_another_catalogue_begin_anew() -> None:
    repeated = RepeatedHeaders(((b"host", b"here"),))
    raw = RawRequest("GET", b"/cars", b"", repeated.with_id("1"), b"", repeated)
    first = preludes_of(raw, CALLER, SETTINGS, CACHE)
    assert preludes_of(raw, CALLER, SETTINGS, CACHE) is first
    # Equal is not enough: what was reloaded is another one.
    others = ((Caller("anon"), SETTINGS, CACHE), (CALLER, SETTINGS.model_copy(), CACHE))
    for caller, config, cache in (*others, (CALLER, SETTINGS, replace(CACHE))):
        first = preludes_of(raw, CALLER, SETTINGS, CACHE)
        assert preludes_of(raw, caller, config, cache) is not first


def test_another_plan_and_another_method_are_not_found() -> None:
    repeated = RepeatedHeaders(((b"host", b"here"),))
    raw = RawRequest("GET", b"/cars", b"", repeated.with_id("1"), b"", repeated)
    preludes = Preludes(CALLER, SETTINGS, CACHE)
    preludes.prepare(raw, (), around, TRANSACTION, PLAN)
    assert preludes.find("GET", PLAN) is not None
    assert preludes.find("HEAD", PLAN) is None
    assert preludes.find("GET", ActionPlan(Action.READ)) is None


def test_the_plans_of_one_list_of_headers_are_bounded() -> None:
    repeated = RepeatedHeaders(((b"host", b"here"),))
    raw = RawRequest("GET", b"/cars", b"", repeated.with_id("1"), b"", repeated)
    preludes = Preludes(CALLER, SETTINGS, CACHE)
    for _ in range(3 * MOST_PLANS):
        preludes.prepare(raw, (), around, TRANSACTION, ActionPlan(Action.READ))
        assert len(preludes.known) <= MOST_PLANS
    assert len(preludes.templates) == 1
