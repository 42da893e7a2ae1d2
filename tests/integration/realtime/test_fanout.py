"""What reaches the sockets of other processes: the same tests for one process, for NOTIFY and for Redis."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress
from pydantic import SecretStr

from tests.integration.realtime.phoenix import Phoenix, phoenix, user_broadcast_push
from tests.support.postgres import Cluster
from tests.support.redis import RedisServer, redis_server
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

MOVE = {"type": "broadcast", "event": "move", "payload": {"x": 1}}
BEAT = 0.2
# Ends every connection that listens for the others.
CUT_LISTENERS = """
select pg_terminate_backend(pid) from pg_stat_activity
 where datname = current_database() and query like '%minato_realtime%' and pid <> pg_backend_pid()
"""


@dataclass
class Pair:
    """Two processes of one installation; the same one twice where there is only one. `redis` carries them, if any."""

    one: Minato
    other: Minato
    redis: RedisServer | None = None
    room: str = "room"

    @property
    def topic(self) -> str:
        return f"realtime:{self.room}"

    async def cut(self) -> None:
        """Break the way between them."""
        if self.redis is not None:
            await self.redis.stop()
        else:
            await self.one.db.execute(CUT_LISTENERS)

    async def mend(self) -> None:
        """Let them find each other again."""
        if self.redis is not None:
            await self.redis.start()


@asynccontextmanager
async def pair_of(fanout: Any, address: DatabaseAddress, folder: Path) -> AsyncIterator[Pair]:
    """Two processes on one database; without a fan-out between them, one."""
    async with AsyncExitStack() as stack:
        redis = await stack.enter_async_context(redis_server(folder)) if fanout == "redis" else None
        url = SecretStr(redis.url) if redis else None
        realtime = RealtimeSettings(fanout=fanout, presence_beat=BEAT, redis_url=url)
        servers = [
            await stack.enter_async_context(running(address, settings_for(folder / name, realtime=realtime)))
            for name in ("one", "other")[: 1 if fanout == "process" else 2]
        ]
        yield Pair(servers[0], servers[-1], redis)


@pytest.fixture(scope="module", params=["process", "postgres", "redis"])
async def processes(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Pair]:
    """Every way of fan-out, whole: no test breaks it."""
    async with cluster.fresh_database() as address:
        async with pair_of(request.param, address, tmp_path_factory.mktemp("pair")) as pair:
            yield pair


@pytest.fixture
def pair(processes: Pair) -> Pair:
    """With a channel of the test's own."""
    return replace(processes, room=f"room-{uuid4().hex}")


@pytest.fixture(params=["postgres", "redis"])
async def apart(request: pytest.FixtureRequest, address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Pair]:
    """Two processes whose way to each other can break."""
    async with pair_of(request.param, address, tmp_path) as pair:
        yield pair


def present(key: str) -> dict[str, Any]:
    return {"presence": {"key": key, "enabled": True}}


async def track(client: Phoenix, payload: dict[str, Any], topic: str = "realtime:room") -> None:
    answer = await client.call(topic, "presence", {"event": "track", "payload": payload})
    assert answer.payload["status"] == "ok"


