"""A channel that follows row changes: what its client is told while the feed comes and goes."""

from __future__ import annotations

import asyncio
from typing import Any

from api.realtime.change_feed.base import LOST, FeedState, FeedStatus
from api.realtime.changes_follower import SUBSCRIBED, ChangesFollower
from api.tokens.caller import ANONYMOUS


class SlowChanges:
    """Row changes whose subscriptions take until `go` is set."""

    def __init__(self) -> None:
        self.status = FeedStatus()
        self.go = asyncio.Event()

    async def live(self, seen: FeedState | None) -> FeedState:
        return await self.status.after(seen) if seen is not None else self.status.current

    async def check(self, *_: Any) -> list[Any]:
        await self.go.wait()
        return []

    def exchange(self, old: Any, new: Any) -> None:
        pass


async def test_a_loss_that_ended_while_the_channel_was_busy_is_told() -> None:
    changes, told = SlowChanges(), asyncio.Queue[tuple[str, str]]()
    changes.status.set(FeedState(live=True))
    follower = ChangesFollower(
        changes,  # type: ignore[arg-type]
        "room",
        [{"id": 1}],
        lambda status, text: told.put_nowait((status, text)),
        lambda _: None,
    )
    follower.start(ANONYMOUS)
    await asyncio.sleep(0)
    changes.status.set(FeedState(live=False, failure=LOST, losses=1))
    changes.status.set(FeedState(live=True, losses=1))
    changes.go.set()
    heard = [await asyncio.wait_for(told.get(), 5) for _ in range(3)]
    assert heard == [("ok", SUBSCRIBED), ("error", LOST), ("ok", SUBSCRIBED)]
    follower.stop()
