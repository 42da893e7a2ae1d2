"""Filters and logic trees with their columns' types; a filter on an embed's name asks whether it has rows."""

from __future__ import annotations

from collections.abc import Mapping

from minato.rest.parse.syntax import Field, Filter, IsTest, LogicTree
from minato.rest.plan.types import Condition, Embed, EmbedTest, PlannedField, PlannedFilter, PlannedGroup, ReadPlan
from minato.rest.schema_cache.model import Column

JSON_TYPES = ("json", "jsonb")


def plan_condition(tree: LogicTree, plan: ReadPlan) -> Condition:
    """`tree` as a condition on `plan`'s rows."""
    if not isinstance(tree, Filter):
        return PlannedGroup(tree.operator, tuple(plan_condition(term, plan) for term in tree.terms), tree.negated)
    embed = _embed_tested(tree, plan)
    if embed is not None:
        return EmbedTest(embed.plan.alias, exists=tree.negated)
    return PlannedFilter(plan_field(tree.field, plan.columns), tree.operation, tree.negated)


def plan_field(field: Field, columns: Mapping[str, Column]) -> PlannedField:
    """The field with the type its values have: text after `->>`, JSON after `->`, else the column's."""
    column = columns.get(field.name)
    if column is None:
        return PlannedField(field.name, field.path, _path_type(field, None))
    column_type = column.base_type
    is_json = column_type in JSON_TYPES
    if field.path:
        kind = _path_type(field, column_type if is_json else None)
        return PlannedField(field.name, field.path, kind, is_json, row=column.row)
    seen = column.representation
    unindexed = column.unindexed
    return PlannedField(field.name, (), column_type, is_json, seen.to_json, seen.from_text, column.row, unindexed)


def _path_type(field: Field, json_type: str | None) -> str | None:
    if not field.path:
        return None
    return "text" if field.path[-1].as_text else json_type or "jsonb"


def _embed_tested(tree: Filter, plan: ReadPlan) -> Embed | None:
    """The embed that `tree` asks for rows; any other filter on its name means a column."""
    if tree.field.path or tree.operation != IsTest("null"):
        return None
    return next((embed for embed in plan.embeds if embed.key == tree.field.name), None)
