"""The parent's exchange with workers that are slow, gone, or asked for more than they know."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog
from minato.background import Supervisor
from minato.clock import Clock
from minato.database.outage import Outage
from minato.database.replica.position import UNKNOWN
from minato.database.replica.written import EVERYBODY, WrittenHere
from minato.database.replica.written_machine import SERVICE as WRITTEN
from minato.database.replica.written_machine import WrittenByWorkers, WrittenService
from minato.limits.buckets import NEVER, Allowance
from minato.limits.choice import MemoryBuckets
from minato.limits.machine import SERVICE as LIMITS
from minato.limits.machine import BucketService, MachineBuckets
from minato.machine import link as links
from minato.machine.exchange import Circle, Exchange
from minato.machine.link import Link, LinkLost, Member, connect
from minato.realtime.change_feed.base import Action, Change, Column, Deliver, FeedState, FeedStatus, Relation
from minato.realtime.change_feed.relayed import SERVICE as CHANGES
from minato.realtime.change_feed.relayed import NotFlowing, RelayedStream, SharedFeed
from minato.realtime.change_feed.triggers import StreamBroken

from tests.support.waiting import PATIENCE

SECONDS = 20.0
LOG: structlog.stdlib.BoundLogger = structlog.wrap_logger(None, processors=[lambda *_: ""])
MOMENT = datetime(2026, 11, 23, 4, 5, 6, 789012, tzinfo=UTC)
BIG = b"." * 1024 * 1024
HOURLY = Allowance.per(2, 3600)


class Echo(Circle):
    """Tells all what one sends."""

    async def serve(self, link: Link) -> None:
        while True:
            self.tell(await link.receive())


class Feed:
    """A `ChangeFeed` that a test drives."""

    def __init__(self) -> None:
        self.status = FeedStatus()
        self.deliver: Deliver | None = None
        self.covered = 0

    async def start(self, deliver: Deliver) -> None:
        self.deliver = deliver

    async def cover_published(self) -> None:
        self.covered += 1

    async def catch_up(self) -> None:
        pass

    async def stop(self) -> None:
        pass


@pytest.fixture
async def exchange(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Exchange]:
    exchange = Exchange(tmp_path_factory.mktemp("x") / "s", LOG)
    await exchange.start()
    yield exchange
    await exchange.stop()


@pytest.fixture
async def shared(exchange: Exchange) -> AsyncIterator[tuple[Feed, SharedFeed]]:
    supervisor = Supervisor(LOG, Outage())
    feed = Feed()
    shared = SharedFeed(feed, supervisor)
    exchange.offer(CHANGES, shared)
    await shared.start(nobody)
    yield feed, shared
    await shared.stop()
    await supervisor.close()


async def nobody(changes: list[Change]) -> None:
    """The parent's own subscribers."""


def change(relation: Relation, name: str | None) -> Change:
    size = 2**40
    return Change(relation, Action.INSERT, {"id": "1", "name": name}, None, 2**32 - 1, 2**64 - 1, MOMENT, size)


async def ended(batches: AsyncIterator[list[Change]]) -> None:
    """End the reading that belongs to them."""
    assert isinstance(batches, AsyncGenerator)
    await batches.aclose()


def table(*columns: str) -> Relation:
    return Relation(16_384, "public", "board", tuple(Column(name, 25, name == "id") for name in columns))


async def test_who_does_not_read_loses_the_connection_and_the_others_hear_all(
    exchange: Exchange, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "BEHIND_BYTES", len(BIG))
    exchange.offer("echo", Echo())
    slow = await connect(Member(1, exchange.path), "echo")
    quick = await connect(Member(2, exchange.path), "echo")
    for _ in range(10):
        await quick.send(BIG)
        assert await quick.receive() == BIG

    async def hear_all() -> None:
        for _ in range(10):
            assert await slow.receive() == BIG

    with pytest.raises(LinkLost):
        await hear_all()
    slow.close()
    quick.close()


async def test_a_service_that_fails_ends_that_connection_and_no_other(exchange: Exchange) -> None:
    class Broken(Echo):
        async def serve(self, link: Link) -> None:
            raise ValueError("broken")

    exchange.offer("broken", Broken())
    exchange.offer("echo", Echo())
    member = Member(1, exchange.path)
    sound = await connect(member, "echo")
    broken = await connect(member, "broken")
    with pytest.raises(LinkLost):
        await broken.receive()
    broken.close()
    with pytest.raises(LinkLost):
        await connect(member, "unknown")
    await sound.send(b"still here")
    assert await sound.receive() == b"still here"
    sound.close()


