"""Tables and views: their rows, what may be written, and how they embed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from minato.cli.gen_types.calls import Calls
from minato.cli.gen_types.model import Column, Function, Relation, Relationship
from minato.cli.gen_types.resolve import Resolver
from minato.cli.gen_types.typescript.functions import returned
from minato.cli.gen_types.typescript.syntax import NEVER, Member, ObjectType, Syntax, Text, Tuple, key, quoted
from minato.cli.gen_types.typescript.types import column_type, nullable


def relation_type(
    relation: Relation,
    functions: Sequence[Function],
    calls: Calls,
    relationships: Iterable[Relationship],
    one_to_one: bool,
) -> ObjectType:
    """One entry of `Tables` or `Views`; without `one_to_one` nothing is said of it, for PostgREST 9."""
    resolver = calls.resolver
    computed = [
        Member(key(one.name), nullable(returned(one, resolver)))
        for one in functions
        if calls.is_computed(one, relation)
    ]
    members = [Member("Row", ObjectType([*row(relation, resolver), *computed]))]
    if relation.is_view:
        written = ObjectType([_through_view(column, resolver) for column in relation.columns])
        members += [Member("Insert", written)] if relation.is_insertable else []
        members += [Member("Update", written)] if relation.is_updatable else []
    else:
        members.append(Member("Insert", ObjectType([_inserted(column, resolver) for column in relation.columns])))
        members.append(Member("Update", ObjectType([_updated(column, resolver) for column in relation.columns])))
    return ObjectType([*members, Member("Relationships", _relationships(relation, relationships, one_to_one))])


def row(relation: Relation, resolver: Resolver) -> list[Member]:
    """The columns as they are read."""
    return [Member(key(column.name), column_type(column, resolver)) for column in relation.columns]


def _inserted(column: Column, resolver: Resolver) -> Member:
    if not column.is_written:
        return Member(key(column.name), NEVER, is_optional=True)
    return Member(key(column.name), column_type(column, resolver), column.is_optional)


def _updated(column: Column, resolver: Resolver) -> Member:
    found = column_type(column, resolver) if column.is_written else NEVER
    return Member(key(column.name), found, is_optional=True)


def _through_view(column: Column, resolver: Resolver) -> Member:
    found = column_type(column, resolver, is_nullable=True) if column.is_updatable else NEVER
    return Member(key(column.name), found, is_optional=True)


def _relationships(relation: Relation, relationships: Iterable[Relationship], one_to_one: bool) -> Tuple:
    own = (one for one in relationships if (one.schema, one.relation) == (relation.schema, relation.name))
    return Tuple([_relationship(one, one_to_one) for one in own if one.referenced_schema == relation.schema])


def _relationship(one: Relationship, one_to_one: bool) -> ObjectType:
    said = [Member("isOneToOne", Text("true" if one.is_one_to_one else "false"))] if one_to_one else []
    return ObjectType(
        [
            Member("foreignKeyName", Text(quoted(one.foreign_key))),
            Member("columns", _names(one.columns)),
            *said,
            Member("referencedRelation", Text(quoted(one.referenced_relation))),
            Member("referencedColumns", _names(one.referenced_columns)),
        ]
    )


def _names(names: Sequence[str] | None) -> Syntax:
    return Text("null") if names is None else Tuple([Text(quoted(name)) for name in names])
