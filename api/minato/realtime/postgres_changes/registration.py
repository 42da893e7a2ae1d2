"""Turns the entries of a channel into subscriptions: do the tables, columns and values they name make sense?

All entries of a channel together or none. The refusals are those of realtime.subscription's trigger in the reference
(`subscription_check_filters`), so that clients see the same texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import asyncpg

from minato.json_text import JsonMapping
from minato.realtime.errors import SUBSCRIPTION_FAILED, SUBSCRIPTION_NOT_PUBLISHED, SubscriptionRefused
from minato.realtime.postgres_changes.catalog import Catalog, ColumnFacts, PublishedTable
from minato.realtime.postgres_changes.parameters import Filter, Parameters, parse_parameters
from minato.realtime.postgres_changes.subscription import Subscriber, Subscription
from minato.tokens.caller import Caller

MAX_IN_VALUES = 100
KEYWORDS = ("null", "true", "false", "unknown")
OPERATOR_EXISTS = """
select exists (select 1 from pg_operator
                where oprname = $1 and oprleft = $2 and ($3 or (oprright = $2 and oprresult = 'boolean'::regtype)))
"""
ROLE_EXISTS = "select exists (select 1 from pg_roles where rolname = $1)"


class Invalid(Exception):
    """What the reference's trigger would raise."""


class Registrar:
    """Validates against the tables of one publication."""

    def __init__(self, catalog: Catalog, publication: str) -> None:
        self._catalog = catalog
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
                await self._check(table, parameters, caller.role)
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

    async def _check(self, table: PublishedTable, parameters: Parameters, role: str) -> None:
        if not parameters.filters and parameters.select is None:
            return
        facts = await self._catalog.table_facts(table.oid, [role])
        readable = facts.readable_by(role) if facts is not None else frozenset()
        for condition in parameters.filters:
            if facts is None or condition.column not in readable:
                raise Invalid(f"invalid column for filter {condition.column}")
            await self._check_filter(condition, facts.columns[condition.column])
        for name in parameters.select or ():
            if name not in readable:
                raise Invalid(f"invalid column for select {name}")

    async def _check_filter(self, condition: Filter, column: ColumnFacts) -> None:
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
                await self._check_pattern(condition)
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

    async def _check_pattern(self, condition: Filter) -> None:
        try:
            await self._catalog.fetch("select '' ~ $1::text", condition.value)
        except asyncpg.DataError as error:
            raise Invalid(f"invalid regular expression for {condition.operator} filter: {error}") from error


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
