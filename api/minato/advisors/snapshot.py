"""What the lints know of a database: plain rows of its catalogue, read at one moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from minato.database.identifiers import quote_identifier, quote_qualified

# Whom the data API lets in.
API_ROLES = ("anon", "authenticated")


@dataclass(frozen=True)
class Relation:
    """`kind` is pg_class.relkind, `identity` relreplident. `grants` are `role PRIVILEGE` of the roles of the API."""

    oid: int
    schema: str
    name: str
    kind: str
    is_unlogged: bool
    has_row_security: bool
    is_partition: bool
    identity: str
    options: tuple[str, ...]
    grants: tuple[str, ...]

    @property
    def place(self) -> str:
        return quote_qualified(self.schema, self.name)

    @property
    def is_table(self) -> bool:
        return self.kind in "rp"

    @property
    def is_view_of_its_owner(self) -> bool:
        """Whether it reads with the rights of its owner instead of the caller's."""
        words = ("true", "on", "yes", "1")
        return self.kind == "v" and not any(f"security_invoker={word}" in self.options for word in words)

    def roles_with(self, *privileges: str) -> list[str]:
        """The roles of the API that have one of them."""
        return [role for role in API_ROLES if any(f"{role} {privilege}" in self.grants for privilege in privileges)]


@dataclass(frozen=True)
class Column:
    """`type` is the type's name in pg_type; `readers` are the roles of the API that may read it."""

    relation: int
    number: int
    name: str
    type: str
    is_required: bool
    readers: tuple[str, ...]


@dataclass(frozen=True)
class Policy:
    """`command` is pg_policy.polcmd, `roles` holds `public` for everybody; the conditions are as PostgreSQL prints them
    with every name qualified. `functions` are oids of what they call."""

    schema: str
    table: str
    relation: int
    name: str
    command: str
    is_permissive: bool
    roles: tuple[str, ...]
    using: str | None
    check: str | None
    functions: tuple[int, ...]

    @property
    def place(self) -> str:
        return quote_qualified(self.schema, self.table)

    @property
    def conditions(self) -> list[str]:
        return [text for text in (self.using, self.check) if text is not None]

    @property
    def reaches_api(self) -> bool:
        return not {"public", *API_ROLES}.isdisjoint(self.roles)

    def altered(self, using: str | None, check: str | None) -> str:
        """The statement that gives it other conditions; what stays the same is left out."""
        parts = [f"using ({using})"] if using is not None and using != self.using else []
        parts += [f"with check ({check})"] if check is not None and check != self.check else []
        return " ".join([f"alter policy {quote_identifier(self.name)} on {self.place}", *parts])

    @property
    def dropped(self) -> str:
        return f"drop policy {quote_identifier(self.name)} on {self.place}"


@dataclass(frozen=True)
class Routine:
    """A function or procedure. `volatility` is provolatile, `settings` proconfig, `callers` the roles of the API that
    may execute it; `text` is its definition."""

    oid: int
    schema: str
    name: str
    arguments: str
    is_definer: bool
    volatility: str
    settings: tuple[str, ...]
    language: str
    is_trigger: bool
    is_parsed: bool
    callers: tuple[str, ...]
    text: str

    @property
    def place(self) -> str:
        return f"{quote_qualified(self.schema, self.name)}({self.arguments})"

    @property
    def part(self) -> str:
        return f"({self.arguments})"

    @property
    def body(self) -> str:
        """What it does, without its name, arguments and settings."""
        return re.split(r"\n(?:AS|BEGIN ATOMIC)\b", self.text, maxsplit=1)[-1]


@dataclass(frozen=True)
class ForeignKey:
    """`columns` and `target_columns` are numbers of columns; `to_primary` says that the target is a primary key."""

    relation: int
    name: str
    columns: tuple[int, ...]
    target: int
    target_columns: tuple[int, ...]
    to_primary: bool


