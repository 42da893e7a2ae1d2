"""The Phoenix protocol: joins and their refusals, leaving, stale and unknown messages, garbage."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jose import jwt

from tests.integration.realtime.phoenix import Phoenix, phoenix, user_broadcast_push
from tests.support.server import JWT_SECRET, Minato


async def test_a_join_answers_with_numbered_entries_in_their_order(minato: Minato) -> None:
    entries = [{"event": "*", "schema": "public", "table": name, "filter": "id=eq.1"} for name in ("b", "a", "b")]
    async with phoenix(minato) as client:
        joined = await client.join("room", {"postgres_changes": [None, *entries]})
    answered = joined.response["postgres_changes"]
    ids = [entry.pop("id") for entry in answered]
    assert answered == entries
    assert ids[0] == ids[2] != ids[1]
    assert joined.join_ref == joined.ref


@pytest.mark.parametrize("payload", [{"config": None}, {"config": {"private": "no", "broadcast": 5}}, None, []])
async def test_a_strange_join_takes_defaults(minato: Minato, payload: Any) -> None:
    async with phoenix(minato) as client:
        joined = await client.call("realtime:room", "phx_join", payload)
    assert joined.payload == {"status": "ok", "response": {"postgres_changes": []}}


async def test_version_1_hears_objects_without_join_ref(minato: Minato) -> None:
    async with phoenix(minato, version="1.0.0") as client:
        await client.socket.send(
            json.dumps(
                {"topic": "realtime:room", "event": "phx_join", "payload": {"config": {}}, "ref": "7", "join_ref": "7"}
            )
        )
        assert json.loads(await client.socket.recv()) == {
            "topic": "realtime:room",
            "event": "phx_reply",
            "ref": "7",
            "payload": {"status": "ok", "response": {"postgres_changes": []}},
        }


async def test_leaving_is_answered_and_then_closed(minato: Minato) -> None:
    async with phoenix(minato) as client:
        joined = await client.join("room")
        left = await client.call("realtime:room", "phx_leave", {}, joined.ref)
        assert left.payload == {"status": "ok", "response": {}}
        closed = await client.event("phx_close", "room")
        assert (closed.join_ref, closed.ref, closed.payload) == (joined.ref, joined.ref, {})


async def test_leaving_what_was_not_joined_is_answered_too(minato: Minato) -> None:
    async with phoenix(minato) as client:
        left = await client.call("realtime:room", "phx_leave", {})
        assert left.payload == {"status": "ok", "response": {}}
        assert await client.settle() == []


async def test_a_second_join_takes_the_place_of_the_first(minato: Minato) -> None:
    async with phoenix(minato) as client, phoenix(minato) as other:
        first = await client.join("room")
        second = await client.join("room", {"broadcast": {"self": True}})
        closed = await client.event("phx_close", "room")
        assert closed.join_ref == first.ref
        assert second.payload["status"] == "ok"
        await other.join("room")
        await other.send("realtime:room", "broadcast", {"type": "broadcast", "event": "e", "payload": {}}, "9")
        await client.event("broadcast", "room")
        assert await client.settle() == []


async def test_a_second_join_that_is_refused_still_ends_the_first(minato: Minato) -> None:
    async with phoenix(minato) as client:
        first = await client.join("room")
        refused = await client.join("room", access_token="not a token")
        assert refused.payload["status"] == "error"
        assert (await client.event("phx_close", "room")).join_ref == first.ref
        unmatched = await client.call("realtime:room", "broadcast", {})
        assert unmatched.response == {"reason": "unmatched topic"}


@pytest.mark.parametrize(
    ("topic", "event"), [("realtime:room", "broadcast"), ("room", "phx_join"), ("phoenix", "other")]
)
async def test_what_is_for_no_channel_is_unmatched(minato: Minato, topic: str, event: str) -> None:
    async with phoenix(minato) as client:
        answer = await client.call(topic, event, {})
    assert answer.payload == {"status": "error", "response": {"reason": "unmatched topic"}}
    assert answer.join_ref is None


async def test_unknown_events_are_ignored_and_stale_refs_accepted(minato: Minato) -> None:
    async with phoenix(minato) as client:
        await client.join("room", {"broadcast": {"ack": True}})
        await client.send("realtime:room", "unheard of", {"a": 1}, "50")
        assert await client.settle() == []
        answer = await client.call("realtime:room", "broadcast", {"event": "e"}, join_ref="stale")
        assert answer.payload["status"] == "ok"


GARBAGE: list[str | bytes] = [
    "",
    "{",
    "[]",
    "null",
    "[1,2,3,4]",
    '{"topic":"phoenix"}',
    '[null,"1",5,"heartbeat",{}]',
    b"",
    b"\x00",
    b"\x03\xff\xff\xff\xff\xff\x01",
    b"\x04abc",
    user_broadcast_push("realtime:room", "e", b"not json"),
    "[" * 50_000,
    '[null,"1","realtime:room","phx_join",{"config":{"presence":{"key":' + "[" * 900 + "]" * 900 + "}}}]",
]


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_garbage_frames_are_dropped_and_the_connection_stays(minato: Minato, version: str) -> None:
    async with phoenix(minato, version=version) as client:
        for frame in GARBAGE[:-1]:
            await client.socket.send(frame)
        assert await client.settle() == []
        await client.socket.send(GARBAGE[-1])
        assert len(await client.settle()) == (version == "2.0.0")
        assert (await client.join("room")).payload["status"] == "ok"


def signed(claims: dict[str, Any], secret: str = JWT_SECRET, **headers: str) -> str:
    return str(jwt.encode(claims, secret, algorithm="HS256", headers=headers or None))


NEVER = 4_000_000_000
REFUSED_TOKENS = [
    ("garbage", "MalformedJWT: The token provided is not a valid JWT"),
    ("a.b.c", "MalformedJWT: The token provided is not a valid JWT"),
    (signed({"exp": NEVER}), "InvalidJWTToken: Fields `role` and `exp` are required in JWT"),
    (signed({"role": "anon"}), "InvalidJWTToken: Fields `role` and `exp` are required in JWT"),
    (signed({"role": "anon", "exp": NEVER}, "another secret"), "JwtSignatureError: Failed to validate JWT signature"),
    (
        jwt.encode({"role": "anon", "exp": NEVER}, JWT_SECRET, algorithm="HS512"),
        "JwtSignerError: Failed to generate JWT signer, check your JWT secret or JWKS configuration",
    ),
]


@pytest.mark.parametrize(("token", "reason"), REFUSED_TOKENS)
async def test_a_bad_token_refuses_the_join(minato: Minato, token: str, reason: str) -> None:
    async with phoenix(minato) as client:
        refused = await client.join("room", access_token=token)
        assert refused.payload == {"status": "error", "response": {"reason": reason}}
        assert (await client.join("room")).payload["status"] == "ok"


async def test_an_expired_token_refuses_the_join(minato: Minato) -> None:
    expired = minato.token(exp=int(minato.backend.clock.timestamp()) - 100)
    async with phoenix(minato) as client:
        refused = await client.join("room", access_token=expired)
    assert refused.response["reason"].startswith("InvalidJWTToken: Token has expired 10")
    assert refused.response["reason"].endswith(" seconds ago")


async def test_an_opaque_key_as_token_means_the_sockets_own_key(minato: Minato) -> None:
    async with phoenix(minato) as client:
        joined = await client.join("room", access_token=minato.backend.api_keys.publishable)
    assert joined.payload["status"] == "ok"


@pytest.mark.parametrize(
    ("topic", "config", "reason"),
    [
        ("", {}, "TopicNameRequired: You must provide a topic name"),
        (
            "room",
            {"broadcast": {"replay": None}},
            "UnableToReplayMessages: Replay is not allowed for public channels",
        ),
        (
            "room",
            {"private": True},
            "Unauthorized: You do not have permissions to read from this Channel topic: room",
        ),
    ],
)
async def test_a_join_that_may_not_be_is_refused(
    minato: Minato, topic: str, config: dict[str, Any], reason: str
) -> None:
    async with phoenix(minato) as client:
        refused = await client.join(topic, config)
    assert refused.payload == {"status": "error", "response": {"reason": reason}}


async def test_a_socket_has_a_limited_number_of_channels(minato: Minato) -> None:
    async with phoenix(minato) as client:
        for number in range(minato.backend.settings.realtime.max_channels_per_client):
            await client.join(f"room{number}")
        refused = await client.join("one more")
        assert refused.response == {"reason": "ChannelRateLimitReached: Too many channels"}
        again: Phoenix = client
        assert (await again.join("room0")).payload["status"] == "ok"
