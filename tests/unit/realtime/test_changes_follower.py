"""A channel that follows row changes: what its client is told while the feed comes and goes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from minato.realtime.change_feed.base import LOST, FeedState, FeedStatus
from minato.realtime.changes_follower import SUBSCRIBED, ChangesFollower
from minato.realtime.message import Push
from minato.realtime.postgres_changes.parameters import parse_parameters
from minato.realtime.postgres_changes.subscription import Subscription
from minato.realtime.serializer import EncodedOnce
from minato.tokens.caller import ANONYMOUS

from tests.support.waiting import PATIENCE

CHANGE = ("change", "")


class SlowChanges:
    """Row changes whose subscriptions take until `go` is set."""

    def __init__(self) -> None:
        self.status = FeedStatus()
        self.go = asyncio.Event()
        self.in_force: list[Subscription] = []

    @property
    def losses(self) -> int:
        return self.status.current.losses

    async def live(self, seen: FeedState | None) -> FeedState:
        return await self.status.after(seen) if seen is not None else self.status.current

    async def check(self, subscriber: Any, *_: Any) -> list[Subscription]:
        await self.go.wait()
        parameters = parse_parameters({"event": "*", "schema": "public", "table": "t"})
        return [Subscription(1, subscriber, parameters, ANONYMOUS, frozenset({("public", "t")}), since=1000)]

    def exchange(self, old: Any, new: Any) -> None:
        self.in_force = new


class Following:
    """A follower of `changes`, and in order what its client is told and sent."""

    def __init__(self) -> None:
        self.changes = SlowChanges()
        self.changes.status.set(FeedState(live=True))
        self.heard = asyncio.Queue[tuple[str, str]]()
        self.follower = ChangesFollower(
            self.changes,  # type: ignore[arg-type]
            "room",
            [{"id": 1}],
            lambda status, text: self.heard.put_nowait((status, text)),
            lambda _: self.heard.put_nowait(CHANGE),
            share="somebody",
        )

    async def next(self, count: int = 1) -> list[tuple[str, str]]:
        return [await asyncio.wait_for(self.heard.get(), PATIENCE) for _ in range(count)]

    def lose_and_find(self) -> None:
        """Lose the feed and have it back before anybody else runs."""
        losses = self.changes.losses + 1
        self.changes.status.set(FeedState(live=False, failure=LOST, losses=losses))
        self.changes.status.set(FeedState(live=True, losses=losses))


@pytest.fixture
async def following() -> AsyncIterator[Following]:
    story = Following()
    story.follower.start(ANONYMOUS)
    await asyncio.sleep(0)
    yield story
    story.follower.stop()


async def test_a_loss_that_ended_while_the_channel_was_busy_is_told(following: Following) -> None:
    following.lose_and_find()
    following.changes.go.set()
    assert await following.next(3) == [("ok", SUBSCRIBED), ("error", LOST), ("ok", SUBSCRIBED)]


async def test_a_change_after_a_loss_is_never_sent_before_the_loss_is_told(following: Following) -> None:
    following.changes.go.set()
    assert await following.next() == [("ok", SUBSCRIBED)]
    following.changes.go.clear()
    following.lose_and_find()
    await asyncio.sleep(0)  # the channel tells of this loss and is busy subscribing again when the next comes
    assert await following.next() == [("error", LOST)]
    following.lose_and_find()
    following.follower.deliver(EncodedOnce(Push("realtime:room", "postgres_changes", {})))
    following.changes.go.set()
    assert await following.next(3) == [("error", LOST), CHANGE, ("ok", SUBSCRIBED)]


async def test_a_log_that_goes_on_at_a_lower_position_is_followed(following: Following) -> None:
    following.changes.go.set()
    assert await following.next() == [("ok", SUBSCRIBED)]
    assert [s.since for s in following.changes.in_force] == [1000]
    following.lose_and_find()
    assert await following.next(2) == [("error", LOST), ("ok", SUBSCRIBED)]
    assert [s.since for s in following.changes.in_force] == [0]


async def test_a_renewal_without_a_loss_keeps_its_position(following: Following) -> None:
    following.changes.go.set()
    assert await following.next() == [("ok", SUBSCRIBED)]
    following.follower.start(ANONYMOUS)
    assert await following.next() == [("ok", SUBSCRIBED)]
    assert [s.since for s in following.changes.in_force] == [1000]
