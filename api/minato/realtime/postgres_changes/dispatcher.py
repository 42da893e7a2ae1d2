"""From committed changes to subscribers: per table and batch one look at the catalog, one rendering, one check per
group of subscribers; then the changes go out in commit order.

Nothing here raises: what goes wrong with one table or group is told to its subscribers alone.

    changes ─► _address: who wants them ─► portions of CHECKED_AT_ONCE ─► by table:
                                                                             │
         facts (catalog) ─► table gone: nobody                               │ a raise: gap told to this
               │          └► no key, or not readable: error as data          │ table's subscribers, others go on
         match_filters ─► nobody left: done                                  ▼
               ├───────────── at the same time ──────────────┐
         _render_rows: to_jsonb, once              await_visible: committed for everybody
               │                                   _keep_visible: policies, once per role and claims
               │                                   _keep_matching: patterns, on what each may see
               │                                              │  ─► can't be asked: gap told to this group
               └──────────────────┬──────────────────────────┘  ─► too slow: its subscription ends
                             _grant_rows ─► _send_all: commit order, pausing every QUEUED_AT_ONCE
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import orjson
import structlog

from minato.clock import Clock
from minato.database.wire.session import StatementError
from minato.realtime.change_feed.base import Action, Change, Relation, Row
from minato.realtime.errors import DATABASE_ERRORS
from minato.realtime.message import TOPIC_PREFIX, Push
from minato.realtime.postgres_changes.catalog import Catalog, TableFacts
from minato.realtime.postgres_changes.matching import Matches, match_filters
from minato.realtime.postgres_changes.parameters import Filter
from minato.realtime.postgres_changes.patterns import TOO_SLOW, Asked, Patterns
from minato.realtime.postgres_changes.payload import NO_PRIMARY_KEY, UNAUTHORIZED, build_data, build_error
from minato.realtime.postgres_changes.snapshot import FactsCache, StillInvisible, await_visible
from minato.realtime.postgres_changes.subscription import Subscriber, Subscription, SubscriptionBook
from minato.realtime.postgres_changes.values import JsonRow, render_rows
from minato.realtime.postgres_changes.visibility import PolicyKeepsRaising, RowCheck, Visibility
from minato.realtime.serializer import EncodedOnce
from minato.tokens.caller import Caller

EVENT = "postgres_changes"
CHECK_FAILED = "Realtime was unable to check changes against the project database, changes may be missing"
FILTER_TOO_SLOW = "The pattern of a filter on table {} takes too long, its subscription has ended"
# Some milliseconds of work: longer, and heartbeats and everybody's writes would wait for one batch.
QUEUED_AT_ONCE = 500
# Changes times their subscribers: what is done for each of them between two waits takes no longer than this allows.
CHECKED_AT_ONCE = 10_000
UNASKABLE = (*DATABASE_ERRORS, StatementError, StillInvisible, PolicyKeepsRaising)

CallerGroup = tuple[str, str]
"""Role and claims: subscribers that share them see the same rows."""

Wish = tuple[str, tuple[str, ...] | None]
"""Role and `select`: subscribers that share them are shown the same columns."""


@dataclass(eq=False)
class Delivery:
    """One change for one table's subscribers, and after the checks, who gets it: subscription → its data.

    `asked` is how many channels want it, `told` how many got it.
    """

    change: Change
    wanted: list[Subscription]
    granted: list[tuple[Subscription, bytes]] = field(default_factory=list)
    asked: int = 0
    told: int = 0

    @property
    def tested_row(self) -> Row:
        """The row filters look at: the new one, of a DELETE what the log has of the old."""
        return (self.change.old if self.change.action is Action.DELETE else self.change.record) or {}


class Dispatcher:
    """Brings the changes of one feed to the subscriptions of one book."""

    def __init__(
        self,
        book: SubscriptionBook,
        catalog: Catalog,
        clock: Clock,
        visibility: Visibility,
        max_record_bytes: int,
        log: structlog.stdlib.BoundLogger,
    ) -> None:
        self._book = book
        self._catalog = catalog
        self._facts = FactsCache(catalog, clock)
        self._visibility = visibility
        self._max_record_bytes = max_record_bytes
        self._log = log

    async def dispatch(self, changes: Sequence[Change]) -> list[Delivery]:
        """Deliver `changes`, all of them in commit order, to everyone who asked for them and may see them."""
        deliveries = [self._address(change) for change in changes]
        portion: list[Delivery] = []
        size = 0
        for delivery in deliveries:
            portion.append(delivery)
            size += len(delivery.wanted)
            if size >= CHECKED_AT_ONCE:
                await self._deliver(portion)
                portion, size = [], 0
        await self._deliver(portion)
        return deliveries

    async def _deliver(self, portion: Sequence[Delivery]) -> None:
        deliveries = [delivery for delivery in portion if delivery.wanted]
        tables: dict[Relation, list[Delivery]] = defaultdict(list)
        for delivery in deliveries:
            tables[delivery.change.relation].append(delivery)
        for relation, batch in tables.items():
            try:
                await self._grant(relation, batch)
            except Exception as error:
                # The edge of one table's work: whatever happened, other tables and the feed go on.
                unexpected = None if isinstance(error, UNASKABLE) else error
                self._log.warning("row changes dropped", table=relation.table, reason=repr(error), exc_info=unexpected)
                self._tell_gap([subscription for d in batch for subscription in d.wanted])
        await self._send_all(deliveries)

    async def _send_all(self, deliveries: Sequence[Delivery]) -> None:
        """Queue the messages, and now and then let the sockets write what is queued."""
        queued = 0
        for delivery in deliveries:
            self._send(delivery)
            queued += len(delivery.granted)
            if queued >= QUEUED_AT_ONCE:
                queued = 0
                await asyncio.sleep(0)

    def _address(self, change: Change) -> Delivery:
        wanted = [s for s in self._book.of_table(change.relation.name) if s.wants(change)]
        return Delivery(change, wanted, asked=len({s.subscriber for s in wanted}) if wanted else 0)

    async def _grant(self, relation: Relation, batch: list[Delivery]) -> None:
        subscriptions = {s for delivery in batch for s in delivery.wanted}
        roles = frozenset(s.caller.role for s in subscriptions)
        facts = await self._facts.of(relation, roles, _xids(batch))
        if facts is None:
            return  # the table is gone, so nobody can be asked who may see its rows
        self._refuse_uncheckable(facts, batch)
        rows = [delivery.tested_row for delivery in batch]
        filters = {f for s in subscriptions for f in s.parameters.comparisons}
        matches = await match_filters(self._catalog, facts, rows, filters)
        for index, delivery in enumerate(batch):
            delivery.wanted = [s for s in delivery.wanted if _fits(s.parameters.comparisons, index, matches)]
        asked = [delivery for delivery in batch if delivery.wanted]
        if not asked:
            return
        rendering = asyncio.ensure_future(self._render_rows(facts, asked))
        try:
            # A check waits for its rows by itself; of all others a client may read as soon as it hears of them.
            await await_visible(self._catalog, _xids(d for d in asked if not _is_checked(facts, d)))
            await self._keep_visible(relation, facts, asked)
            await self._keep_matching(relation, facts, asked)
        finally:
            pairs = await rendering
        self._grant_rows(facts, asked, pairs)

    def _refuse_uncheckable(self, facts: TableFacts, batch: list[Delivery]) -> None:
        """Rows without a key, or whose key the role may not read, can't be checked: subscribers hear only that."""
        for delivery in batch:
            if delivery.change.action is Action.DELETE:
                continue
            refused = {s: error for s in delivery.wanted if (error := _key_error(facts, s.caller.role)) is not None}
            delivery.granted += [(s, build_error(delivery.change, error)) for s, error in refused.items()]
            delivery.wanted = [s for s in delivery.wanted if s not in refused]

    async def _keep_visible(self, relation: Relation, facts: TableFacts, batch: list[Delivery]) -> None:
        """Ask the policies, group by group."""
        rows: dict[CallerGroup, dict[int, Row]] = defaultdict(dict)
        callers: dict[CallerGroup, Caller] = {}
        for index, delivery in enumerate(batch):
            if _is_checked(facts, delivery):
                for subscription in delivery.wanted:
                    group = _group(subscription)
                    callers[group] = subscription.caller
                    rows[group][index] = delivery.tested_row
        xids = _xids(d for d in batch if _is_checked(facts, d))
        checks = (self._visible(RowCheck(relation, facts.key, rows[group], callers[group]), xids) for group in rows)
        visible = dict(zip(rows, await asyncio.gather(*checks), strict=True))
        self._tell_gap([s for d in batch for s in d.wanted if visible.get(_group(s), ()) is None])
        for index, delivery in enumerate(batch):
            if _is_checked(facts, delivery):
                delivery.wanted = [s for s in delivery.wanted if index in (visible[_group(s)] or ())]

    async def _keep_matching(self, relation: Relation, facts: TableFacts, batch: list[Delivery]) -> None:
        """Try the patterns on what each may see: before that, how long they take would tell of what is hidden."""
        asked: dict[Filter, Asked] = defaultdict(Asked)
        for index, delivery in enumerate(batch):
            for subscription in delivery.wanted:
                for pattern in subscription.parameters.patterns:
                    asked[pattern].rows.add(index)
                    asked[pattern].callers.add(subscription.subscriber.share)
        if not asked:
            return
        matches = await Patterns(self._catalog, facts, [delivery.tested_row for delivery in batch], asked).match()
        wanted = {s for delivery in batch for s in delivery.wanted}
        self._end_slow(relation, [s for s in wanted if _is_slow(s, matches)])
        for index, delivery in enumerate(batch):
            delivery.wanted = [s for s in delivery.wanted if _fits(s.parameters.patterns, index, matches)]

    async def _visible(self, check: RowCheck, xids: frozenset[int]) -> frozenset[int] | None:
        """The rows the caller may see, None when the database could not be asked."""
        try:
            return await self._visibility.visible(check, xids)
        except UNASKABLE as error:
            self._log.warning("row check failed", table=check.relation.table, error=type(error).__name__)
            return None

    async def _render_rows(
        self, facts: TableFacts, batch: list[Delivery]
    ) -> list[tuple[JsonRow | None, JsonRow | None]]:
        """The new and the old row of each change as JSON, rendered once for everybody."""
        rows = [row for delivery in batch for row in (delivery.change.record, delivery.change.old)]
        present = [row for row in rows if row is not None]
        rendered = iter(await render_rows(self._catalog, facts, present))
        shown = iter([None if row is None else next(rendered) for row in rows])
        return list(zip(shown, shown, strict=True))

    def _grant_rows(
        self, facts: TableFacts, batch: list[Delivery], rows: list[tuple[JsonRow | None, JsonRow | None]]
    ) -> None:
        """Give everyone left the change, written once per set of columns."""
        shown_to: dict[Wish, frozenset[str]] = {}
        for delivery, pair in zip(batch, rows, strict=True):
            too_large = delivery.change.size > self._max_record_bytes
            written: dict[frozenset[str], bytes] = {}
            for subscription in delivery.wanted:
                wish = subscription.caller.role, subscription.parameters.select
                if wish not in shown_to:
                    shown_to[wish] = _shown(facts, *wish)
                shown = shown_to[wish]
                if shown not in written:
                    written[shown] = build_data(delivery.change, facts, pair, shown, too_large)
                delivery.granted.append((subscription, written[shown]))

    def _send(self, delivery: Delivery) -> None:
        """One message per channel and change, with the ids of all its entries that match; equal ones encoded once."""
        messages: dict[tuple[Subscriber, bytes], list[int]] = defaultdict(list)
        for subscription, data in delivery.granted:
            messages[subscription.subscriber, data].append(subscription.id)
        delivery.told = len({subscriber for subscriber, _ in messages})
        encoded: dict[tuple[str, bytes, tuple[int, ...] | None], EncodedOnce] = {}
        for (subscriber, data), numbers in messages.items():
            ids = None if subscriber.by_action else tuple(dict.fromkeys(numbers))
            key = subscriber.topic_name, data, ids
            if key not in encoded:
                topic = TOPIC_PREFIX + subscriber.topic_name
                encoded[key] = EncodedOnce(_push(topic, delivery.change, orjson.Fragment(data), ids))
            subscriber.deliver(encoded[key])

    def _end_slow(self, relation: Relation, subscriptions: list[Subscription]) -> None:
        """The next batch must not wait for them again."""
        self._book.remove(subscriptions)
        self._tell_gap(subscriptions, FILTER_TOO_SLOW.format(relation.table))

    def _tell_gap(self, subscriptions: list[Subscription], reason: str = CHECK_FAILED) -> None:
        for subscriber in dict.fromkeys(s.subscriber for s in subscriptions):
            subscriber.tell_gap(reason)


