"""A MutatePlan → INSERT, UPDATE or DELETE."""

from __future__ import annotations

from collections.abc import Sequence

from minato.database.identifiers import quote_identifier
from minato.rest.plan.types import Condition, DeletePlan, EmbedTest, InsertPlan, MutatePlan, UpdatePlan
from minato.rest.schema_cache.model import Column, Table
from minato.rest.sql.fields import Parameters, column, relation
from minato.rest.sql.operators import condition
from minato.rest.sql.payload import BODY, body_rows, body_value

INSERTED = "nullif(current_setting('pgrst.inserted', true), '')"


def mutation_statement(plan: MutatePlan, parameters: Parameters) -> str:
    match plan:
        case InsertPlan():
            return _insert(plan, parameters)
        case UpdatePlan():
            return _update(plan, parameters)
        case DeletePlan():
            where = _where(plan.where, relation(plan.table.name), parameters)
            return f"DELETE FROM {relation(plan.table.name)}{where}{_returning(plan.table, plan.returning)}"


def _insert(plan: InsertPlan, parameters: Parameters) -> str:
    names = ", ".join(quote_identifier(each.name) for each in plan.columns)
    into = f"INSERT INTO {relation(plan.table.name)}{f'({names})' if names else ''}"
    values = ", ".join(body_value(each) for each in plan.columns)
    rows = body_rows(plan.payload, plan.columns, parameters, plan.defaults)
    # A PUT writes what of its body has the key of its URL.
    terms = [condition(each, BODY, parameters, _no_embeds) for each in plan.key_filters]
    counted = [_count_inserted("+", "0")] if plan.merge else []
    where = f" WHERE {' AND '.join([*terms, *counted])}" if terms or counted else ""
    return f"{into} SELECT {values} FROM {rows}{where}{_on_conflict(plan)}{_returning(plan.table, plan.returning)}"


def _on_conflict(plan: InsertPlan) -> str:
    if not plan.conflict:
        return ""
    target = ", ".join(quote_identifier(name) for name in plan.conflict)
    if not plan.merge or not plan.columns:
        return f" ON CONFLICT({target}) DO NOTHING"
    updates = ", ".join(f"{name} = EXCLUDED.{name}" for name in (quote_identifier(each.name) for each in plan.columns))
    return f" ON CONFLICT({target}) DO UPDATE SET {updates} WHERE {_count_inserted('-', '-1')}"


def _count_inserted(sign: str, never: str) -> str:
    """Counts in a transaction-local setting: every row adds one, an update of an existing row takes it back."""
    counted = f"(coalesce({INSERTED}::int, 0) {sign} 1)::text"
    return f"set_config('pgrst.inserted', {counted}, true) <> '{never}'"


def _update(plan: UpdatePlan, parameters: Parameters) -> str:
    table = relation(plan.table.name)
    if not plan.columns:
        # An empty body changes nothing; the columns are still named so that what reads them can stand.
        shown = ", ".join(column(table, name) for name in plan.returning) or "NULL"
        return f"SELECT {shown} FROM {table} WHERE false"
    assignments = ", ".join(_assignment(each) for each in plan.columns)
    rows = body_rows(plan.payload, plan.columns, parameters, plan.defaults)
    where = _where(plan.where, table, parameters)
    return f"UPDATE {table} SET {assignments} FROM {rows}{where}{_returning(plan.table, plan.returning)}"


def _assignment(each: Column) -> str:
    return f"{quote_identifier(each.name)} = {body_value(each)}"


def _where(conditions: Sequence[Condition], prefix: str, parameters: Parameters) -> str:
    joined = all_of(conditions, prefix, parameters)
    return f" WHERE {joined}" if joined else ""


def all_of(conditions: Sequence[Condition], prefix: str, parameters: Parameters) -> str:
    """The conditions of a statement that writes, as one; empty where there is none."""
    return " AND ".join(condition(each, prefix, parameters, _no_embeds) for each in conditions)


def _no_embeds(test: EmbedTest) -> str:
    raise AssertionError("a statement that writes has no embeds to test")


def _returning(table: Table, names: Sequence[str]) -> str:
    prefix = relation(table.name)
    return f" RETURNING {', '.join(column(prefix, name) for name in names) or '1'}"
