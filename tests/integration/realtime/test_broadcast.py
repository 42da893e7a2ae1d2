"""Broadcast between sockets of both protocol versions, from HTTP and from SQL."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.integration.realtime.phoenix import phoenix, user_broadcast_push
from tests.support.server import Minato

MOVE = {"type": "broadcast", "event": "move", "payload": {"x": 1}}


async def test_a_broadcast_reaches_the_others_and_not_its_sender(minato: Minato) -> None:
    async with phoenix(minato) as sender, phoenix(minato) as new, phoenix(minato, version="1.0.0") as old:
        for client in (sender, new, old):
            await client.join("room")
        await sender.send("realtime:room", "broadcast", MOVE, "9")
        heard = await new.event("broadcast")
        assert (heard.payload, heard.join_ref, heard.ref) == (MOVE, None, None)
        assert (await old.event("broadcast")).payload == MOVE
        assert await sender.settle() == []


async def test_self_and_ack_are_the_channels_wish(minato: Minato) -> None:
    async with phoenix(minato) as client:
        await client.join("room", {"broadcast": {"self": True, "ack": True}})
        answer = await client.call("realtime:room", "broadcast", MOVE)
        assert answer.payload == {"status": "ok", "response": {}}
        assert (await client.event("broadcast")).payload == MOVE


@pytest.mark.parametrize(("ack", "heard"), [(True, 1), (False, 0)])
async def test_a_broadcast_too_large_is_dropped_and_told_with_ack(minato: Minato, ack: bool, heard: int) -> None:
    async with phoenix(minato) as client, phoenix(minato) as other:
        await client.join("room", {"broadcast": {"ack": ack}})
        await other.join("room")
        await client.send("realtime:room", "broadcast", {**MOVE, "payload": {"x": "y" * 3_100_000}}, "9")
        answers = await client.settle()
        assert [answer.payload for answer in answers] == [
            {"status": "error", "response": "payload_size_exceeded"}
        ] * heard
        assert await other.settle() == []


async def test_a_binary_broadcast_keeps_its_bytes(minato: Minato) -> None:
    async with phoenix(minato) as sender, phoenix(minato) as new, phoenix(minato, version="1.0.0") as old:
        joined = await sender.join("room", {"broadcast": {"ack": True}})
        await new.join("room")
        await old.join("room")
        frame = user_broadcast_push("realtime:room", "move", b'{"x": 1.50}', "9", joined.ref or "")
        await sender.socket.send(frame)
        answer = await sender.hear(lambda heard: heard.ref == "9")
        assert answer.payload["status"] == "ok"
        assert await new.socket.recv() == b"\x04\x0d\x04\x00\x01realtime:roommove" + b'{"x": 1.50}'
        assert (await old.event("broadcast")).payload == {**MOVE, "payload": {"x": 1.5}}
        await sender.socket.send(user_broadcast_push("realtime:room", "raw", b"\x00\xff", "10", "", json=False))
        assert await new.socket.recv() == b"\x04\x0d\x03\x00\x00realtime:roomraw\x00\xff"
        assert await old.settle() == []


async def test_public_and_private_channels_of_a_name_are_apart(minato: Minato) -> None:
    async with phoenix(minato) as public, phoenix(minato, minato.service_role_key) as private:
        await public.join("room")
        await private.join("room", {"private": True, "broadcast": {"ack": True}})
        assert (await private.call("realtime:room", "broadcast", MOVE)).payload["status"] == "ok"
        assert await public.settle() == []


@pytest.mark.parametrize("payload", [None, 5, "text", [1]])
async def test_a_payload_that_is_no_object_is_dropped(minato: Minato, payload: Any) -> None:
    async with phoenix(minato) as client:
        await client.join("room", {"broadcast": {"self": True, "ack": True}})
        await client.send("realtime:room", "broadcast", payload, "9")
        assert await client.settle() == []


async def test_a_batch_over_http_reaches_its_topics(minato: Minato) -> None:
    async with phoenix(minato) as new, phoenix(minato, version="1.0.0") as old, minato.client() as http:
        await new.join("one")
        await old.join("two")
        messages = [
            {"topic": "one", "event": "move", "payload": {"x": 1}, "id": "7"},
            {"topic": "two", "event": "move", "payload": {"x": 1}, "private": False},
        ]
        answer = await http.post("/realtime/v1/api/broadcast", json={"messages": messages})
        assert (answer.status_code, answer.content) == (202, b"")
        assert {"x-rate-rolling", "x-rate-limit", "x-rate-limit-remaining"} <= answer.headers.keys()
        assert (await new.event("broadcast")).payload == {**MOVE, "meta": {"id": "7"}}
        assert (await old.event("broadcast")).payload == MOVE


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {"messages": ["can't be blank"]}),
        ({"messages": []}, {"messages": ["can't be blank"]}),
        (
            {"messages": [{"topic": "a"}, {"topic": "a", "event": "e", "payload": {}}]},
            {"messages": [{"event": ["can't be blank"], "payload": ["can't be blank"]}, {}]},
        ),
        (
            {"messages": [{"topic": "a", "event": "e", "payload": "text"}]},
            {"messages": [{"payload": ["is invalid"]}]},
        ),
        (
            {"messages": [{"topic": "a", "event": "e", "payload": {"x": "y" * 3_000_500}}]},
            {"messages": [{"payload": ["Payload size exceeds tenant limit"]}]},
        ),
    ],
)
async def test_a_batch_that_is_not_well_formed_sends_nothing(
    minato: Minato, body: dict[str, Any], errors: dict[str, Any]
) -> None:
    async with phoenix(minato) as client, minato.client() as http:
        await client.join("a")
        answer = await http.post("/realtime/v1/api/broadcast", json=body)
        assert (answer.status_code, answer.json()) == (422, {"errors": errors})
        assert await client.settle() == []


async def test_a_body_that_is_not_json_is_a_bad_request(minato: Minato) -> None:
    async with minato.client() as http:
        for path in ("/realtime/v1/api/broadcast", "/realtime/v1/api/broadcast/a/events/b"):
            answer = await http.post(path, content=b"{")
            assert answer.status_code == 400


async def test_a_single_broadcast_over_http_is_json_or_bytes(minato: Minato) -> None:
    async with phoenix(minato) as new, phoenix(minato, version="1.0.0") as old, minato.client() as http:
        for client in (new, old):
            await client.join("a room/1")
        path = "/realtime/v1/api/broadcast/a%20room%2F1/events/mo%20ve"
        answer = await http.post(path, json={"x": 1})
        assert (answer.status_code, answer.content) == (202, b"")
        expected = {"type": "broadcast", "event": "mo ve", "payload": {"x": 1}}
        assert (await new.event("broadcast")).payload == expected
        assert (await old.event("broadcast")).payload == expected
        await http.post(path, content=b"\x00\xff", headers={"content-type": "application/octet-stream"})
        assert (await new.event("broadcast")).payload["payload"] == b"\x00\xff"
        assert await old.settle() == []
        refused = await http.post(path, content=b"x", headers={"content-type": "text/plain"})
        assert (refused.status_code, refused.json()) == (
            415,
            {"error": "Unsupported Media Type. Use application/json or application/octet-stream"},
        )


async def test_http_needs_a_valid_token(minato: Minato) -> None:
    expired = minato.token(exp=1)
    async with minato.client(token=expired) as http:
        for path in ("/realtime/v1/api/broadcast", "/realtime/v1/api/broadcast/a/events/b"):
            answer = await http.post(path, json={"messages": []})
            assert (answer.status_code, answer.json()) == (401, {"message": "Unauthorized"})


async def test_ping_and_unknown_paths(minato: Minato) -> None:
    async with minato.client() as http:
        assert (await http.get("/realtime/v1/api/ping")).json() == {"message": "Success"}
        assert (await http.get("/realtime/v1/api/unknown")).status_code == 404


async def test_a_message_sent_from_sql_is_broadcast_when_committed(minato: Minato) -> None:
    async with phoenix(minato) as new, phoenix(minato, version="1.0.0") as old:
        await new.follow_feed("sql")
        await old.join("sql")
        transaction = minato.db.transaction()
        await transaction.start()
        await minato.db.execute("select realtime.send('{\"x\": 0}', 'lost', 'sql', false)")
        await transaction.rollback()
        await minato.db.execute("select realtime.send('{\"x\": 1, \"id\": \"a\"}', 'move', 'sql', false)")
        heard = await new.event("broadcast")
        assert heard.payload["event"] == "move"
        assert heard.payload["payload"] == {"x": 1, "id": "a"}
        assert set(heard.payload["meta"]) == {"id"}
        assert (await old.event("broadcast")).payload == heard.payload
        await minato.db.execute("select realtime.send_binary('\\x00ff', 'raw', 'sql', false)")
        assert (await new.event("broadcast")).payload["payload"] == b"\x00\xff"
        assert await old.settle() == []


@pytest.mark.parametrize("table", ["messages", "messages_2026_11_22", "letters"])
async def test_a_row_that_looks_like_a_stored_message_is_none_outside_their_table(minato: Minato, table: str) -> None:
    schema = f"mail_{uuid4().hex[:8]}"
    await minato.db.execute(
        f"""
        create schema {schema};
        create table {schema}.{table} (
            id uuid primary key default gen_random_uuid(), topic text, event text, payload jsonb, private boolean
        );
        grant usage on schema {schema} to anon; grant select on {schema}.{table} to anon;
        alter publication supabase_realtime add table {schema}.{table};
        """
    )
    row = f"insert into {schema}.{table} (topic, event, payload, private) values ('sql', 'forged', '{{}}', false)"
    try:
        async with phoenix(minato) as client:
            await client.follow_feed("sql")
            await client.follow("rows", {"event": "*", "schema": schema, "table": table})
            await minato.db.execute(row)
            await minato.db.execute("select realtime.send('{}', 'sent', 'sql', false)")
            assert (await client.change())["record"]["event"] == "forged"
            assert (await client.event("broadcast")).payload["event"] == "sent"
    finally:
        await minato.db.execute(f"drop schema {schema} cascade")
