"""No bytes a client can send do anything but decode or be malformed."""

from __future__ import annotations

import contextlib

from hypothesis import given
from hypothesis import strategies as st
from minato.realtime.errors import SubscriptionRefused
from minato.realtime.message import Encoding, Message, UserBroadcast
from minato.realtime.payloads import number_entries, parse_join
from minato.realtime.postgres_changes.parameters import parse_filters, parse_parameters
from minato.realtime.serializer import SERIALIZERS, MalformedFrame, encode_user_broadcast

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
KEYS = st.sampled_from(["config", "broadcast", "presence", "postgres_changes", "private", "ack", "key", "replay"])
JOIN = st.recursive(JSON, lambda inner: st.dictionaries(KEYS, inner, max_size=4), max_leaves=10)
ENTRY = st.dictionaries(st.sampled_from(["event", "schema", "table", "filter", "select"]), JSON)


@given(st.binary() | st.binary().map(lambda rest: b"\x03" + rest) | st.text(), st.sampled_from(["1.0.0", "2.0.0"]))
def test_any_frame_decodes_or_is_malformed(frame: str | bytes, version: str) -> None:
    try:
        message = SERIALIZERS[version].decode(frame)
    except MalformedFrame:
        return
    assert isinstance(message, Message)


@given(JOIN)
def test_any_join_has_a_config_with_numbered_entries(payload: object) -> None:
    for entry in number_entries(parse_join(payload).postgres_changes):
        assert entry["id"] > 0


@given(ENTRY)
def test_any_entry_is_understood_or_refused(entry: dict[str, object]) -> None:
    with contextlib.suppress(SubscriptionRefused):
        parse_parameters(entry)


@given(st.text(alphabet='a1=.,()"\\ not.eqin') | st.text())
def test_any_filter_is_understood_or_refused(text: str) -> None:
    with contextlib.suppress(SubscriptionRefused):
        parse_filters(text)


@given(st.text(max_size=300), st.text(max_size=300), st.binary(max_size=50))
def test_a_user_broadcast_fits_its_frame_or_is_lost(topic: str, event: str, data: bytes) -> None:
    try:
        frame = encode_user_broadcast(UserBroadcast(topic, event, Encoding.RAW, data))
    except UnicodeEncodeError:
        return
    assert frame is None or frame.endswith(data)
