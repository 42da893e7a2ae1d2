"""The whole of row changes for one backend: feed, book, checks. Channels ask it to follow entries for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from minato.backend import Backend
from minato.realtime.change_feed.base import Change, ChangeFeed, FeedState
from minato.realtime.errors import DATABASE_ERRORS, FeedUnavailable, SubscriptionRefused
from minato.realtime.postgres_changes.catalog import Catalog
from minato.realtime.postgres_changes.dispatcher import Dispatcher
from minato.realtime.postgres_changes.registration import Registrar
from minato.realtime.postgres_changes.subscription import Subscriber, Subscription, SubscriptionBook
from minato.realtime.postgres_changes.visibility import Visibility
from minato.tokens.caller import Caller

UNREACHABLE = "Realtime was unable to connect to the project database"


class PostgresChanges:
    """Follows published tables on `feed` for the channels of one process.

    `seen` counts the changes, `lag` is in seconds from the commit to the delivery of the newest.
    """

    def __init__(self, backend: Backend, feed: ChangeFeed) -> None:
        settings = backend.settings.realtime
        self.feed = feed
        self.seen = 0
        self.lag = 0.0
        self._clock = backend.clock
        self._log = backend.log
        self._book = SubscriptionBook()
        self._catalog = Catalog(backend.database)
        self._registrar = Registrar(self._catalog, settings.publication)
        visibility = Visibility(backend.database, self._catalog, settings.check_timeout, backend.log)
        self._dispatcher = Dispatcher(
            self._book, self._catalog, backend.clock, visibility, settings.max_record_bytes, backend.log
        )

    async def dispatch(self, changes: Sequence[Change]) -> None:
        """Where committed changes of tables go in."""
        await self._dispatcher.dispatch(changes)
        if changes:
            self.seen += len(changes)
            self.lag = (self._clock.now() - changes[-1].committed_at).total_seconds()

    @property
    def losses(self) -> int:
        """How often changes have stopped to flow."""
        return self.feed.status.current.losses

    @property
    def subscriptions(self) -> int:
        """How many entries are in force."""
        return len(self._book)

    async def live(self, seen: FeedState | None) -> FeedState:
        """The feed's state, or the next one after `seen`, once it is known whether changes flow."""
        state = await self.feed.status.after(seen) if seen is not None else self.feed.status.current
        while not state.live and state.failure is None:
            state = await self.feed.status.after(state)
        return state

    async def check(
        self, subscriber: Subscriber, entries: Sequence[Mapping[str, object]], caller: Caller
    ) -> list[Subscription]:
        """The subscriptions of a channel's numbered entries, not in force yet.

        Raises SubscriptionRefused for good, FeedUnavailable for now.
        """
        try:
            subscriptions = await self._registrar.register(subscriber, entries, caller)
            await self.feed.cover_published()
            return subscriptions
        except SubscriptionRefused:
            raise
        except Exception as error:
            # Also what no driver documents: a channel whose subscribing ended silently would wait for ever.
            if not isinstance(error, DATABASE_ERRORS):
                self._log.exception("subscribing failed", topic=subscriber.topic_name)
            raise FeedUnavailable(UNREACHABLE) from error

    def exchange(self, old: Sequence[Subscription], new: Sequence[Subscription]) -> None:
        """End `old` and put `new` in force."""
        self._book.remove(old)
        self._book.add(new)
