"""A ReadPlan → SELECT: embeds are lateral joins, their rows aggregated to JSON by PostgreSQL."""

from __future__ import annotations

from minato.database.identifiers import quote_identifier
from minato.rest.parse.ranges import RowRange
from minato.rest.plan.types import Embed, EmbedTest, PlannedColumn, PlannedField, PlannedOrder, ReadPlan
from minato.rest.sql.fields import Parameters, column, field, hoisted, qualifier, relation, selected
from minato.rest.sql.operators import condition


def select_statement(plan: ReadPlan, parameters: Parameters, embed: Embed | None = None, parent: str = "") -> str:
    """The SELECT of `plan`; below a parent, `embed` tells how its rows belong to those of `parent` (a qualifier)."""
    prefix = qualifier(plan)
    outputs = _outputs(plan, prefix, parameters)
    joins = "".join(_join(each, prefix, parameters) for each in plan.embeds)
    rows = (
        f"SELECT {', '.join(outputs)} FROM {_source(plan, embed, parent)}{joins}"
        f"{_where(plan, prefix, parameters, embed, parent)}{_group_by(plan, prefix, parameters)}"
        f"{_order_by(plan, prefix, parameters)}"
    )
    return _windowed(rows, plan, parameters)


def count_statement(plan: ReadPlan, parameters: Parameters, embed: Embed | None = None, parent: str = "") -> str:
    """`SELECT 1` for each row the plan would give without a limit; inner embeds become EXISTS."""
    prefix = qualifier(plan)
    by_alias = {each.plan.alias: each for each in plan.embeds}

    def exists(test: EmbedTest) -> str:
        inner = count_statement(by_alias[test.alias].plan, parameters, by_alias[test.alias], prefix)
        return f"{'' if test.exists else 'NOT '}EXISTS ({inner})"

    terms = [condition(each, prefix, parameters, exists) for each in plan.where]
    terms += join_conditions(embed, prefix, parent) if embed else []
    terms += [f"EXISTS ({count_statement(each.plan, parameters, each, prefix)})" for each in plan.embeds if each.inner]
    where = f" WHERE {' AND '.join(terms)}" if terms else ""
    return f"SELECT 1 FROM {_source(plan, embed, parent)}{where}"


def join_conditions(embed: Embed, prefix: str, parent: str) -> list[str]:
    """How the embed's rows belong to one row of its parent."""
    relationship = embed.relationship
    if relationship.junction is None:
        pairs = relationship.columns
        return [f"{column(prefix, theirs)} = {column(parent, ours)}" for ours, theirs in pairs]
    via = quote_identifier(_junction_alias(embed))
    near = [f"{column(via, theirs)} = {column(parent, ours)}" for ours, theirs in relationship.junction.near]
    far = [f"{column(prefix, theirs)} = {column(via, ours)}" for ours, theirs in relationship.junction.far]
    return near + far


def _windowed(select: str, plan: ReadPlan, parameters: Parameters) -> str:
    """`select` cut to the window of `plan`.

    The planner wants to know how many rows are read, and a parameter tells it nothing: within the exact window, which
    is parameters, stands its ceiling, a number that many windows share (decision 0027).
    """
    rows, bounds = plan.rows, plan.bounds
    if rows.is_all:
        return select
    # Quoted, so that PostgreSQL refuses what is no bigint.
    limit = "ALL" if rows.limit is None else f"'{rows.limit}'"
    if bounds is None or parameters.shows_windows:
        return f"{select} LIMIT {limit} OFFSET '{rows.offset}'"
    limit = limit if bounds.limit is None else parameters.literal(bounds.limit)
    offset = parameters.literal(bounds.offset)
    reached = "" if bounds.ceiling is None else f" LIMIT {bounds.ceiling}"
    return f'SELECT * FROM ({select}{reached}) AS "pgrst_window" LIMIT {limit} OFFSET {offset}'


def _outputs(plan: ReadPlan, prefix: str, parameters: Parameters) -> list[str]:
    own = [selected(prefix, each, parameters) for each in plan.select]
    embedded = [output for each in plan.embeds for output in _embed_outputs(each)]
    # Embeds that show nothing leave rows without columns; where nothing at all was selected, everything is.
    return own + embedded if plan.select or plan.embeds else [f"{prefix}.*"]


def _embed_outputs(embed: Embed) -> list[str]:
    alias = _joined(embed)
    if embed.shows_nothing:
        return []
    if embed.spread:
        plain = [name for name in _spread_names(embed) if name not in embed.hoisted]
        aggregates = [hoisted(alias, name, each) for name, each in embed.hoisted.items()]
        return [f"{alias}.{quote_identifier(name)} AS {quote_identifier(name)}" for name in plain] + aggregates
    if embed.relationship.is_to_one:
        return [f"row_to_json({alias}.*)::jsonb AS {quote_identifier(embed.key)}"]
    return [f"COALESCE({alias}.{alias}, '[]') AS {quote_identifier(embed.key)}"]


def _spread_names(embed: Embed) -> list[str]:
    names = [each.output_name for each in embed.plan.select]
    for nested in embed.plan.embeds:
        if not nested.shows_nothing:
            names += _spread_names(nested) if nested.spread else [nested.key]
    return names


