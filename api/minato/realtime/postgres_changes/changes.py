"""The whole of row changes for one backend: feed, book, checks. Channels ask it to follow entries for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import asyncpg

from minato.backend import Backend
from minato.http.shares import Shares
from minato.json_text import JsonMapping
from minato.realtime.change_feed.base import Change, ChangeFeed, FeedState
from minato.realtime.errors import (
    DATABASE_ERRORS,
    SUBSCRIPTION_FAILED,
    SUBSCRIPTION_NOT_PUBLISHED,
    FeedUnavailable,
    SubscriptionRefused,
)
from minato.realtime.postgres_changes.catalog import ANSWER_SECONDS, Catalog, ColumnFacts, PublishedTable
from minato.realtime.postgres_changes.dispatcher import Dispatcher
from minato.realtime.postgres_changes.parameters import Filter, Parameters, parse_parameters
from minato.realtime.postgres_changes.subscription import Subscriber, Subscription, SubscriptionBook
from minato.realtime.postgres_changes.told import ToldChanges
from minato.realtime.postgres_changes.visibility import Visibility
from minato.tokens.caller import Caller

UNREACHABLE = "Realtime was unable to connect to the project database"
MAX_IN_VALUES = 100
KEYWORDS = ("null", "true", "false", "unknown")
OPERATOR_EXISTS = """
select exists (select 1 from pg_operator
                where oprname = $1 and oprleft = $2 and ($3 or (oprright = $2 and oprresult = 'boolean'::regtype)))
"""
ROLE_EXISTS = "select exists (select 1 from pg_roles where rolname = $1)"


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
        # Of their own: no change may wait for what clients ask for, nor one who joins for another's pattern.
        self._registrar = Registrar(Catalog(backend.database), Catalog(backend.database), settings.publication)
        visibility = Visibility(backend.database, self._catalog, settings.check_timeout, backend.log)
        journal, causes = backend.journal, backend.database.causes
        self._told = ToldChanges(journal, causes, self._catalog, backend.clock) if journal.on else None
        self._dispatcher = Dispatcher(
            self._book, self._catalog, backend.clock, visibility, settings.max_record_bytes, backend.log
        )

    async def dispatch(self, changes: Sequence[Change]) -> None:
        """Where committed changes of tables go in."""
        deliveries = await self._dispatcher.dispatch(changes)
        if self._told is not None:
            await self._told.note(deliveries)
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


class Invalid(Exception):
    """What the reference's trigger would raise."""


class Registrar:
    """Validates against the tables of one publication; `patterns` is asked of clients' patterns alone, of one for each
    caller at a time: who has many waits for them, and nobody else."""

    def __init__(self, catalog: Catalog, patterns: Catalog, publication: str) -> None:
        self._catalog = catalog
        self._patterns = patterns
        self._turns = Shares(1)
        self._publication = publication

    async def register(
        self, subscriber: Subscriber, entries: Sequence[JsonMapping], caller: Caller
    ) -> list[Subscription]:
        """The subscriptions of a channel's numbered entries. Raises SubscriptionRefused."""
        asked = [(entry["id"], parse_parameters(entry)) for entry in entries]
        return [await self._subscribe(subscriber, number, parameters, caller) for number, parameters in asked]

    async def _subscribe(
        self, subscriber: Subscriber, number: int, parameters: Parameters, caller: Caller
    ) -> Subscription:
        try:
            tables = await self._catalog.published(self._publication, parameters.schema, parameters.table)
            await self._require_role(caller.role)
            for table in tables:
                await self._check(table, parameters, caller.role, subscriber.share)
        except Invalid as error:
            raise _failed(parameters, f"ERROR P0001 (raise_exception) {error}") from error
        except (asyncpg.DataError, asyncpg.SyntaxOrAccessError) as error:
            raise _failed(parameters, describe(error)) from error
        if not tables:
            raise SubscriptionRefused(SUBSCRIPTION_NOT_PUBLISHED.format(params=parameters))
        names = frozenset(table.name for table in tables)
        return Subscription(number, subscriber, parameters, caller, names, max(table.lsn for table in tables))

    async def _require_role(self, role: str) -> None:
        (row,) = await self._catalog.fetch(ROLE_EXISTS, role)
        if not row["exists"]:
            raise Invalid(f'role "{role}" does not exist')

    async def _check(self, table: PublishedTable, parameters: Parameters, role: str, share: str) -> None:
        if not parameters.filters and parameters.select is None:
            return
        facts = await self._catalog.table_facts(table.oid, [role])
        readable = facts.readable_by(role) if facts is not None else frozenset()
        for condition in parameters.filters:
            if facts is None or condition.column not in readable:
                raise Invalid(f"invalid column for filter {condition.column}")
            await self._check_filter(condition, facts.columns[condition.column], share)
        for name in parameters.select or ():
            if name not in readable:
                raise Invalid(f"invalid column for select {name}")

    async def _check_filter(self, condition: Filter, column: ColumnFacts, share: str) -> None:
        match condition.operator:
            case "in":
                await self._check_array(condition, column)
            case "is":
                _check_keyword(condition, column)
            case "like" | "ilike":
                await self._require_operator("~~", condition, column, any_right=True)
            case "match" | "imatch":
                operator = "~*" if condition.operator == "imatch" else "~"
                await self._require_operator(operator, condition, column, any_right=False)
                await self._check_pattern(condition, share)
            case _:
                await self._catalog.fetch(f"select $1::text::{column.cast_type}", condition.value)

    async def _check_array(self, condition: Filter, column: ColumnFacts) -> None:
        statement = f"select coalesce(cardinality($1::text::{column.cast_type}[]), 0) as count"
        (row,) = await self._catalog.fetch(statement, condition.value)
        if row["count"] > MAX_IN_VALUES:
            raise Invalid(f"too many values for `in` filter. Maximum {MAX_IN_VALUES}")

    async def _require_operator(self, name: str, condition: Filter, column: ColumnFacts, any_right: bool) -> None:
        (row,) = await self._catalog.fetch(OPERATOR_EXISTS, name, column.type_oid, any_right)
        if not row["exists"]:
            raise Invalid(
                f"operator {condition.operator} requires a text-compatible column type, got {column.type_label}"
            )

    async def _check_pattern(self, condition: Filter, share: str) -> None:
        try:
            async with self._turns.held(share, ANSWER_SECONDS):
                await self._patterns.fetch_by_pattern("select '' ~ $1::text", condition.value)
        except asyncpg.DataError as error:
            raise Invalid(f"invalid regular expression for {condition.operator} filter: {error}") from error
        except asyncpg.QueryCanceledError as error:
            raise Invalid(f"regular expression of {condition.operator} filter takes too long") from error


def _check_keyword(condition: Filter, column: ColumnFacts) -> None:
    if condition.value not in KEYWORDS:
        raise Invalid("invalid value for is filter: must be null, true, false, or unknown")
    if condition.value != "null" and column.type_name != "bool":
        raise Invalid(f"is {condition.value} filter requires a boolean column, got {column.type_label}")


def _failed(parameters: Parameters, exception: str) -> SubscriptionRefused:
    return SubscriptionRefused(SUBSCRIPTION_FAILED.format(params=parameters, exception=exception))


def describe(error: asyncpg.PostgresError) -> str:
    """A database error as the reference prints it: `ERROR 22P02 (invalid_text_representation) message`."""
    condition = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__.removesuffix("Error")).lower()
    return f"ERROR {error.sqlstate} ({condition}) {error}"
