"""The decoder of logical replication messages, on bytes as PostgreSQL 18 wrote them and on broken ones."""

from __future__ import annotations

import struct
from datetime import UTC, datetime

import pytest
from minato.realtime.change_feed.base import Action, Change, Mark
from minato.realtime.change_feed.pgoutput import PgOutputDecoder, ProtocolError

COMMITTED = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)


def begin(lsn: int = 4096) -> bytes:
    moment = int((COMMITTED - datetime(2000, 1, 1, tzinfo=UTC)).total_seconds() * 1_000_000)
    return b"B" + struct.pack(">QqI", lsn, moment, 7)


def relation(identity: bytes = b"d", keys: tuple[int, ...] = (1, 0, 0)) -> bytes:
    columns = zip(keys, ("id", "body", "note"), (23, 25, 25), strict=True)
    described = b"".join(
        bytes([key]) + name.encode() + b"\0" + struct.pack(">Ii", oid, -1) for key, name, oid in columns
    )
    return b"R" + struct.pack(">I", 16384) + b"public\0cars\0" + identity + struct.pack(">H", 3) + described


def row(*values: str | bytes | None) -> bytes:
    """Text, None for NULL, b"u" for an unchanged TOASTed value."""
    out = struct.pack(">H", len(values))
    for value in values:
        if isinstance(value, bytes):
            out += value
        elif value is None:
            out += b"n"
        else:
            out += b"t" + struct.pack(">I", len(value.encode())) + value.encode()
    return out


def change(kind: bytes, *tuples: bytes) -> bytes:
    return kind + struct.pack(">I", 16384) + b"".join(tuples)


def decode(*messages: bytes) -> Change:
    decoder = PgOutputDecoder()
    decoded = [decoder.decode(message) for message in messages]
    assert all(early is None for early in decoded[:-1])
    last = decoded[-1]
    assert isinstance(last, Change)
    return last


def test_an_insert_has_its_record_and_the_moment_of_its_commit() -> None:
    inserted = decode(begin(), relation(), change(b"I", b"N", row("1", "ü", None)))
    assert inserted.action is Action.INSERT
    assert inserted.record == {"id": "1", "body": "ü", "note": None}
    assert inserted.old is None
    assert inserted.relation.name == ("public", "cars")
    assert (inserted.lsn, inserted.committed_at) == (4096, COMMITTED)


def test_an_update_without_an_old_row_has_the_key_of_the_new_one() -> None:
    updated = decode(begin(), relation(), change(b"U", b"N", row("1", "new", None)))
    assert updated.old == {"id": "1"}


def test_an_update_of_the_key_has_the_old_key_alone() -> None:
    updated = decode(begin(), relation(), change(b"U", b"K", row("1", None, None), b"N", row("2", "x", None)))
    assert updated.old == {"id": "1"}
    assert updated.record == {"id": "2", "body": "x", "note": None}


def test_an_unchanged_toasted_value_is_absent_by_default() -> None:
    updated = decode(begin(), relation(), change(b"U", b"N", row("1", b"u", "n")))
    assert updated.record == {"id": "1", "note": "n"}


def test_an_unchanged_toasted_value_comes_from_the_old_row_under_full_identity() -> None:
    full = relation(b"f", (1, 1, 1))
    updated = decode(begin(), full, change(b"U", b"O", row("1", "long", "m"), b"N", row("1", b"u", "n")))
    assert updated.record == {"id": "1", "body": "long", "note": "n"}
    assert updated.old == {"id": "1", "body": "long", "note": "m"}


def test_a_delete_by_key_has_the_key_alone() -> None:
    deleted = decode(begin(), relation(), change(b"D", b"K", row("1", None, None)))
    assert (deleted.action, deleted.record, deleted.old) == (Action.DELETE, None, {"id": "1"})


def test_a_delete_under_full_identity_has_the_whole_row() -> None:
    deleted = decode(begin(), relation(b"f", (1, 1, 1)), change(b"D", b"O", row("1", "b", None)))
    assert deleted.old == {"id": "1", "body": "b", "note": None}


def test_a_message_of_ours_in_the_log_is_a_mark_and_one_of_others_is_nothing() -> None:
    head, tail = b"M\x01" + bytes(8), struct.pack(">I", 2) + b"m1"
    assert PgOutputDecoder().decode(head + b"minato\0" + tail) == Mark("m1")
    assert PgOutputDecoder().decode(head + b"theirs\0" + tail) is None


def test_a_relation_described_again_replaces_the_old_description() -> None:
    decoder = PgOutputDecoder()
    decoder.decode(relation())
    first = decoder.decode(change(b"I", b"N", row("1", "a", "b")))
    decoder.decode(relation())
    second = decoder.decode(change(b"I", b"N", row("2", "a", "b")))
    assert isinstance(first, Change)
    assert isinstance(second, Change)
    assert first.relation is not second.relation


