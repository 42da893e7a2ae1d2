"""Frames that no client of ours would send: each costs its sender at most its own connection."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from tests.integration.realtime.phoenix import Phoenix, phoenix, user_broadcast_push
from tests.support.examples import of_hundred
from tests.support.server import Minato

MOVE = {"type": "broadcast", "event": "move", "payload": {"x": 1}}
SCALARS = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)
WORDS = st.sampled_from(
    "config broadcast presence postgres_changes private ack self key enabled replay since limit event schema table "
    "filter select payload type access_token track untrack public * id=eq.1 replication_ready".split()
)
# Shaped like what clients send, with anything in the places of values.
PAYLOADS = st.recursive(
    JSON | WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=12
)
TOPICS = st.sampled_from(["realtime:mine", "realtime:", "phoenix", "realtime:\0", "x" * 300])
EVENTS = st.sampled_from(["phx_join", "phx_leave", "heartbeat", "broadcast", "presence", "access_token", "phx_close"])
FIELDS = ("join_ref", "ref", "topic", "event", "payload")
MESSAGES = st.tuples(SCALARS, SCALARS, TOPICS | JSON, EVENTS | JSON, PAYLOADS)
BROADCASTS = st.builds(
    user_broadcast_push,
    st.just("realtime:mine"),
    st.text(max_size=20),
    st.binary(max_size=50),
    st.text(max_size=5),
    st.text(max_size=5),
    st.booleans(),
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=100)
FRAMES = st.lists(MESSAGES | MESSAGES | BROADCASTS | TEXTS | st.binary(max_size=100), max_size=15)
ONCE_JOINED = [{"broadcast": {"ack": True, "self": True}, "presence": {"enabled": True}}, {"private": True}]


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
@settings(max_examples=of_hundred(40), deadline=None)
@given(frames=FRAMES, config=st.sampled_from(ONCE_JOINED))
async def test_no_frames_hurt_the_worker_or_another_socket(
    minato: Minato, version: str, frames: list[Any], config: dict[str, Any]
) -> None:
    async with phoenix(minato, minato.service_role_key, version=version) as hostile, phoenix(minato) as other:
        await hostile.join("mine", config)
        await other.join("room", {"broadcast": {"ack": True, "self": True}})
        with capture_logs() as log:
            await send_all(hostile, frames)
            assert (await other.call("realtime:room", "broadcast", MOVE)).payload["status"] == "ok"
            assert (await other.event("broadcast", "room")).payload == MOVE
        assert [entry for entry in log if entry["log_level"] == "error"] == []


async def send_all(client: Phoenix, frames: list[Any]) -> None:
    """Send, and wait until the server has taken all of it or closed."""
    try:
        for frame in frames:
            if isinstance(frame, tuple):
                frame = json.dumps(frame if client.version == "2.0.0" else dict(zip(FIELDS, frame, strict=True)))
            await client.socket.send(frame)
        await client.call("phoenix", "heartbeat", {})
    except ConnectionClosed:
        return


@settings(max_examples=of_hundred(60), deadline=None)
@given(query=st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="#"), max_size=60))
async def test_no_query_makes_a_handshake_fail_oddly(minato: Minato, query: str) -> None:
    host, _, port = minato.url.removeprefix("http://").partition(":")
    status = await handshake(host, int(port), f"/realtime/v1/websocket?{query}")
    assert status in (b"401", b"403"), status


async def handshake(host: str, port: int, target: str) -> bytes:
    """The status of a websocket handshake, spoken by hand: a client library would refuse such addresses."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(
        f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    line = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return line.split(b" ")[1]