@dataclass(frozen=True)
class Index:
    """`keys` are numbers of columns, 0 for an expression; `shape` is equal where two would hold the same. `constraint`
    is the constraint it belongs to, `is_needed` says that a foreign key, a replica identity or a partition does."""

    oid: int
    relation: int
    schema: str
    name: str
    is_unique: bool
    is_primary: bool
    is_valid: bool
    keys: tuple[int, ...]
    predicate: str | None
    shape: str
    constraint: str | None
    is_needed: bool


@dataclass(frozen=True)
class Extension:
    """`version` is what is installed, `newest` what the server would install."""

    name: str
    schema: str
    is_relocatable: bool
    version: str
    newest: str | None


@dataclass(frozen=True)
class Sequence:
    """`last` is None before the first value; `relation` and `column` own it."""

    schema: str
    name: str
    type: str
    start_from: int
    limit: int
    step: int
    cycles: bool
    last: int | None
    relation: int | None
    column: int | None


@dataclass(frozen=True)
class Snapshot:
    """`exposed` are the schemas of the data API. `reads` are pairs of a view and what it reads, by oid; `published` are
    oids of tables whose updates or deletes are; `public_buckets` ids of storage's buckets; `queues` are tables of pgmq,
    with whether they have row security; `accounts` is auth.users."""

    exposed: tuple[str, ...]
    relations: Mapping[int, Relation]
    columns: tuple[Column, ...]
    policies: tuple[Policy, ...]
    routines: Mapping[int, Routine]
    foreign_keys: tuple[ForeignKey, ...]
    indexes: tuple[Index, ...]
    extensions: tuple[Extension, ...]
    sequences: tuple[Sequence, ...]
    reads: tuple[tuple[int, int], ...]
    published: frozenset[int]
    public_buckets: frozenset[str]
    queues: tuple[tuple[str, str, bool], ...]
    accounts: int | None

    def in_api(self, kinds: str, *privileges: str) -> list[Relation]:
        """Relations of the exposed schemas that a role of the API has one of the privileges on."""
        return [
            relation
            for relation in self.relations.values()
            if relation.kind in kinds and relation.schema in self.exposed and relation.roles_with(*privileges)
        ]

    @cached_property
    def taken(self) -> set[tuple[str, str]]:
        """Names of relations and indexes, by schema."""
        relations = {(relation.schema, relation.name) for relation in self.relations.values()}
        return relations | {(index.schema, index.name) for index in self.indexes}

    def new_index(self, table: Relation, columns: list[str]) -> str:
        """The statement that makes an index; given twice, it makes one."""
        plain = "_".join([table.name, *columns])[:50]
        names = (f"{plain}_idx", *(f"{plain}_idx{number}" for number in range(1, len(self.taken) + 2)))
        name = next(name for name in names if (table.schema, name) not in self.taken)
        listed = ", ".join(quote_identifier(column) for column in columns)
        return f"create index if not exists {quote_identifier(name)} on {table.place} ({listed})"

    @cached_property
    def policies_of(self) -> Mapping[int, list[Policy]]:
        found: dict[int, list[Policy]] = {}
        for policy in self.policies:
            found.setdefault(policy.relation, []).append(policy)
        return found

    @cached_property
    def columns_of(self) -> Mapping[int, list[Column]]:
        found: dict[int, list[Column]] = {}
        for column in self.columns:
            found.setdefault(column.relation, []).append(column)
        return found

    @cached_property
    def indexes_of(self) -> Mapping[int, list[Index]]:
        found: dict[int, list[Index]] = {}
        for index in self.indexes:
            found.setdefault(index.relation, []).append(index)
        return found

    def names(self, relation: int, numbers: tuple[int, ...]) -> list[str]:
        """The names of a relation's columns, in the order of their numbers as given."""
        by_number = {column.number: column.name for column in self.columns_of.get(relation, [])}
        return [by_number[number] for number in numbers]

    def read_by(self, view: int) -> set[int]:
        """Everything a view reads, also through other views."""
        found: set[int] = set()
        open_ones = [view]
        while open_ones:
            at = open_ones.pop()
            new = {target for source, target in self.reads if source == at} - found
            found |= new
            open_ones += new
        return found
