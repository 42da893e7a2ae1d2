"""What the types need to know of a database, by the names that PostgreSQL and postgres-meta have for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a relation is, as `pg_class.relkind` has it; a partitioned table and a partition are tables."""

    TABLE = "r"
    FOREIGN = "f"
    VIEW = "v"
    MATERIALIZED = "m"


@dataclass(frozen=True)
class Column:
    """`type_name` is the type's, a domain's base's; arrays begin with `_`. `type_schema` is where that type is."""

    name: str
    type_name: str
    type_schema: str
    is_nullable: bool
    is_identity: bool
    is_always_identity: bool
    is_generated: bool
    is_updatable: bool
    has_default: bool

    @property
    def is_written(self) -> bool:
        """Whether a value may be given; the database makes the others."""
        return not (self.is_always_identity or self.is_generated)

    @property
    def is_optional(self) -> bool:
        """Whether an insert may leave it out."""
        return self.is_nullable or self.is_identity or self.has_default


@dataclass(frozen=True)
class Relationship:
    """A foreign key as PostgREST embeds by it, also through views. In a schema whose name needs quotes the reference
    finds no columns: None."""

    foreign_key: str
    schema: str
    relation: str
    columns: Sequence[str] | None
    is_one_to_one: bool | None
    referenced_schema: str
    referenced_relation: str
    referenced_columns: Sequence[str] | None


@dataclass(frozen=True)
class Relation:
    """A table or a view; `columns` are in the order of their names."""

    id: int
    schema: str
    name: str
    kind: Kind
    is_insertable: bool
    is_updatable: bool
    columns: Sequence[Column]

    @property
    def is_view(self) -> bool:
        return self.kind in (Kind.VIEW, Kind.MATERIALIZED)


@dataclass(frozen=True)
class Attribute:
    """One of a composite type, in its declared place."""

    name: str
    type_id: int


@dataclass(frozen=True)
class Type:
    """`format` is the name as PostgreSQL shows it to this session; `relation_id` is set for what has columns."""

    id: int
    schema: str
    name: str
    format: str
    enums: Sequence[str]
    attributes: Sequence[Attribute]
    relation_id: int | None


@dataclass(frozen=True)
class Argument:
    """`mode` is `pg_proc.proargmodes`: i, o, b, v, t."""

    mode: str
    name: str
    type_id: int
    has_default: bool

    @property
    def is_input(self) -> bool:
        return self.mode in "ibv"


@dataclass(frozen=True)
class Function:
    """`argument_types` is the whole list of arguments as PostgreSQL shows it; `rows` is estimated, None for one."""

    id: int
    schema: str
    name: str
    arguments: Sequence[Argument]
    argument_types: str
    identity_arguments: str
    return_type_id: int
    return_type: str
    return_relation_id: int | None
    returns_set: bool
    rows: float | None

    @property
    def inputs(self) -> list[Argument]:
        return [argument for argument in self.arguments if argument.is_input]

    @property
    def returns_many(self) -> bool:
        return self.rows is not None and self.rows > 1


@dataclass(frozen=True)
class Catalog:
    """The schemas that types are made of. `types` are those of the whole database: a column may have any."""

    schemas: Sequence[str]
    relations: Sequence[Relation]
    relationships: Sequence[Relationship]
    functions: Sequence[Function]
    types: Sequence[Type]
    types_by_id: Mapping[int, Type] = field(default_factory=dict)

    def of_kind(self, *kinds: Kind) -> list[Relation]:
        return [relation for relation in self.relations if relation.kind in kinds]

    def enums(self, schema: str) -> list[Type]:
        return [found for found in self.types if found.schema == schema and found.enums]

    def composites(self, schema: str) -> list[Type]:
        return [found for found in self.types if found.schema == schema and found.attributes]