def _push(topic: str, change: Change, data: orjson.Fragment, ids: tuple[int, ...] | None) -> Push:
    """The message of a change; without ids its data are all of it, and its action is the event."""
    if ids is None:
        return Push(topic, change.action.value, data)
    return Push(topic, EVENT, {"ids": ids, "data": data})


def _xids(deliveries: Iterable[Delivery]) -> frozenset[int]:
    return frozenset(delivery.change.xid for delivery in deliveries)


def _is_checked(facts: TableFacts, delivery: Delivery) -> bool:
    """Whether policies say who may see it; a DELETE leaves no row to ask them about."""
    return facts.row_security and delivery.change.action is not Action.DELETE


def _fits(filters: Iterable[Filter], index: int, matches: Matches) -> bool:
    return all(index in matches.get(condition, ()) for condition in filters)


def _is_slow(subscription: Subscription, matches: Matches) -> bool:
    return any(matches.get(condition) is TOO_SLOW for condition in subscription.parameters.patterns)


def _key_error(facts: TableFacts, role: str) -> str | None:
    if not facts.key:
        return NO_PRIMARY_KEY
    return UNAUTHORIZED if any(role not in column.readers for column in facts.key) else None


def _group(subscription: Subscription) -> CallerGroup:
    return subscription.caller.role, subscription.caller.claims_json


def _shown(facts: TableFacts, role: str, select: tuple[str, ...] | None) -> frozenset[str]:
    readable = facts.readable_by(role)
    return readable if select is None else readable & {*select, *(column.name for column in facts.key)}
