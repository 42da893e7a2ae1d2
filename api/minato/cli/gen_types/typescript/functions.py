"""Functions: what they take, what they return, and what PostgREST would not call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from minato.cli.gen_types.calls import Calls, SetofOptions
from minato.cli.gen_types.model import Function
from minato.cli.gen_types.order import overloads
from minato.cli.gen_types.resolve import Resolver
from minato.cli.gen_types.typescript.syntax import (
    Generic,
    Intersection,
    Member,
    ObjectType,
    Syntax,
    Text,
    key,
    quoted,
    union,
)
from minato.cli.gen_types.typescript.types import column_type, list_of, type_of

_NO_ARGUMENTS: Final = Generic("Record", ("PropertyKey", "never"))


def function_type(namesakes: Sequence[Function], calls: Calls) -> Syntax:
    """The functions of one name, a union of their signatures."""
    sorted_ones = overloads(namesakes)
    return union([_signature(function, sorted_ones, calls) for function in sorted_ones])


def returned(function: Function, resolver: Resolver) -> Syntax:
    """One of the rows, or the value, that come back."""
    columns = [argument for argument in function.arguments if argument.mode == "t"]
    if columns:
        return ObjectType([Member(key(one.name), type_of(one.type_id, resolver)) for one in columns])
    relation = resolver.relation(function.return_relation_id)
    if relation is not None and relation.schema == function.schema:
        return ObjectType([Member(key(one.name), column_type(one, resolver)) for one in relation.columns])
    return type_of(function.return_type_id, resolver)


def _signature(function: Function, namesakes: Sequence[Function], calls: Calls) -> ObjectType:
    refusal = calls.refusal(function, namesakes)
    value = returned(function, calls.resolver) if refusal is None else _refused(refusal)
    options = calls.setof_options(function)
    return ObjectType(
        [
            Member("Args", _arguments(function, calls.resolver)),
            Member("Returns", list_of(value) if calls.is_list(function) else value),
            *([Member("SetofOptions", _options(options))] if options else []),
        ],
        is_open=False,
    )


def _arguments(function: Function, resolver: Resolver) -> Syntax:
    inputs = function.inputs
    if not inputs:
        return _NO_ARGUMENTS
    members = [Member(key(one.name), type_of(one.type_id, resolver), one.has_default) for one in inputs]
    return ObjectType(members, is_open=False)


def _refused(sentence: str) -> Intersection:
    return Intersection(ObjectType([Member("error", Text("true"))], is_open=False), Text(quoted(sentence)))


def _options(options: SetofOptions) -> ObjectType:
    return ObjectType(
        [
            Member("from", Text(quoted(options.source))),
            Member("to", Text(quoted(options.target))),
            Member("isOneToOne", Text("true" if options.is_one_to_one else "false")),
            Member("isSetofReturn", Text("true" if options.is_setof else "false")),
        ]
    )