@pytest.mark.parametrize("message", [b"C" + bytes(25), b"O" + bytes(9), b"Y" + bytes(9), b"T" + bytes(9)])
def test_messages_no_subscriber_hears_of_are_passed_over(message: bytes) -> None:
    assert PgOutputDecoder().decode(message) is None


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"?",
        b"B\0\0",
        b"R\0\0\0\1public",
        change(b"I", b"N", row("1", "b")),
        change(b"I", b"N", row("1", "b", "c")[:-1]),
        change(b"I", b"X", row("1", "b", "c")),
        change(b"I", b"N", struct.pack(">H", 3) + b"zzz"),
        b"I" + struct.pack(">I", 1) + b"N" + row("1", "b", "c"),
    ],
)
def test_broken_messages_are_told_apart_from_changes(message: bytes) -> None:
    decoder = PgOutputDecoder()
    decoder.decode(relation())
    with pytest.raises(ProtocolError):
        decoder.decode(message)


# Recorded from PostgreSQL 18: insert, update that leaves a TOASTed value alone, update of the key, delete, truncate of
# `cars (id int primary key, tags text[], mood mood, note text)`.
RECORDED = [
    b"B\x00\x00\x00\x00\x01o8\xf0\x00\x03\x03\xc2\xfa\x14\x0f\xff\x00\x00\x02\xf1",
    b"Y\x00\x00@\x01public\x00mood\x00",
    b"R\x00\x00@\x03public\x00cars\x00d\x00\x04\x01id\x00\x00\x00\x00\x17\xff\xff\xff\xff"
    b"\x00tags\x00\x00\x00\x03\xf1\xff\xff\xff\xff\x00mood\x00\x00\x00@\x01\xff\xff\xff\xff"
    b"\x00note\x00\x00\x00\x00\x19\xff\xff\xff\xff",
    b"I\x00\x00@\x03N\x00\x04t\x00\x00\x00\x011t\x00\x00\x00\x05{a,b}t\x00\x00\x00\x02okn",
    b"C\x00\x00\x00\x00\x00\x01o8\xf0\x00\x00\x00\x00\x01o9 \x00\x03\x03\xc2\xfa\x14\x0f\xff",
    b"B\x00\x00\x00\x00\x01oG\xe0\x00\x03\x03\xc2\xfa\x14\x14\xb3\x00\x00\x02\xf3",
    b"U\x00\x00@\x03N\x00\x04t\x00\x00\x00\x011nt\x00\x00\x00\x02oku",
    b"C\x00\x00\x00\x00\x00\x01oG\xe0\x00\x00\x00\x00\x01oH\x10\x00\x03\x03\xc2\xfa\x14\x14\xb3",
    b"B\x00\x00\x00\x00\x01oH\xf0\x00\x03\x03\xc2\xfa\x14\x14\xfd\x00\x00\x02\xf4",
    b"U\x00\x00@\x03K\x00\x04t\x00\x00\x00\x011nnnN\x00\x04t\x00\x00\x00\x012nt\x00\x00\x00\x02oku",
    b"C\x00\x00\x00\x00\x00\x01oH\xf0\x00\x00\x00\x00\x01oI \x00\x03\x03\xc2\xfa\x14\x14\xfd",
    b"B\x00\x00\x00\x00\x01oI\xd0\x00\x03\x03\xc2\xfa\x14\x1e\xc2\x00\x00\x02\xf5",
    b"D\x00\x00@\x03K\x00\x04t\x00\x00\x00\x012nnn",
    b"C\x00\x00\x00\x00\x00\x01oI\xd0\x00\x00\x00\x00\x01oJ\x00\x00\x03\x03\xc2\xfa\x14\x1e\xc2",
    b"T\x00\x00\x00\x01\x00\x00\x00@\x03",
]


def test_a_recorded_stream_decodes_to_its_changes() -> None:
    decoder = PgOutputDecoder()
    changes = [change for change in map(decoder.decode, RECORDED) if isinstance(change, Change)]
    assert [(change.action, change.record, change.old) for change in changes] == [
        (Action.INSERT, {"id": "1", "tags": "{a,b}", "mood": "ok", "note": None}, None),
        (Action.UPDATE, {"id": "1", "tags": None, "mood": "ok"}, {"id": "1"}),
        (Action.UPDATE, {"id": "2", "tags": None, "mood": "ok"}, {"id": "1"}),
        (Action.DELETE, None, {"id": "2"}),
    ]
    assert [change.lsn for change in changes] == sorted(change.lsn for change in changes)
    assert {change.committed_at.date().isoformat() for change in changes} == {"2026-11-21"}
