"""Presence: state, diffs, keys, and how often one may call."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.realtime.phoenix import Heard, Phoenix, phoenix
from tests.support.server import Minato


async def track(client: Phoenix, payload: Any, event: str = "track") -> Heard:
    return await client.call("realtime:room", "presence", {"type": "presence", "event": event, "payload": payload})


def present(key: str) -> dict[str, Any]:
    return {"presence": {"key": key, "enabled": True}}


async def test_a_newcomer_hears_who_is_there_and_everyone_hears_the_changes(minato: Minato) -> None:
    async with phoenix(minato) as ann, phoenix(minato) as bob:
        await ann.join("room", present("ann"))
        assert (await ann.event("presence_state")).payload == {}
        assert (await track(ann, {"mood": "good"})).payload == {"status": "ok", "response": {}}
        diff = (await ann.event("presence_diff")).payload
        meta = diff["joins"]["ann"]["metas"][0]
        assert (meta["mood"], diff["leaves"]) == ("good", {})
        joined = await bob.join("room", present("bob"))
        state = await bob.event("presence_state")
        assert state.payload == {"ann": {"metas": [meta]}}
        assert state.join_ref == joined.ref
        await track(ann, {"mood": "better"})
        changed = await bob.event("presence_diff")
        new = changed.payload["joins"]["ann"]["metas"][0]
        assert (new["mood"], new["phx_ref_prev"]) == ("better", meta["phx_ref"])
        assert changed.payload["leaves"] == {"ann": {"metas": [meta]}}
        assert changed.join_ref is None
        await track(ann, None, "untrack")
        gone = (await bob.event("presence_diff")).payload
        assert gone == {"joins": {}, "leaves": {"ann": {"metas": [new]}}}


async def test_leaving_and_losing_the_connection_end_a_presence(minato: Minato) -> None:
    async with phoenix(minato) as witness:
        await witness.join("room", present("witness"))
        async with phoenix(minato) as ann, phoenix(minato) as twin:
            for client in (ann, twin):
                await client.join("room", present("ann"))
                await track(client, {"from": "here"})
                await witness.event("presence_diff")
            await ann.call("realtime:room", "phx_leave", {})
            assert len((await witness.event("presence_diff")).payload["leaves"]["ann"]["metas"]) == 1
        assert list((await witness.event("presence_diff")).payload["leaves"]) == ["ann"]


async def test_several_connections_share_a_key_oldest_first(minato: Minato) -> None:
    async with phoenix(minato) as one, phoenix(minato) as two, phoenix(minato) as newcomer:
        for number, client in enumerate((one, two)):
            await client.join("room", present("ann"))
            await track(client, {"n": number})
        await newcomer.join("room", present(""))
        metas = (await newcomer.event("presence_state")).payload["ann"]["metas"]
        assert [meta["n"] for meta in metas] == [0, 1]


async def test_the_same_payload_again_says_nothing(minato: Minato) -> None:
    async with phoenix(minato) as client:
        await client.join("room", present("ann"))
        await track(client, {"a": 1})
        await client.settle()
        assert (await track(client, {"a": 1})).payload["status"] == "ok"
        assert await client.settle() == []


@pytest.mark.parametrize(
    ("payload", "answer"),
    [
        ({"event": "track", "payload": []}, {"reason": "Presence track payload must be a map"}),
        ({"event": "unheard of"}, {}),
        ({"event": 5}, {}),
    ],
)
async def test_a_call_that_makes_no_sense_is_an_error(minato: Minato, payload: Any, answer: Any) -> None:
    async with phoenix(minato) as client:
        await client.join("room", present("ann"))
        reply = await client.call("realtime:room", "presence", payload)
        assert reply.payload == {"status": "error", "response": answer}


@pytest.mark.parametrize("payload", [{}, {"type": "presence"}, None, []])
async def test_a_call_without_an_event_is_fine(minato: Minato, payload: Any) -> None:
    async with phoenix(minato) as client:
        await client.join("room")
        assert (await client.call("realtime:room", "presence", payload)).payload == {"status": "ok", "response": {}}


async def test_too_many_calls_shut_the_channel_down(minato: Minato) -> None:
    async with phoenix(minato) as client:
        joined = await client.join("room", present("ann"))
        for number in range(5):
            await track(client, {"n": number})
        await client.send("realtime:room", "presence", {"event": "track", "payload": {"n": 6}}, "99")
        assert (await client.system("room")) == {
            "extension": "system",
            "status": "error",
            "message": "Client presence rate limit exceeded",
            "channel": "room",
        }
        closed = await client.event("phx_close", "room")
        assert (closed.join_ref, closed.ref) == (joined.ref, joined.ref)
        again = await client.join("room", present("ann"))
        assert again.payload["status"] == "ok"
        assert (await client.event("presence_state")).payload == {}
