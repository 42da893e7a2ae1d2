"""What a POST, PUT, PATCH or DELETE on a relation writes, and which columns it gives back."""

from __future__ import annotations

from minato.rest.errors import RestError, SchemaMiss, put_filters
from minato.rest.parse.api_request import ApiRequest
from minato.rest.parse.syntax import Comparison, Filter
from minato.rest.plan.conditions import plan_condition
from minato.rest.plan.read import expand_star
from minato.rest.plan.types import (
    Condition,
    DeletePlan,
    InsertPlan,
    MutatePlan,
    ReadPlan,
    UpdatePlan,
)
from minato.rest.schema_cache.model import Column, Table


def plan_mutation(request: ApiRequest, table: Table, root: ReadPlan) -> MutatePlan:
    """The write of `request`; `root` is the plan that reads the written rows. Raises PGRST105, PGRST204."""
    _name_columns(table, root)
    returning = _returning(request, table, root)
    if request.method == "DELETE":
        return DeletePlan(table, _conditions(request, root), returning)
    payload = request.payload
    assert payload is not None, "methods that write carry a payload"
    if request.method == "PUT":
        _require_key_filters(request, table)
    columns = tuple(_require_column(table, key) for key in payload.keys)
    defaults = request.preferences.missing == "default"
    if request.method == "PATCH":
        return UpdatePlan(table, columns, payload, _conditions(request, root), returning, defaults)
    if request.method == "PUT":
        filters = _conditions(request, root)
        return InsertPlan(table, columns, payload, returning, defaults, table.primary_key, True, filters)
    resolution = request.preferences.resolution
    conflict = (request.query.on_conflict or table.primary_key) if resolution else ()
    return InsertPlan(table, columns, payload, returning, defaults, conflict, resolution == "merge-duplicates")


def _name_columns(table: Table, root: ReadPlan) -> None:
    """Write `*` out where a computed column is given back beside it, which it would show a second time."""
    fields = [*(each.field for each in root.select), *(each.field for each in root.order)]
    if any(each.name in table.computed for each in fields):
        root.select = [column for each in root.select for column in expand_star(each, root.columns)]


def _conditions(request: ApiRequest, root: ReadPlan) -> tuple[Condition, ...]:
    trees = (*request.query.filters, *request.query.logic)
    return tuple(plan_condition(tree, root) for path, tree in trees if not path)


def _require_column(table: Table, name: str) -> Column:
    column = table.columns.get(name)
    if column is None:
        message = f"Could not find the '{name}' column of '{table.name.name}' in the schema cache"
        raise SchemaMiss(400, "PGRST204", message)
    return column


def _require_key_filters(request: ApiRequest, table: Table) -> None:
    """A PUT names one row: every key column by `eq`, and nothing else."""
    filters = request.query.filters
    named = {each.field.name for _, each in filters}
    complete = named == set(table.primary_key) and all(not path and _is_plain_eq(each) for path, each in filters)
    if not complete or not named or any(not path for path, _ in request.query.logic):
        raise put_filters()


def _is_plain_eq(each: Filter) -> bool:
    operation = each.operation
    plain = isinstance(operation, Comparison) and operation.operator == "eq" and operation.quantifier is None
    return plain and not each.negated and not each.field.path


def _returning(request: ApiRequest, table: Table, root: ReadPlan) -> tuple[str, ...]:
    """The columns the statement must give back: what is selected, ordered by, joined on, and the key."""
    if request.preferences.representation == "headers-only":
        return table.primary_key
    if request.preferences.representation != "representation":
        return ()
    names = [column.field.name for column in root.select if not (column.aggregate and column.field.name == "*")]
    names += [term.field.name for term in root.order if term.embed is None]
    for embed in root.embeds:
        relationship = embed.relationship
        pairs = relationship.junction.near if relationship.junction else relationship.columns
        names += ["*"] if relationship.function else [ours for ours, _ in pairs]
    # A computed column beside "*" must be asked for by its own name.
    computed = [name for name in names if name in table.computed]
    if "*" in names:
        return tuple(dict.fromkeys(["*", *computed]))
    return tuple(dict.fromkeys([*names, *table.primary_key]))


def require_valid_preferences(request: ApiRequest) -> None:
    """Raises PGRST122."""
    preferences = request.preferences
    if preferences.strict and preferences.invalid:
        details = f"Invalid preferences: {', '.join(preferences.invalid)}"
        raise RestError(400, "PGRST122", "Invalid preferences given with handling=strict", details)