def _join(embed: Embed, prefix: str, parameters: Parameters) -> str:
    alias = _joined(embed)
    rows = select_statement(embed.plan, parameters, embed, prefix)
    kind = "INNER" if embed.inner else "LEFT"
    if embed.relationship.is_to_one:
        return f" {kind} JOIN LATERAL ({rows}) AS {alias} ON TRUE"
    spread = "".join(
        f", COALESCE(json_agg({alias}.{quote_identifier(name)}), '[]')::jsonb AS {quote_identifier(name)}"
        for name in (_spread_names(embed) if embed.spread else [])
    )
    on = f"{alias}.{alias} IS NOT NULL" if embed.inner else "TRUE"
    aggregated = f"SELECT json_agg({alias})::jsonb AS {alias}{spread} FROM ({rows}) AS {alias}"
    return f" {kind} JOIN LATERAL ({aggregated}) AS {alias} ON {on}"


def _source(plan: ReadPlan, embed: Embed | None, parent: str) -> str:
    alias = f" AS {quote_identifier(plan.alias)}" if plan.alias and plan.alias != plan.source.name else ""
    if embed is None:
        return relation(plan.source) + alias
    if embed.relationship.function is not None:
        # The cast chooses among overloads when the row comes from a statement of ours: PostgREST issue 2963.
        return f"{relation(plan.source)}(({parent}.*)::{relation(embed.relationship.table)}){alias}"
    junction = embed.relationship.junction
    via = f", {relation(junction.table)} AS {quote_identifier(_junction_alias(embed))}" if junction else ""
    return f"{relation(plan.source)}{alias}{via}"


def _joined(embed: Embed) -> str:
    """What an embed's joined rows are called; not like the table they are read from, which plans show."""
    return quote_identifier(f"{embed.plan.alias}_rows")


def _junction_alias(embed: Embed) -> str:
    return f"via_{embed.plan.alias}"


def _where(plan: ReadPlan, prefix: str, parameters: Parameters, embed: Embed | None, parent: str) -> str:
    terms = join_conditions(embed, prefix, parent) if embed else []
    terms += [condition(each, prefix, parameters, lambda test: _joined_exists(test, plan)) for each in plan.where]
    return f" WHERE {' AND '.join(terms)}" if terms else ""


def _joined_exists(test: EmbedTest, plan: ReadPlan) -> str:
    """Whether a joined embed has rows. A row of nulls IS NULL, so only IS DISTINCT FROM can tell."""
    embed = next(each for each in plan.embeds if each.plan.alias == test.alias)
    alias = _joined(embed)
    joined = alias if embed.relationship.is_to_one else f"{alias}.{alias}"
    return f"{joined} IS {'' if test.exists else 'NOT '}DISTINCT FROM NULL"


def _group_by(plan: ReadPlan, prefix: str, parameters: Parameters) -> str:
    """Whatever is no aggregate groups. By position: a parameter used twice is not the same expression.

    A column without an alias groups by what it is, not by what its cast makes of it.
    """
    if not plan.aggregates:
        return ""
    grouping = [
        field(prefix, each.field, parameters) if each.alias is None else str(position)
        for position, each in enumerate(plan.select, 1)
        if not each.aggregate
    ]
    position = len(plan.select)
    for embed in plan.embeds:
        shown = len(_embed_outputs(embed))
        grouping += map(str, range(position + 1, position + 1 + shown - len(embed.hoisted)))
        position += shown
    return f" GROUP BY {', '.join(grouping)}" if grouping else ""


def _order_by(plan: ReadPlan, prefix: str, parameters: Parameters) -> str:
    terms = [_order(each, plan, prefix, parameters) for each in plan.order]
    return f" ORDER BY {', '.join(terms)}" if terms else ""


def _order(term: PlannedOrder, plan: ReadPlan, prefix: str, parameters: Parameters) -> str:
    by = field(prefix, term.field, parameters) if term.embed is None else _related(term, plan, prefix, parameters)
    return " ".join(part for part in (by, term.direction, term.nulls) if part)


def _related(term: PlannedOrder, plan: ReadPlan, prefix: str, parameters: Parameters) -> str:
    """The ordering column of a to-one embed: what it shows by that name, else a column of its table's all the same."""
    embed = next(each for each in plan.embeds if each.plan.alias == term.embed)
    inner = embed.plan
    if plan.aggregates or _shows(embed, term.field.name):
        return field(_joined(embed), PlannedField(term.field.name, term.field.path), parameters)
    read = ReadPlan(inner.source, inner.table, inner.columns, inner.alias, [PlannedColumn(term.field, alias="by")])
    read.where, read.embeds, read.rows = inner.where, inner.embeds, RowRange(0, 1)
    return f"({_only_first(select_statement(read, parameters, embed, prefix))})"


def _shows(embed: Embed, name: str) -> bool:
    """Whether the joined rows have exactly one column `name` that can be ordered by."""
    plan = embed.plan
    names = _spread_names(embed)
    if "*" in names or not (plan.select or plan.embeds):
        names += [each.name for each in plan.columns.values() if not each.computed]
    formatted = any(each.output_name == name and each.field.to_json for each in plan.select)
    return names.count(name) == 1 and not formatted


def _only_first(statement: str) -> str:
    return f'SELECT "related"."by" FROM ({statement}) AS "related"'
