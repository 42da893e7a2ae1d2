"""Which functions can be called over HTTP, and what PostgREST makes of them: computed fields, embeddings, conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from minato.cli.gen_types.model import Argument, Function, Relation
from minato.cli.gen_types.resolve import Resolver

# json, jsonb and text: what the body of a request may be as a whole.
_BODIES: Final = frozenset({114, 3802, 25})
_HELP: Final = (
    "Try renaming the parameters or the function itself in the database so function overloading can be resolved"
)


@dataclass(frozen=True)
class SetofOptions:
    """How postgrest-js embeds a function's rows: `source` is the relation it takes a row of, or `*`."""

    source: str
    target: str
    is_one_to_one: bool
    is_setof: bool


@dataclass(frozen=True)
class Calls:
    """The functions of a catalog, as PostgREST sees them."""

    resolver: Resolver

    def callable(self, schema: str) -> list[Function]:
        """Those of a schema whose arguments a request can give."""
        return [one for one in self.resolver.catalog.functions if one.schema == schema and self._is_callable(one)]

    def is_computed(self, function: Function, relation: Relation) -> bool:
        """Whether it is a field of the relation: its one argument is a row."""
        inputs = function.inputs
        row = self.resolver.row_of(inputs[0].type_id) if len(inputs) == 1 else None
        return row == relation.id if row is not None else function.argument_types == relation.name

    def setof_options(self, function: Function) -> SetofOptions | None:
        """None for what returns no rows of a relation or composite type."""
        target = self.returned_relation(function)
        if target is None:
            return None
        source = self._only_row(function.arguments)
        if source is not None and not function.returns_set:
            return SetofOptions(source, target, is_one_to_one=True, is_setof=False)
        return SetofOptions(source or "*", target, not function.returns_many, function.returns_set)

    def returned_relation(self, function: Function) -> str | None:
        """The name of the relation or composite type whose rows are returned."""
        if function.return_relation_id is None:
            return None
        relation = self.resolver.relation(function.return_relation_id)
        if relation is not None:
            return relation.name
        found = self.resolver.catalog.types_by_id.get(function.return_type_id)
        return found.name if found is not None and found.relation_id is not None else None

    def is_list(self, function: Function) -> bool:
        """Whether an array comes back; one row that postgrest-js takes out of its array is none."""
        return function.returns_set and (function.returns_many or self.returned_relation(function) is None)

    def refusal(self, function: Function, namesakes: Sequence[Function]) -> str | None:
        """What PostgREST says to every call; None where it calls the function."""
        conflict = self._conflict(function, namesakes)
        if conflict is None and self._takes_row(function) and self.returned_relation(function) is None:
            return (
                f"the function {function.schema}.{function.name} with parameter or with a single unnamed json/jsonb "
                "parameter, but no matches were found in the schema cache"
            )
        return conflict

    def _is_callable(self, function: Function) -> bool:
        inputs = function.inputs
        unnamed = [one for one in inputs if one.name == ""]
        if all(one.has_default and one.type_id in _BODIES for one in unnamed):
            return True
        return len(inputs) == 1 and (unnamed[0].type_id in _BODIES or self._takes_row(function))

    def _takes_row(self, function: Function) -> bool:
        inputs = function.inputs
        return len(inputs) == 1 and inputs[0].name == "" and self.resolver.row_of(inputs[0].type_id) is not None

    def _only_row(self, arguments: Sequence[Argument]) -> str | None:
        """The relation that the one argument is a row of, as PostgreSQL shows its name."""
        if len(arguments) != 1 or self.resolver.row_of(arguments[0].type_id) is None:
            return None
        return self.resolver.catalog.types_by_id[arguments[0].type_id].format

    def _conflict(self, function: Function, namesakes: Sequence[Function]) -> str | None:
        inputs, name = function.inputs, f"{function.schema}.{function.name}"
        others = [other for other in namesakes if other is not function and len(other.inputs) == 1]
        if not inputs:
            bodies = [other for other in others if other.inputs[0].name == "" and other.inputs[0].has_default]
            # The type named here is the returned one, as there.
            return _ambiguous([f"{name}()", f"{name}( => {self._type(bodies[0].return_type_id)})"]) if bodies else None
        if len(inputs) != 1 or inputs[0].name == "":
            return None
        alike = [other.inputs[0] for other in others if _differs_in_type(other.inputs[0], inputs[0])]
        listed = sorted([inputs[0], *alike], key=lambda one: one.type_id)
        return _ambiguous([f"{name}({one.name} => {self._type(one.type_id)})" for one in listed]) if alike else None

    def _type(self, identity: int) -> str:
        found = self.resolver.catalog.types_by_id.get(identity)
        return found.name if found is not None else "unknown"


def _differs_in_type(other: Argument, one: Argument) -> bool:
    return other.name == one.name and other.type_id != one.type_id


def _ambiguous(candidates: Sequence[str]) -> str:
    return f"Could not choose the best candidate function between: {', '.join(candidates)}. {_HELP}"
