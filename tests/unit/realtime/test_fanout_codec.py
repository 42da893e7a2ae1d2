"""Parcels between processes: what goes in comes out, and what is none of ours is told apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from minato.realtime.fanout.base import Envelope, Kind, Note, Topic
from minato.realtime.fanout.chunks import MAX_CHUNK, PIECE, Assembly, cut
from minato.realtime.fanout.shared import UnreadableParcel, decode_parcel, encode_parcel
from minato.realtime.message import Encoding, Push, UserBroadcast

# A JSON text of PostgreSQL or of a client never holds half a surrogate pair.
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=10,
)
TOPICS = st.builds(Topic, TEXT, st.booleans())
PUSHES = st.builds(Push, TEXT, TEXT, JSON)
BROADCASTS = st.builds(
    UserBroadcast, TEXT, TEXT, st.sampled_from(Encoding), st.binary(max_size=50), st.none() | st.just({"id": "7"})
)
ENVELOPES = st.builds(
    Envelope, TOPICS, st.sampled_from(Kind), PUSHES | BROADCASTS, st.none() | TEXT, st.none() | st.just("7")
)
NOTES = st.builds(Note, st.dictionaries(TEXT, JSON, max_size=3))


@given(parcel=ENVELOPES | NOTES)
def test_a_parcel_arrives_as_it_was_sent(parcel: Envelope | Note) -> None:
    assert decode_parcel(encode_parcel(parcel)) == parcel


@given(data=st.binary(max_size=200))
def test_any_bytes_are_a_parcel_or_unreadable(data: bytes) -> None:
    try:
        decode_parcel(data)
    except UnreadableParcel:
        return


@given(parcel=ENVELOPES | NOTES, end=st.integers(0, 100))
def test_a_parcel_cut_short_harms_nobody(parcel: Envelope | Note, end: int) -> None:
    try:
        decode_parcel(encode_parcel(parcel)[:end])
    except UnreadableParcel:
        return


@pytest.mark.parametrize("header", [b"[]", b"5", b"null", b"{}", b'{"topic": "a"}', b'{"note": 5}'])
def test_a_header_of_something_else_is_unreadable(header: bytes) -> None:
    with pytest.raises(UnreadableParcel):
        decode_parcel(len(header).to_bytes(4, "big") + header)


@given(data=st.binary(max_size=3 * PIECE))
def test_what_is_cut_is_put_together_again(data: bytes) -> None:
    chunks, assembly = cut("4711", data), Assembly()
    assert all(len(chunk) <= MAX_CHUNK for chunk in chunks)
    assert [assembly.add(chunk) for chunk in chunks] == [None] * (len(chunks) - 1) + [data]


def test_a_message_that_lacks_a_chunk_is_lost_and_the_next_is_whole() -> None:
    first, second, third = cut("1", b"a" * 2 * PIECE + b"b")
    assembly = Assembly()
    assert [assembly.add(chunk) for chunk in (first, third)] == [None, None]
    assert assembly.add(second) is None
    assert assembly.add(cut("2", b"whole")[0]) == b"whole"


def test_chunks_of_two_messages_are_never_mixed() -> None:
    one, other = cut("1", b"a" * (PIECE + 1)), cut("2", b"b" * (PIECE + 1))
    assembly = Assembly()
    assert [assembly.add(chunk) for chunk in (one[0], other[0], one[1])] == [None, None, None]
    assert [assembly.add(chunk) for chunk in other] == [None, b"b" * (PIECE + 1)]


@pytest.mark.parametrize(
    "chunk", ["", "1", "1:0:1", "1:x:1:aGk=", "1:0:1:***", "1:1:1:aGk=", "1:0:0:aGk=", "1:0:9999:aGk="]
)
def test_a_text_that_is_no_chunk_is_passed_over(chunk: str) -> None:
    assembly = Assembly()
    assert assembly.add(chunk) is None
    assert assembly.add("2:0:1:aGk=") == b"hi"
