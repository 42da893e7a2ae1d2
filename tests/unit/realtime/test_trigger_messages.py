"""What triggers tell: row literals as PostgreSQL writes them, and messages that make sense or are refused."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from minato.realtime.change_feed.base import Action
from minato.realtime.change_feed.trigger_messages import TriggerDecoder, UnreadableMessage, parse_row

NOW = datetime(2026, 1, 1, tzinfo=UTC)
COLUMNS = [["id", 23, True, True], ["body", 25, False, True], ["hidden", 25, True, False]]
TOLD: dict[str, Any] = {
    "oid": 5, "schema": "public", "table": "notes", "action": "UPDATE", "size": 9, "xid": str(2**32 + 7),
    "columns": COLUMNS, "version": "1 1", "new": "(1,new,x)", "old": "(1,,x)",
}  # fmt: skip


def literal(values: list[str | None]) -> str:
    """A row as PostgreSQL's record_out writes it, each value in quotes."""
    fields = ("" if v is None else '"' + v.replace("\\", "\\\\").replace('"', '""') + '"' for v in values)
    return f"({','.join(fields)})"


@given(st.lists(st.none() | st.text(), min_size=1))
def test_a_row_literal_is_read_as_it_was_written(values: list[str | None]) -> None:
    assert list(parse_row(literal(values))) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("()", [None]),
        ("(,)", [None, None]),
        ("(1,t,2024-01-02)", ["1", "t", "2024-01-02"]),
        ('("{1,2}","(a,""b"")")', ["{1,2}", '(a,"b")']),
        ('("a\nb")', ["a\nb"]),
    ],
)
def test_plain_and_quoted_fields(text: str, values: list[str | None]) -> None:
    assert list(parse_row(text)) == values


@pytest.mark.parametrize("text", ["", "1,2", "(", '("a)', '("a"b)', "(a(b)"])
def test_what_is_no_row_literal_is_refused(text: str) -> None:
    if text == "(a(b)":
        assert list(parse_row(text)) == ["a(b"]
        return
    with pytest.raises(ValueError, match="no "):
        list(parse_row(text))


def test_a_change_has_its_published_columns_and_the_identity_of_the_old_row() -> None:
    change = TriggerDecoder().decode(orjson.dumps(TOLD), NOW)
    assert (change.action, change.record, change.old) == (Action.UPDATE, {"id": "1", "body": "new"}, {"id": "1"})
    assert (change.xid, change.committed_at, change.size) == (7, NOW, 9)
    assert [column.name for column in change.relation.columns] == ["id", "body"]


def test_a_table_stays_the_same_relation_until_it_changes() -> None:
    decoder = TriggerDecoder()
    versions: tuple[dict[str, Any], ...] = ({}, {"new": "(2,,)"}, {"version": "2 1"})
    relations = [decoder.decode(orjson.dumps({**TOLD, **more}), NOW).relation for more in versions]
    assert relations[0] is relations[1] is not relations[2]


def test_a_row_too_large_has_its_short_values() -> None:
    told = {**TOLD, "new": None, "old": None, "short_new": {"id": "1"}, "short_old": None}
    change = TriggerDecoder().decode(orjson.dumps(told), NOW)
    assert (change.record, change.old) == ({"id": "1"}, {})


@pytest.mark.parametrize(
    "more", [{"action": "TRUNCATE"}, {"columns": []}, {"new": "(1)"}, {"new": 5}, {"xid": None}, {"oid": "x"}]
)
def test_a_message_without_sense_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(UnreadableMessage):
        TriggerDecoder().decode(orjson.dumps({**TOLD, **more}), NOW)


@given(st.binary())
def test_any_bytes_are_a_change_or_unreadable(message: bytes) -> None:
    with pytest.raises(UnreadableMessage):
        TriggerDecoder().decode(message, NOW)