async def test_changes_arrive_as_they_were_with_the_table_as_it_was_at_each(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, _ = shared
    feed.status.set(FeedState(live=True))
    stream = RelayedStream(Member(1, exchange.path), 100)
    await stream.open()
    before, after = table("id", "name"), table("id", "name", "late")
    sent = [change(before, "a"), change(before, None), change(after, 'ä "\\\n')]
    assert feed.deliver is not None
    await feed.deliver(sent)
    async with asyncio.timeout(PATIENCE):
        batch: list[Change] = []
        batches = stream.batches(2)
        while len(batch) < 3:
            batch += await anext(batches)
    for got, given in zip(batch, sent, strict=True):
        assert got.relation.columns == given.relation.columns
        for name in ("action", "record", "old", "xid", "lsn", "committed_at", "size"):
            assert getattr(got, name) == getattr(given, name)
    assert batch[0].relation is batch[1].relation
    await ended(batches)
    stream.close()


async def test_a_worker_that_comes_later_knows_the_tables_that_were_told_before(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, _ = shared
    feed.status.set(FeedState(live=True))
    known = table("id", "name")
    assert feed.deliver is not None
    await feed.deliver([change(known, "missed")])
    stream = RelayedStream(Member(1, exchange.path), 100)
    await stream.open()
    await feed.deliver([change(known, "heard")])
    batches = stream.batches(10)
    async with asyncio.timeout(PATIENCE):
        assert [got.record for got in await anext(batches)] == [{"id": "1", "name": "heard"}]
    await ended(batches)
    stream.close()


async def test_changes_that_the_parent_lost_are_lost_for_its_workers(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, _ = shared
    feed.status.set(FeedState(live=True))
    stream = RelayedStream(Member(1, exchange.path), 100)
    await stream.open()
    feed.status.set(FeedState(live=False, failure="lost", losses=1))
    feed.status.set(FeedState(live=True, losses=1))
    with pytest.raises(StreamBroken):
        async with asyncio.timeout(PATIENCE):
            await anext(stream.batches(10))
    stream.close()


async def test_a_parent_that_is_gone_is_a_loss_and_no_error_of_the_program(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, _ = shared
    feed.status.set(FeedState(live=True))
    stream = RelayedStream(Member(1, exchange.path), 100)
    await stream.open()
    await exchange.stop()
    with pytest.raises(StreamBroken, match="the parent is gone"):
        async with asyncio.timeout(PATIENCE):
            await anext(stream.batches(10))
    stream.close()


async def test_a_change_that_can_not_be_read_is_a_loss_and_not_the_last_that_is_heard_of(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, parent = shared
    feed.status.set(FeedState(live=True))
    stream = RelayedStream(Member(1, exchange.path), 100)
    await stream.open()
    parent.tell(b'{"changes": [["of a table that nobody told of"]]}')
    with pytest.raises(StreamBroken):
        async with asyncio.timeout(PATIENCE):
            await anext(stream.batches(10))
    stream.close()


async def test_a_worker_is_told_why_the_parent_follows_nothing(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, _ = shared
    feed.status.set(FeedState(live=False, failure="no publication"))
    stream = RelayedStream(Member(1, exchange.path), 100)
    with pytest.raises(NotFlowing, match="no publication"):
        await stream.open()
    stream.close()


async def test_tables_are_covered_by_the_parent_before_a_subscription_is_in_force(
    exchange: Exchange, shared: tuple[Feed, SharedFeed]
) -> None:
    feed, _ = shared
    feed.status.set(FeedState(live=True))
    stream = RelayedStream(Member(1, exchange.path), 100)
    await stream.open()
    batches = stream.batches(10)
    waiting = asyncio.ensure_future(anext(batches))
    async with asyncio.timeout(PATIENCE):
        await stream.cover_published()
    assert feed.covered == 1
    unanswered = asyncio.create_task(stream.cover_published())
    await asyncio.sleep(0)
    stream.close()
    with pytest.raises(ConnectionError):
        await unanswered
    waiting.cancel()


async def test_workers_take_from_one_bucket_and_each_from_its_own_while_the_parent_is_away(
    exchange: Exchange,
) -> None:
    clock = Clock()
    exchange.offer(LIMITS, BucketService(MemoryBuckets(10, clock)))
    one, other = (
        MachineBuckets(Member(number, exchange.path), MemoryBuckets(10, clock), clock, LOG) for number in (1, 2)
    )
    assert await one.take("a", HOURLY) == 0
    assert await other.take("a", HOURLY) == 0
    assert await one.take("a", HOURLY) > 0
    await other.give("a", HOURLY)
    assert await one.take("a", HOURLY) == 0
    assert await one.take("b", Allowance(0, 0)) == NEVER
    await exchange.stop()
    for buckets in (one, other):
        assert [await buckets.take("a", HOURLY) == 0 for _ in range(3)] == [True, True, False]
    await exchange.start()
    clock.advance(timedelta(seconds=6))
    assert await one.take("a", HOURLY) > 0
    await one.close()
    await other.close()


async def test_what_was_written_by_way_of_one_worker_is_wanted_by_all_and_unknown_while_the_parent_is_away(
    exchange: Exchange,
) -> None:
    clock = Clock()
    exchange.offer(WRITTEN, WrittenService(WrittenHere(clock, SECONDS)))
    one, other = (
        WrittenByWorkers(Member(number, exchange.path), WrittenHere(clock, SECONDS), SECONDS, clock, LOG)
        for number in (1, 2)
    )
    await one.note("authenticated 5", 2**63)
    await one.note(EVERYBODY, 7)
    assert await other.wanted("authenticated 5") == 2**63
    assert await other.wanted("authenticated 6") == 7
    await exchange.stop()
    assert await other.wanted("authenticated 6") == UNKNOWN
    await exchange.start()
    assert await other.wanted("authenticated 6") == UNKNOWN
    clock.advance(timedelta(seconds=SECONDS))
    await one.note(EVERYBODY, 9)
    assert await other.wanted("authenticated 6") == 9
    await one.close()
    await other.close()


async def test_whoever_meets_a_full_queue_waits_for_room(tmp_path: Path) -> None:
    path = tmp_path / "crowded"
    with socket.socket(socket.AF_UNIX) as listening, ExitStack() as crowd:
        listening.bind(str(path))
        listening.listen(0)
        with suppress(BlockingIOError):
            while True:
                one = crowd.enter_context(socket.socket(socket.AF_UNIX))
                one.setblocking(False)
                one.connect(str(path))
        connecting = asyncio.create_task(connect(Member(1, path), "any"))
        await asyncio.sleep(0)
        assert not connecting.done()

        async def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            Link(reader, writer).post(b"")
            writer.close()

        async with await asyncio.start_unix_server(welcome, sock=listening):
            (await connecting).close()
