"""Private channels: policies on realtime.messages decide who reads and who writes, asked from both sides."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato

MOVE = {"type": "broadcast", "event": "move", "payload": {"x": 1}}
MEMBER, READER, STRANGER = str(uuid4()), str(uuid4()), str(uuid4())


@pytest.fixture
async def club(minato: Minato) -> AsyncIterator[str]:
    """A topic that MEMBER may read and write, READER only read; presence MEMBER alone."""
    topic = f"club{uuid4().hex[:8]}"
    await minato.db.execute(
        f"""
        create policy "read {topic}" on realtime.messages for select to authenticated using (
            realtime.topic() = '{topic}' and (extension = 'broadcast' and auth.uid() in ('{MEMBER}', '{READER}')
                or extension = 'presence' and auth.uid() = '{MEMBER}'));
        create policy "write {topic}" on realtime.messages for insert to authenticated
            with check (realtime.topic() = '{topic}' and auth.uid() = '{MEMBER}');
        """
    )
    yield topic
    await minato.db.execute(
        f'drop policy "read {topic}" on realtime.messages; drop policy "write {topic}" on realtime.messages'
    )


def private(**broadcast: Any) -> dict[str, Any]:
    return {"private": True, "broadcast": broadcast}


async def test_only_who_may_read_joins(minato: Minato, club: str) -> None:
    async with phoenix(minato) as client:
        denied = f"Unauthorized: You do not have permissions to read from this Channel topic: {club}"
        for token in (None, minato.token(STRANGER)):
            refused = await client.join(club, private(), access_token=token)
            assert refused.payload == {"status": "error", "response": {"reason": denied}}
        elsewhere = await client.join("elsewhere", private(), access_token=minato.token(MEMBER))
        assert elsewhere.payload["status"] == "error"
        for subject in (MEMBER, READER):
            joined = await client.join(club, private(), access_token=minato.token(subject))
            assert joined.payload["status"] == "ok"


async def test_only_who_may_write_is_heard(minato: Minato, club: str) -> None:
    async with phoenix(minato) as member, phoenix(minato) as reader:
        await member.join(club, private(ack=True), access_token=minato.token(MEMBER))
        await reader.join(club, private(ack=True), access_token=minato.token(READER))
        await reader.send(f"realtime:{club}", "broadcast", MOVE, "9")
        assert await reader.settle() == []
        assert await member.settle() == []
        assert (await member.call(f"realtime:{club}", "broadcast", MOVE)).payload["status"] == "ok"
        assert (await reader.event("broadcast")).payload == MOVE


async def test_probing_leaves_no_rows(minato: Minato, club: str) -> None:
    async with phoenix(minato) as client:
        await client.join(club, private(ack=True), access_token=minato.token(MEMBER))
        await client.call(f"realtime:{club}", "broadcast", MOVE)
    assert await minato.db.fetchval("select count(*) from realtime.messages where topic = $1", club) == 0


async def test_presence_is_for_who_may_read_and_write_it(minato: Minato, club: str) -> None:
    config = {**private(), "presence": {"enabled": True, "key": "x"}}
    call = {"event": "track", "payload": {"a": 1}}
    async with phoenix(minato) as member, phoenix(minato) as reader:
        await member.join(club, config, access_token=minato.token(MEMBER))
        await reader.join(club, config, access_token=minato.token(READER))
        assert (await member.event("presence_state")).payload == {}
        assert (await reader.call(f"realtime:{club}", "presence", call)).payload == {"status": "error", "response": {}}
        assert (await member.call(f"realtime:{club}", "presence", call)).payload["status"] == "ok"
        await member.event("presence_diff")
        assert await reader.settle() == []


async def test_a_policy_that_raises_refuses(minato: Minato) -> None:
    await minato.db.execute(
        """
        create policy broken on realtime.messages for select to authenticated
            using (case when realtime.topic() = 'broken' then 1 / 0 = 1 end)
        """
    )
    try:
        async with phoenix(minato) as client:
            refused = await client.join("broken", private(), access_token=minato.token(MEMBER))
            assert refused.response["reason"].startswith("Unauthorized: ")
    finally:
        await minato.db.execute("drop policy broken on realtime.messages")


async def test_the_sockets_own_headers_reach_the_policy(minato: Minato) -> None:
    await minato.db.execute(
        """
        create policy pass on realtime.messages for select to anon using (
            realtime.topic() = 'door' and current_setting('request.headers')::json ->> 'x-pass' = 'open')
        """
    )
    try:
        async with phoenix(minato) as without, phoenix(minato, **{"x-pass": "open"}) as holder:
            assert (await without.join("door", private())).payload["status"] == "error"
            assert (await holder.join("door", private())).payload["status"] == "ok"
    finally:
        await minato.db.execute("drop policy pass on realtime.messages")


async def test_http_asks_the_policies_too(minato: Minato, club: str) -> None:
    async with phoenix(minato) as reader:
        await reader.join(club, private(), access_token=minato.token(READER))
        message = {"topic": club, "event": "move", "payload": {"x": 1}, "private": True}
        single = f"/realtime/v1/api/broadcast/{club}/events/move?private=true"
        async with minato.client(minato.token(READER)) as http:
            assert (await http.post("/realtime/v1/api/broadcast", json={"messages": [message]})).status_code == 202
            refused = await http.post(single, json={"x": 1})
            assert (refused.status_code, refused.json()) == (403, {"message": "Unauthorized"})
            assert await reader.settle() == []
        async with minato.client(minato.token(MEMBER)) as http:
            assert (await http.post("/realtime/v1/api/broadcast", json={"messages": [message]})).status_code == 202
            assert (await reader.event("broadcast")).payload == MOVE
            assert (await http.post(single, json={"x": 1})).status_code == 202
            assert (await reader.event("broadcast")).payload == MOVE
        async with minato.client(apikey=minato.service_role_key) as http:
            assert (await http.post(single, json={"x": 1})).status_code == 202
            assert (await reader.event("broadcast")).payload == MOVE


async def test_stored_messages_are_replayed_oldest_first_and_not_again(minato: Minato, club: str) -> None:
    async with phoenix(minato) as witness:
        await witness.join(club, private(replication_ready=True), access_token=minato.token(READER))
        await witness.system(club)
        for number in "012":
            await minato.db.execute("select realtime.send(jsonb_build_object('id', $1::text), 'e', $2)", number, club)
            await witness.event("broadcast")
    config = private(replay={"since": 0, "limit": 2}, replication_ready=True)
    async with phoenix(minato) as client, phoenix(minato) as stranger:
        joined = await client.join(club, config, access_token=minato.token(READER))
        assert joined.payload["status"] == "ok"
        replayed = [(await client.event("broadcast")).payload for _ in range(2)]
        assert [message["payload"]["id"] for message in replayed] == ["1", "2"]
        assert all(message["meta"]["replayed"] is True for message in replayed)
        await client.system(club)
        await minato.db.execute("select realtime.send('{\"id\": \"live\"}', 'e', $1)", club)
        assert (await client.event("broadcast")).payload["payload"] == {"id": "live"}
        refused = await stranger.join(club, config, access_token=minato.token(STRANGER))
        assert refused.payload["status"] == "error"


@pytest.mark.parametrize("replay", [{}, {"since": "x"}, {"since": 1, "limit": "x"}, {"since": 10**30}, {"since": 1.5}])
async def test_a_replay_without_sense_is_refused(minato: Minato, club: str, replay: dict[str, Any]) -> None:
    async with phoenix(minato) as client:
        refused = await client.join(club, private(replay=replay), access_token=minato.token(MEMBER))
    assert refused.response == {"reason": "UnableToReplayMessages: Replay params are not valid"}


async def test_a_row_broadcast_by_a_trigger_reaches_only_readers(minato: Minato, club: str) -> None:
    await minato.db.execute(
        f"""
        create table public.t_{club} (id int primary key, body text);
        create function public.tell_{club}() returns trigger language plpgsql security definer as $$
        begin
            perform realtime.broadcast_changes('{club}', tg_op, tg_op, tg_table_name, tg_table_schema, new, old);
            return null;
        end $$;
        create trigger tell after insert or update or delete on public.t_{club}
            for each row execute function public.tell_{club}();
        """
    )
    async with phoenix(minato) as reader, phoenix(minato) as public:
        await reader.join(club, private(replication_ready=True), access_token=minato.token(READER))
        await reader.system(club)
        await public.join(club)
        await minato.db.execute(f"insert into public.t_{club} values (1, 'x')")
        payload = (await reader.event("broadcast")).payload["payload"]
        assert (payload["operation"], payload["record"], payload["old_record"]) == (
            "INSERT",
            {"id": 1, "body": "x"},
            None,
        )
        assert await public.settle() == []
    await minato.db.execute(f"drop table public.t_{club}; drop function public.tell_{club}")


async def test_what_sql_sends_in_private_is_for_readers_of_that_topic(minato: Minato, club: str) -> None:
    async with phoenix(minato) as reader, phoenix(minato) as public, phoenix(minato) as stranger:
        await reader.join(club, private(replication_ready=True), access_token=minato.token(READER))
        await reader.system(club)
        await public.join(club, access_token=minato.token(READER))
        refused = await stranger.join(club, private(), access_token=minato.token(STRANGER))
        assert refused.payload["status"] == "error"
        await minato.db.execute("select realtime.send('{\"x\": 1}', 'secret', $1)", club)
        assert (await reader.event("broadcast")).payload["event"] == "secret"
        await minato.db.execute("select realtime.send('{\"x\": 1}', 'open', $1, false)", club)
        assert (await public.event("broadcast")).payload["event"] == "open"
        assert [*await reader.settle(), *await public.settle(), *await stranger.settle()] == []


async def test_users_store_broadcasts_only_where_a_policy_lets_them(minato: Minato, club: str) -> None:
    insert = (
        "insert into realtime.messages (topic, extension, event, payload, private) "
        "values ($1, 'broadcast', $2, '{}', true)"
    )
    async with phoenix(minato) as reader:
        await reader.join(club, private(replication_ready=True), access_token=minato.token(READER))
        await reader.system(club)
        for subject, may in ((READER, False), (MEMBER, True)):
            settings = {
                "role": "authenticated",
                "request.jwt.claims": f'{{"sub": "{subject}"}}',
                "realtime.topic": club,
            }
            async with minato.db.transaction():
                for name, value in settings.items():
                    await minato.db.execute("select set_config($1, $2, true)", name, value)
                if may:
                    await minato.db.execute(insert, club, "allowed")
                else:
                    with pytest.raises(asyncpg.InsufficientPrivilegeError):
                        async with minato.db.transaction():
                            await minato.db.execute(insert, club, "forbidden")
        assert (await reader.event("broadcast")).payload["event"] == "allowed"
        assert await reader.settle() == []


async def test_presences_of_a_private_topic_are_for_its_readers(minato: Minato, club: str) -> None:
    config = {**private(), "presence": {"enabled": True, "key": "x"}}
    async with phoenix(minato) as member, phoenix(minato) as late, phoenix(minato) as reader:
        await member.join(club, config, access_token=minato.token(MEMBER))
        await member.call(f"realtime:{club}", "presence", {"event": "track", "payload": {"a": 1}})
        await reader.join(club, config, access_token=minato.token(READER))
        await late.join(club, config, access_token=minato.token(MEMBER))
        assert list((await late.event("presence_state")).payload) == ["x"]
        assert [heard.event for heard in await reader.settle()] == []
