"""The shapes of the schema cache: what a request may name, and how things hang together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class QualifiedName(NamedTuple):
    schema: str
    name: str

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}"


class Representation(NamedTuple):
    """How a domain looks outside: functions (as SQL) of its casts to json, from json and from text."""

    to_json: str | None = None
    from_json: str | None = None
    from_text: str | None = None


PLAIN = Representation()


@dataclass(frozen=True, slots=True)
class Column:
    """`type` is the column's own type without length, `base_type` what a domain stands for.

    A `computed` one is a function of the row: it is read by name only, never by `*`. `row` is the type of that row
    where the rows alone don't tell it. `unindexed` text of the database's own collation is found by reading every row.
    """

    name: str
    type: str
    base_type: str
    nullable: bool = True
    default: str | None = None
    representation: Representation = PLAIN
    computed: bool = False
    row: QualifiedName | None = None
    unindexed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table, view, materialized view or foreign table. `computed` are functions usable as columns: name → type."""

    name: QualifiedName
    columns: Mapping[str, Column]
    primary_key: tuple[str, ...] = ()
    is_view: bool = False
    insertable: bool = True
    updatable: bool = True
    deletable: bool = True
    computed: Mapping[str, str] = field(default_factory=dict)


class Cardinality(StrEnum):
    MANY_TO_ONE = "many-to-one"
    ONE_TO_MANY = "one-to-many"
    ONE_TO_ONE = "one-to-one"
    MANY_TO_MANY = "many-to-many"


ColumnPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Junction:
    """The table between: `near` pairs source columns with its own, `far` pairs its own with the target's."""

    table: QualifiedName
    near_constraint: str
    far_constraint: str
    near: ColumnPairs
    far: ColumnPairs


@dataclass(frozen=True, slots=True)
class Relationship:
    """How `table` reaches `foreign_table`. `columns` pairs ours with theirs; a computed one has a `function`.

    An inverse one is the foreign key of the other table.
    """

    table: QualifiedName
    foreign_table: QualifiedName
    cardinality: Cardinality
    constraint: str = ""
    columns: ColumnPairs = ()
    junction: Junction | None = None
    function: QualifiedName | None = None
    table_is_view: bool = False
    foreign_table_is_view: bool = False
    is_inverse: bool = False

    @property
    def schema(self) -> str:
        """Where it can be asked for: in its function's schema, or in that of the table it leads to."""
        return (self.function or self.foreign_table).schema

    @property
    def is_self(self) -> bool:
        return self.table == self.foreign_table

    @property
    def is_to_one(self) -> bool:
        return self.cardinality in (Cardinality.MANY_TO_ONE, Cardinality.ONE_TO_ONE)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One input of a function; `type` is without length, so that an argument is never cut."""

    name: str
    type: str
    required: bool = True
    variadic: bool = False


class Volatility(StrEnum):
    IMMUTABLE = "i"
    STABLE = "s"
    VOLATILE = "v"


@dataclass(frozen=True, slots=True)
class MediaHandler:
    """Who makes a body of type `media`: an aggregate over the rows, or (None) the function itself whose value it is.

    `target` is the table the aggregate takes rows of, None for one that takes any row.
    """

    media: str
    is_bytes: bool
    aggregate: QualifiedName | None = None
    target: QualifiedName | None = None


Handlers = Mapping[tuple[QualifiedName | None, str], MediaHandler]
"""By what is answered for (a table or function, None for anything) and the media type in lower case."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A function. `returns` is its return type; for composites the table or type whose columns come back.

    With a `media_type` (its return type is a domain of that name) its value is the body as it is. `comment` is what
    was said of it when the cache was loaded.
    """

    name: QualifiedName
    parameters: tuple[Parameter, ...]
    returns: QualifiedName
    returns_set: bool
    returns_composite: bool
    volatility: Volatility
    out_columns: Mapping[str, str] = field(default_factory=dict)
    isolation: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    media_type: str | None = None
    oid: int = 0
    comment: str | None = None

    @property
    def returns_void(self) -> bool:
        return self.returns == ("pg_catalog", "void") and not self.returns_set

    @property
    def returns_scalar(self) -> bool:
        """One plain value, not a row and not a set."""
        return not self.returns_composite and not self.returns_set

    @property
    def returns_set_of_scalar(self) -> bool:
        return not self.returns_composite and self.returns_set


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """What `ALTER ROLE … SET` says: the isolation of its transactions, and settings to make in each."""

    isolation: str | None = None
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class SchemaCache:
    """Everything at one moment; `version` changes whenever the catalog did.

    `hidden` are tables, each with a schema, that only junctions nobody may see relate to something there.
    """

    version: str = ""
    tables: Mapping[QualifiedName, Table] = field(default_factory=dict)
    relationships: Mapping[QualifiedName, tuple[Relationship, ...]] = field(default_factory=dict)
    hidden: frozenset[tuple[QualifiedName, str]] = frozenset()
    routines: Mapping[QualifiedName, tuple[Routine, ...]] = field(default_factory=dict)
    roles: Mapping[str, RoleSettings] = field(default_factory=dict)
    handlers: Handlers = field(default_factory=dict)

    def column(self, table: QualifiedName, name: str) -> Column | None:
        found = self.tables.get(table)
        return found.columns.get(name) if found else None