async def say_until_heard(speaker: Phoenix, listener: Phoenix, topic: str = "realtime:room") -> None:
    """Broadcast until the other side hears it: what is said while the way is broken is lost to it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await speaker.call(topic, "broadcast", MOVE)
            if any(heard.event == "broadcast" for heard in await listener.settle()):
                return


async def test_a_broadcast_reaches_both_serializers_once_and_not_its_sender(pair: Pair) -> None:
    async with (
        phoenix(pair.one) as sender,
        phoenix(pair.one) as near,
        phoenix(pair.other) as far,
        phoenix(pair.other, version="1.0.0") as old,
    ):
        for client in (sender, near, far, old):
            await client.join(pair.room, {"broadcast": {"ack": True}})
        await sender.call(pair.topic, "broadcast", MOVE)
        for client in (near, far, old):
            assert (await client.event("broadcast")).payload == MOVE
        await sender.call(pair.topic, "broadcast", {**MOVE, "event": "end"})
        for client in (near, far, old):
            assert (await client.event("broadcast")).payload["event"] == "end"
        assert await sender.settle() == []


async def test_raw_bytes_stay_the_bytes_they_are(pair: Pair) -> None:
    async with phoenix(pair.one) as sender, phoenix(pair.other) as far:
        for client in (sender, far):
            await client.join(pair.room)
        await sender.socket.send(user_broadcast_push(pair.topic, "raw", b"\x00\xff", json=False))
        assert (await far.event("broadcast")).payload == {"type": "broadcast", "event": "raw", "payload": b"\x00\xff"}


async def test_a_long_broadcast_arrives_whole(pair: Pair) -> None:
    text = "ü\\u0000'" * 150_000
    async with phoenix(pair.one) as sender, phoenix(pair.other) as far:
        for client in (sender, far):
            await client.join(pair.room)
        await sender.send(pair.topic, "broadcast", {**MOVE, "payload": {"text": text}}, "9")
        assert (await far.event("broadcast")).payload["payload"] == {"text": text}


async def test_broadcasts_of_a_socket_keep_their_order(pair: Pair) -> None:
    async with phoenix(pair.one) as sender, phoenix(pair.other) as far:
        for client in (sender, far):
            await client.join(pair.room)
        for number in range(300):
            await sender.send(pair.topic, "broadcast", {**MOVE, "payload": {"n": number}}, None)
        heard = [(await far.event("broadcast")).payload["payload"]["n"] for _ in range(300)]
        assert heard == list(range(300))


async def test_private_and_public_channels_of_a_name_are_apart(pair: Pair) -> None:
    async with phoenix(pair.one, pair.one.service_role_key) as sender, phoenix(pair.other) as public:
        async with phoenix(pair.other, pair.other.service_role_key) as private:
            await public.join(pair.room)
            for client in (sender, private):
                await client.join(pair.room, {"private": True, "broadcast": {"ack": True}})
            await sender.call(pair.topic, "broadcast", MOVE)
            assert (await private.event("broadcast")).payload == MOVE
            assert await public.settle() == []


async def test_a_broadcast_over_http_reaches_the_sockets_of_every_process(pair: Pair) -> None:
    async with phoenix(pair.one) as near, phoenix(pair.other) as far, pair.one.client() as http:
        for client in (near, far):
            await client.join(pair.room)
        message = {"topic": pair.room, "event": "move", "payload": {"x": 1}}
        await http.post("/realtime/v1/api/broadcast", json={"messages": [message]})
        await http.post(f"/realtime/v1/api/broadcast/{pair.room}/events/single", json={"x": 2})
        for client in (near, far):
            events = [(await client.event("broadcast")).payload["event"] for _ in range(2)]
            assert events == ["move", "single"]


async def test_what_sql_sends_is_heard_once_in_every_process(pair: Pair) -> None:
    async with phoenix(pair.one) as near, phoenix(pair.other) as far:
        for client in (near, far):
            await client.follow_feed(pair.room)
        for event in ("first", "second"):
            await pair.one.db.execute("select realtime.send('{}', $1, $2, false)", event, pair.room)
        for client in (near, far):
            assert [(await client.event("broadcast")).payload["event"] for _ in range(2)] == ["first", "second"]


async def test_a_row_change_is_heard_once_in_every_process(pair: Pair) -> None:
    await pair.one.db.execute(
        """
        create table public.feed (id int primary key);
        grant all on public.feed to anon;
        alter publication supabase_realtime add table public.feed;
        """
    )
    async with phoenix(pair.one) as near, phoenix(pair.other) as far:
        for client in (near, far):
            await client.follow(pair.room, {"event": "*", "schema": "public", "table": "feed"})
        await pair.one.db.execute("insert into feed values (1)")
        await pair.one.db.execute("insert into feed values (2)")
        for client in (near, far):
            assert [(await client.change())["record"]["id"] for _ in range(2)] == [1, 2]


async def test_presences_of_every_process_are_one_state(pair: Pair) -> None:
    async with phoenix(pair.one) as ann, phoenix(pair.other) as bob:
        for client, key in ((ann, "ann"), (bob, "bob")):
            await client.join(pair.room, present(key))
            assert (await client.event("presence_state")).payload == {}
        await track(ann, {"mood": "good"}, pair.topic)
        meta = (await bob.event("presence_diff")).payload["joins"]["ann"]["metas"][0]
        assert meta["mood"] == "good"
        async with phoenix(pair.other) as newcomer:
            await newcomer.join(pair.room, present("cleo"))
            assert (await newcomer.event("presence_state")).payload == {"ann": {"metas": [meta]}}
        await ann.call(pair.topic, "phx_leave", {})
        assert (await bob.event("presence_diff")).payload == {"joins": {}, "leaves": {"ann": {"metas": [meta]}}}


async def test_a_process_that_comes_later_learns_who_is_there(
    apart: Pair, address: DatabaseAddress, tmp_path: Path
) -> None:
    async with phoenix(apart.one) as ann, phoenix(apart.other) as bob:
        for client, key in ((ann, "ann"), (bob, "bob")):
            await client.join("room", present(key))
            await track(client, {"n": 1})
        settings = apart.one.backend.settings.realtime
        async with running(address, settings_for(tmp_path / "third", realtime=settings)) as third:
            async with phoenix(third) as newcomer:
                await newcomer.join("room", present("cleo"))
                seen = set((await newcomer.event("presence_state")).payload)
                while seen != {"ann", "bob"}:
                    seen |= set((await newcomer.event("presence_diff")).payload["joins"])
                await track(newcomer, {"n": 2})
                await ann.hear(lambda heard: "cleo" in heard.payload.get("joins", ()))
        # The third has stopped, and took leave.
        await ann.hear(lambda heard: "cleo" in heard.payload.get("leaves", ()))


async def test_a_broken_way_is_no_harm_to_neighbours_and_is_found_again(apart: Pair) -> None:
    async with phoenix(apart.one) as speaker, phoenix(apart.one) as near, phoenix(apart.other) as far:
        for client in (speaker, near, far):
            await client.join("room", {"broadcast": {"ack": True}})
        await say_until_heard(speaker, far)
        await apart.cut()
        near.pending.clear()
        await speaker.call("realtime:room", "broadcast", MOVE)
        assert (await near.event("broadcast")).payload == MOVE
        await near.call("realtime:room", "phx_leave", {})
        await apart.mend()
        await say_until_heard(speaker, far)
        await far.call("realtime:room", "phx_leave", {})


async def test_presences_missed_while_the_way_was_broken_are_made_up_for(apart: Pair) -> None:
    async with phoenix(apart.one) as ann, phoenix(apart.other) as bob:
        for client, key in ((ann, "ann"), (bob, "bob")):
            await client.join("room", present(key))
        await track(ann, {"n": 1})
        await bob.hear(lambda heard: "ann" in heard.payload.get("joins", ()))
        await apart.cut()
        await track(ann, {"n": 2})
        await apart.mend()
        moved = await bob.hear(
            lambda h: any(m["n"] == 2 for m in h.payload.get("joins", {}).get("ann", {}).get("metas", ()))
        )
        assert moved.event == "presence_diff"


@pytest.mark.parametrize("processes", ["postgres", "redis"], indirect=True)
@pytest.mark.parametrize("parcel", [b"", b"garbage", b'01234567\x00\x00\x00\x14{"note":{"say":"beat"}}', b"x" * 5000])
async def test_what_is_no_parcel_harms_nobody(pair: Pair, parcel: bytes) -> None:
    async with phoenix(pair.one) as speaker, phoenix(pair.other) as far:
        for client in (speaker, far):
            await client.join(pair.room, {"broadcast": {"ack": True}})
        await shout(pair, parcel)
        await say_until_heard(speaker, far, pair.topic)


async def shout(pair: Pair, parcel: bytes) -> None:
    """Write to the relay what no process of ours would."""
    if pair.redis is None:
        await pair.one.db.execute(
            "select pg_notify('minato_realtime', $1)", parcel.decode("latin-1").replace("\0", "?")
        )
        return
    reader, writer = await asyncio.open_connection("127.0.0.1", pair.redis.port)
    channel = b"minato:realtime"
    writer.write(b"*3\r\n" + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in (b"PUBLISH", channel, parcel)))
    assert await reader.readline() == b":2\r\n"
    writer.close()
    await writer.wait_closed()


async def test_installations_that_share_a_redis_hear_nothing_of_each_other(cluster: Cluster, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        redis = await stack.enter_async_context(redis_server(tmp_path))
        clients = []
        for name in ("blue", "green"):
            address = await stack.enter_async_context(cluster.fresh_database())
            realtime = RealtimeSettings(redis_url=SecretStr(redis.url), redis_channel=name)
            for number in "12":
                settings = settings_for(tmp_path / name / number, realtime=realtime)
                server = await stack.enter_async_context(running(address, settings))
                clients.append(await stack.enter_async_context(phoenix(server)))
                await clients[-1].join("room")
        blue, blue_too, green, green_too = clients
        await blue.send("realtime:room", "broadcast", MOVE, None)
        await blue_too.event("broadcast")
        # Redis keeps the order, so a message of the others would come before this one.
        await green.send("realtime:room", "broadcast", {**MOVE, "event": "own"}, None)
        assert (await green_too.event("broadcast")).payload["event"] == "own"


WORK = {
    "fan-out",
    "following changes",
    "looking at accounts",
    "presence of other processes",
    "tidying realtime.messages",
}


async def test_a_room_that_has_stopped_is_no_longer_at_work(address: DatabaseAddress, tmp_path: Path) -> None:
    others = asyncio.all_tasks()

    def at_work() -> set[str]:
        return {task.get_name() for task in asyncio.all_tasks() - others}

    realtime = RealtimeSettings(fanout="postgres")
    async with running(address, settings_for(tmp_path, realtime=realtime)) as server:
        assert at_work() >= WORK
        await server.application.rooms["/realtime/v1"].stop()
        assert at_work().isdisjoint(WORK)
