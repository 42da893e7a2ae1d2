"""One entry of one channel, validated, and the book of all of them by table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from minato.realtime.change_feed.base import Change
from minato.realtime.postgres_changes.parameters import ANY, Parameters
from minato.realtime.serializer import EncodedOnce
from minato.tokens.caller import Caller

TableName = tuple[str, str]


class Subscriber(Protocol):
    """A channel that follows changes; neither method blocks or raises.

    `by_action`: a message of a change is named by its action and is its data alone, as supabase-js 1 expects. `share`
    says whose share of what is scarce it counts to.
    """

    topic_name: str
    share: str
    by_action: bool

    def deliver(self, encoded: EncodedOnce) -> None:
        """Send one change."""
        ...

    def tell_gap(self, reason: str) -> None:
        """Say that changes may be missing."""
        ...


@dataclass(frozen=True, eq=False)
class Subscription:
    """Entry `id` of a channel, as `caller`. Only what commits at or after `since` (an LSN) is delivered.

    `tables` are those the patterns matched when it was made; a `*` also follows tables published later.
    """

    id: int
    subscriber: Subscriber
    parameters: Parameters
    caller: Caller
    tables: frozenset[TableName]
    since: int

    @property
    def is_wildcard(self) -> bool:
        """Whether tables that are published later belong to it."""
        return ANY in (self.parameters.schema, self.parameters.table)

    def wants(self, change: Change) -> bool:
        """Whether the kind and the moment of `change` are asked for; filters and policies are not looked at."""
        return self.parameters.event in (ANY, change.action.value) and change.lsn >= self.since

    def covers(self, name: TableName) -> bool:
        """Whether a wildcard's plain parts fit `name`."""
        wanted = (self.parameters.schema, self.parameters.table)
        return all(part in (ANY, actual) for part, actual in zip(wanted, name, strict=True))


class SubscriptionBook:
    """All subscriptions of one process."""

    def __init__(self) -> None:
        self._by_table: dict[TableName, dict[Subscription, None]] = defaultdict(dict)
        self._wildcards: dict[Subscription, None] = {}

    def add(self, subscriptions: Iterable[Subscription]) -> None:
        """Let them have changes from now on."""
        for subscription in subscriptions:
            for name in subscription.tables:
                self._by_table[name][subscription] = None
            if subscription.is_wildcard:
                self._wildcards[subscription] = None

    def remove(self, subscriptions: Iterable[Subscription]) -> None:
        """The opposite; removing twice is fine."""
        for subscription in subscriptions:
            for name in subscription.tables:
                self._by_table[name].pop(subscription, None)
                if not self._by_table[name]:
                    del self._by_table[name]
            self._wildcards.pop(subscription, None)

    def __len__(self) -> int:
        return len({s for known in self._by_table.values() for s in known} | self._wildcards.keys())

    def of_table(self, name: TableName) -> list[Subscription]:
        """Those that follow the table `name`."""
        known = self._by_table.get(name, {})
        return [*known, *(s for s in self._wildcards if s not in known and s.covers(name))]
