"""A channel's row changes: subscribes when changes flow, says so, and subscribes again whenever they flow again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from minato.realtime.change_feed.base import LOST
from minato.realtime.errors import FeedUnavailable, SubscriptionRefused
from minato.realtime.postgres_changes.changes import PostgresChanges
from minato.realtime.postgres_changes.subscription import Subscription
from minato.realtime.serializer import EncodedOnce
from minato.tokens.caller import ANONYMOUS, Caller

SUBSCRIBED = "Subscribed to PostgreSQL"
RETRY_SECONDS = 5.0
# How long the reply to a join waits for what the channel follows; clients give a join ten.
PREPARE_SECONDS = 3.0

Tell = Callable[[str, str], None]
"""Sends a system message of extension postgres_changes: status and text."""
Send = Callable[[EncodedOnce], None]
"""Sends what others may get, too."""


class ChangesFollower:
    """Follows the numbered `entries` of one channel; a `Subscriber`."""

    def __init__(
        self,
        changes: PostgresChanges,
        topic_name: str,
        entries: Sequence[dict[str, object]],
        tell: Tell,
        send: Send,
        *,
        share: str,
        by_action: bool = False,
    ) -> None:
        self.topic_name = topic_name
        self.share = share
        self.by_action = by_action
        self._changes = changes
        self._entries = entries
        self._caller = ANONYMOUS
        self._tell = tell
        self._send = send
        self._subscriptions: list[Subscription] = []
        # What `prepare` found, not in force yet.
        self._prepared: list[Subscription] | None = None
        self._since: list[int] = []
        # How often the feed had stopped when the client was last told of it.
        self._losses: int | None = None
        self._task: asyncio.Task[None] | None = None

    async def prepare(self, caller: Caller) -> None:
        """Find out what `caller` follows before he is told that he is joined: what he writes then is a change to come.

        The reference tells first and subscribes then, and loses such a change. Whatever hinders is told by `start`.
        """
        self._caller = caller
        with contextlib.suppress(SubscriptionRefused, FeedUnavailable, TimeoutError):
            async with asyncio.timeout(PREPARE_SECONDS):
                state = await self._changes.live(None)
                if state.live:
                    self._losses = state.losses
                    self._prepared = await self._changes.check(self, self._entries, caller)

    def start(self, caller: Caller) -> None:
        """Follow as `caller`, in place of whom it was before. What he asked for stays until the new is in force."""
        if self._task is not None:
            self._task.cancel()
        if caller is not self._caller:
            self._prepared = None
        self._caller = caller
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Follow nothing any more."""
        if self._task is not None:
            self._task.cancel()
        self._replace([])
        self._entries = []

    def deliver(self, encoded: EncodedOnce) -> None:
        """One change that the entries asked for."""
        if self._entries:
            # What was in force stays in force through a loss: `_run` may still be waiting for the database when changes
            # flow again, and the client must hear of the gap before the first of them.
            self._require_told(self._changes.losses)
            self._send(encoded)

    def tell_gap(self, reason: str) -> None:
        """Changes may be missing."""
        if self._entries:
            self._tell("error", reason)

    async def _run(self) -> None:
        seen = None
        while True:
            state = await self._changes.live(seen)
            if state.live:
                self._require_told(state.losses)
                try:
                    if not await self._goes_on():
                        return
                except FeedUnavailable as failure:
                    self._tell("error", str(failure))
                    await asyncio.sleep(RETRY_SECONDS)
                    continue
            else:
                self._tell("error", state.failure or "")
                self._note_loss(state.losses)
            seen = state

    async def _goes_on(self) -> bool:
        """Subscribe; whether there is anything left to wait for. Raises FeedUnavailable."""
        try:
            await self._subscribe()
        except SubscriptionRefused as refusal:
            self._replace([])
            self._tell("error", str(refusal))
            # What was followed before may be about to be made anew, by a reset: the next stream tells.
            return bool(self._since)
        self._tell("ok", SUBSCRIBED)
        return True

    def _require_told(self, losses: int) -> None:
        """Tell of a loss that the client has not heard of."""
        if self._losses not in (None, losses):
            self._tell("error", LOST)
        self._note_loss(losses)

    def _note_loss(self, losses: int) -> None:
        """Remember what was told. A log that crashed may go on at a lower position than it had, and whatever a new
        stream brings was committed after the subscription: the old positions hold nothing back any more."""
        if self._losses not in (None, losses):
            self._since = [0 for _ in self._since]
            self._replace([replace(s, since=0) for s in self._subscriptions])
        self._losses = losses

    async def _subscribe(self) -> None:
        subscriptions, self._prepared = self._prepared, None
        if subscriptions is None:
            subscriptions = await self._changes.check(self, self._entries, self._caller)
        if self._since:
            # Renewed, not new: what was committed since the first time is still to come.
            subscriptions = [replace(s, since=since) for s, since in zip(subscriptions, self._since, strict=True)]
        self._since = [s.since for s in subscriptions]
        self._replace(subscriptions)

    def _replace(self, subscriptions: list[Subscription]) -> None:
        """Exchange the subscriptions in one step, so that no change finds both or neither."""
        self._changes.exchange(self._subscriptions, subscriptions)
        self._subscriptions = subscriptions
