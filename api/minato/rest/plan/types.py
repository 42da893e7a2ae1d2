"""Plans: what to do, with every name resolved. Planned things can't be confused with parsed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from minato.rest.parse.payload import Payload
from minato.rest.parse.ranges import ALL_ROWS, Bounds, RowRange
from minato.rest.parse.syntax import JsonStep, Operation
from minato.rest.schema_cache.model import Column, Parameter, QualifiedName, Relationship, Routine, Table

SOURCE = QualifiedName("", "pgrst_source")
"""The name under which a mutation's or function's rows are read again."""


@dataclass(frozen=True, slots=True)
class PlannedField:
    """A column and its JSON path. `type` is the type a value is compared as, None when nobody knows.

    `is_json` columns take `->` as they are, others go through to_jsonb. `to_json` and `from_text` are the functions of
    a domain's representation; `row` is the type whose function a computed column is, where it has to be said. No index
    finds a value of an `unindexed` one.
    """

    name: str
    path: tuple[JsonStep, ...] = ()
    type: str | None = None
    is_json: bool = False
    to_json: str | None = None
    from_text: str | None = None
    row: QualifiedName | None = None
    unindexed: bool = False


@dataclass(frozen=True, slots=True)
class PlannedColumn:
    """One output of a SELECT."""

    field: PlannedField
    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None

    @property
    def output_name(self) -> str:
        return self.alias or self.aggregate or self.field.name


@dataclass(frozen=True, slots=True)
class PlannedFilter:
    field: PlannedField
    operation: Operation
    negated: bool = False


@dataclass(frozen=True, slots=True)
class EmbedTest:
    """`rel=is.null` (`exists` False) or `rel=not.is.null`: whether the embed `alias` has a row."""

    alias: str
    exists: bool


@dataclass(frozen=True, slots=True)
class PlannedGroup:
    operator: str
    terms: tuple[Condition, ...]
    negated: bool = False


Condition = PlannedFilter | EmbedTest | PlannedGroup


@dataclass(frozen=True, slots=True)
class PlannedOrder:
    """`embed` is the alias of the embed whose column decides, None for an own column."""

    field: PlannedField
    direction: str = ""
    nulls: str = ""
    embed: str | None = None


@dataclass
class ReadPlan:
    """A SELECT and, below it, the SELECTs of its embeds. `alias` is empty only for a table read at the root.

    `bounds` is None where the window `rows` is not the request's but only that of the settings.
    """

    source: QualifiedName
    table: QualifiedName
    columns: Mapping[str, Column]
    alias: str = ""
    select: list[PlannedColumn] = field(default_factory=list)
    where: list[Condition] = field(default_factory=list)
    order: list[PlannedOrder] = field(default_factory=list)
    rows: RowRange = ALL_ROWS
    bounds: Bounds | None = None
    embeds: list[Embed] = field(default_factory=list)

    @property
    def aggregates(self) -> bool:
        return any(column.aggregate for column in self.select) or any(embed.hoisted for embed in self.embeds)


@dataclass
class Embed:
    """An embedded resource: how to get there, what to read, and as what it appears in its parent.

    `hoisted` are aggregates of a to-one spread, by output name: its parent's rows are what they count.
    `named_by_target`: something named it by its table although it has an alias.
    """

    plan: ReadPlan
    relationship: Relationship
    name: str
    response_alias: str | None = None
    inner: bool = False
    spread: bool = False
    hoisted: dict[str, PlannedColumn] = field(default_factory=dict)
    named_by_target: bool = False

    @property
    def key(self) -> str:
        """Its name in the parent's JSON."""
        return self.response_alias or self.name

    @property
    def shows_nothing(self) -> bool:
        """`rel()` joins, but has no output."""
        return not self.plan.select and not self.hoisted and all(embed.shows_nothing for embed in self.plan.embeds)


@dataclass(frozen=True)
class InsertPlan:
    """`conflict` names the columns of ON CONFLICT; `key_filters` are the ones of a PUT."""

    table: Table
    columns: tuple[Column, ...]
    payload: Payload
    returning: tuple[str, ...]
    defaults: bool = False
    conflict: tuple[str, ...] = ()
    merge: bool = False
    key_filters: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class UpdatePlan:
    table: Table
    columns: tuple[Column, ...]
    payload: Payload
    where: tuple[Condition, ...]
    returning: tuple[str, ...]
    defaults: bool = False


@dataclass(frozen=True)
class DeletePlan:
    table: Table
    where: tuple[Condition, ...]
    returning: tuple[str, ...]


MutatePlan = InsertPlan | UpdatePlan | DeletePlan


@dataclass(frozen=True)
class CallPlan:
    """A function call. `arguments` come one by one (GET, forms), else `payload` is expanded or given whole."""

    routine: Routine
    parameters: tuple[Parameter, ...]
    arguments: Mapping[str, tuple[str, ...]] | None = None
    payload: Payload | None = None
    whole_body: bool = False
    mutates: bool = False
