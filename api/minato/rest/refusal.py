"""A refused request as an attempt that `minato.why` explains, and the hint that its answer gets in development."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from minato.database.as_caller import Setting
from minato.json_text import JsonObject
from minato.rest.errors import RestError
from minato.rest.parse.api_request import ApiRequest
from minato.rest.plan.action import ActionPlan
from minato.rest.plan.types import (
    Condition,
    DeletePlan,
    EmbedTest,
    InsertPlan,
    MutatePlan,
    PlannedFilter,
    PlannedGroup,
    ReadPlan,
    UpdatePlan,
)
from minato.rest.schema_cache.model import Routine
from minato.rest.sql.fields import Parameters, relation
from minato.rest.sql.mutate import all_of
from minato.rest.sql.payload import BODY, body_rows, body_value
from minato.why.attempt import Attempt, SqlCommand, TableName, Upsert
from minato.why.hints import Hints
from minato.why.wording import ELSEWHERE, lacks, relation_of

_COMMANDS: Final[Mapping[type[MutatePlan], SqlCommand]] = {
    InsertPlan: "INSERT",
    UpdatePlan: "UPDATE",
    DeletePlan: "DELETE",
}


class Refusals:
    """Explains what PostgreSQL refuses to callers, in development."""

    def __init__(self, hints: Hints) -> None:
        self._hints = hints

    async def hint(
        self, message: str, request: ApiRequest, plan: ActionPlan, role: str, settings: Sequence[Setting]
    ) -> str | None:
        """Why a request of `role` was refused with `message`; None where nobody knows, or too many ask."""
        if plan.call is not None:
            return _refused_call(message, plan.call.routine, role)
        attempt = attempt_of(request, plan, role, settings, relation_of(message))
        return ELSEWHERE if attempt is None else await self._hints.refused(attempt)

    async def told(self, request: ApiRequest, plan: ActionPlan, role: str, settings: Sequence[Setting]) -> JsonObject:
        """What a request of `role` may do, and why not, without doing it. Raises RestError."""
        attempt = attempt_of(request, plan, role, settings, None)
        if attempt is None:
            raise RestError(400, "PGRSTX02", "Only what is done to the rows of a table can be explained")
        told = await self._hints.told(attempt)
        if told is None:
            raise RestError(500, "PGRSTX03", "PostgreSQL did not answer in time, or refused the statement itself")
        return told


def _refused_call(message: str, routine: Routine, role: str) -> str | None:
    if message != f"permission denied for function {routine.name.name}":
        return None
    types = ", ".join(parameter.type for parameter in routine.parameters)
    return lacks(role, f"EXECUTE on function {routine.name}({types})")


def attempt_of(
    request: ApiRequest, plan: ActionPlan, role: str, settings: Sequence[Setting], about: str | None
) -> Attempt | None:
    """What `plan` does to the table `about` (None: its own); None where that is none of the plan's tables."""
    if plan.mutation is not None and about in (None, plan.mutation.table.name.name):
        returns = request.preferences.representation == "representation"
        return _write(plan.mutation, Asking(role, settings, returns))
    reads = () if plan.read is None else _reads(plan.read)
    read = next((each for each in reads if about in (None, each.table.name)), None)
    if read is None:
        return None
    # Which embeds have rows is asked of other tables.
    filters = [each for each in read.where if not _asks_embeds(each)]
    parameters = Parameters()
    where = all_of(filters, relation(read.table), parameters)
    names = (*(column.field.name for column in read.select), *_names(filters)) or ("*",)
    values = tuple(parameters.values)
    return Attempt("SELECT", TableName(*read.table), role, settings, where=where, parameters=values, reads=names)


def _asks_embeds(condition: Condition) -> bool:
    if isinstance(condition, PlannedGroup):
        return any(_asks_embeds(each) for each in condition.terms)
    return isinstance(condition, EmbedTest)


def _reads(read: ReadPlan) -> Iterator[ReadPlan]:
    yield read
    for embed in read.embeds:
        yield from _reads(embed.plan)


class Asking(NamedTuple):
    """Who asks, and whether for what was written."""

    role: str
    settings: Sequence[Setting]
    returns: bool


def _write(plan: MutatePlan, asking: Asking) -> Attempt:
    table, parameters = relation(plan.table.name), Parameters()
    source = "" if isinstance(plan, DeletePlan) else body_rows(plan.payload, plan.columns, parameters, plan.defaults)
    filters = plan.key_filters if isinstance(plan, InsertPlan) else plan.where
    where = all_of(filters, BODY if isinstance(plan, InsertPlan) else table, parameters)
    compared = () if isinstance(plan, InsertPlan) else _names(filters)
    reads = (*plan.returning, *compared)
    return Attempt(
        command=_COMMANDS[type(plan)],
        table=TableName(*plan.table.name),
        role=asking.role,
        settings=asking.settings,
        written={} if isinstance(plan, DeletePlan) else {each.name: body_value(each) for each in plan.columns},
        source=source,
        where=where,
        parameters=tuple(parameters.values),
        reads=reads or None,
        returns=asking.returns,
        upsert=_upsert(plan) if isinstance(plan, InsertPlan) else None,
    )


def _upsert(plan: InsertPlan) -> Upsert | None:
    return Upsert(plan.conflict, plan.merge and bool(plan.columns)) if plan.conflict else None


def _names(conditions: Sequence[Condition]) -> Iterator[str]:
    """The columns that conditions compare."""
    for each in conditions:
        if isinstance(each, PlannedGroup):
            yield from _names(each.terms)
        elif isinstance(each, PlannedFilter):
            yield each.field.name
