"""What a SELECT reads: the tree of embeds first, then pass by pass filters, orders and ranges onto it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from minato.config.rest import RestSettings
from minato.rest.errors import RestError, SchemaMiss, not_embedded, too_costly
from minato.rest.parse.api_request import ApiRequest, embed_range
from minato.rest.parse.ranges import Bounds, RowRange
from minato.rest.parse.syntax import EmbedPath, Field, LogicTree, OrderTerm, SelectField, SelectItem, SelectRelation
from minato.rest.plan.conditions import plan_condition, plan_field
from minato.rest.plan.relationship import find_relationship
from minato.rest.plan.suggestions import nearest
from minato.rest.plan.target import find_plan, require_embedded
from minato.rest.plan.types import Embed, PlannedColumn, PlannedOrder, ReadPlan
from minato.rest.schema_cache.model import Column, QualifiedName, Relationship, SchemaCache, Table

MANY_TABLES = 500


def plan_read(
    request: ApiRequest,
    cache: SchemaCache,
    settings: RestSettings,
    root: ReadPlan,
    of_written: bool = False,
) -> ReadPlan:
    """Fill `root` with what the request selects. `of_written`: the rows are those a mutation gave back, which the
    request's filters already chose and no range cuts. Raises RestError.
    """
    legacy = settings.url_use_legacy_target_names
    require_embedded(request.query, legacy)
    _require_modest(request.query.select, settings)
    select_items(root, request.query.select, cache, settings, count(1))
    add_filters(root, request.query.filters, not of_written, legacy)
    add_orders(root, request, legacy)
    if not of_written:
        add_ranges(root, request, settings.db_max_rows, legacy)
    add_filters(root, request.query.logic, not of_written, legacy)
    require_distinct(root)
    return root


def table_root(cache: SchemaCache, name: QualifiedName, source: QualifiedName | None = None) -> ReadPlan:
    """The empty plan that reads table `name`, from `source` when its rows come from a statement of ours."""
    return ReadPlan(source or name, name, known_columns(cache.tables.get(name)), name.name if source else "")


def require_table(cache: SchemaCache, name: QualifiedName) -> Table:
    """The table of that name. Raises PGRST205."""
    table = cache.tables.get(name)
    if table is not None:
        return table
    others = [each for each in cache.tables if each.schema == name.schema]
    near = nearest(name.name, [each.name for each in others], 0.75) if len(others) < MANY_TABLES else None
    hint = f"Perhaps you meant the table '{name.schema}.{near}'" if near else None
    raise SchemaMiss(404, "PGRST205", f"Could not find the table '{name}' in the schema cache", None, hint)


def known_columns(table: Table | None) -> Mapping[str, Column]:
    """The columns of `table` by name, computed ones included."""
    if table is None:
        return {}
    computed = {name: Column(name, kind, kind, computed=True) for name, kind in table.computed.items()}
    return {**computed, **table.columns}


def select_items(
    plan: ReadPlan,
    items: tuple[SelectItem, ...],
    cache: SchemaCache,
    settings: RestSettings,
    numbers: Iterator[int],
) -> None:
    """Add columns and, depth first, embeds."""
    for item in items:
        if isinstance(item, SelectField):
            plan.select.append(plan_column(item, plan.columns, settings))
        else:
            plan.embeds.append(_embed(plan, item, cache, settings, numbers))
    if plan.aggregates or any(column.representation.to_json for column in plan.columns.values()):
        plan.select = [column for each in plan.select for column in expand_star(each, plan.columns)]


def _require_modest(items: Sequence[SelectItem], settings: RestSettings) -> None:
    """Refuse more embeds, or deeper ones, than one caller may ask of everybody's database."""
    embeds = 0
    for depth in count(1):
        relations = [item for item in items if isinstance(item, SelectRelation)]
        if not relations:
            return
        embeds += len(relations)
        if settings.max_embeds is not None and embeds > settings.max_embeds:
            raise too_costly(f"At most {settings.max_embeds} relations may be embedded")
        if settings.max_embed_depth is not None and depth > settings.max_embed_depth:
            raise too_costly(f"At most {settings.max_embed_depth} levels of relations may be embedded")
        items = [item for relation in relations for item in relation.items]


def plan_column(item: SelectField, columns: Mapping[str, Column], settings: RestSettings) -> PlannedColumn:
    """One selected column; a JSON path is named by its last key."""
    if item.aggregate and not settings.db_aggregates_enabled:
        raise RestError(400, "PGRST123", "Use of aggregate functions is not allowed")
    alias = item.alias
    if alias is None and item.field.path:
        keys = [step.key for step in item.field.path if not step.is_index]
        alias = keys[-1] if keys else item.field.name
        alias = alias if not item.aggregate else None
    return PlannedColumn(plan_field(item.field, columns), alias, item.cast, item.aggregate, item.aggregate_cast)


def expand_star(column: PlannedColumn, columns: Mapping[str, Column]) -> list[PlannedColumn]:
    if column.field.name != "*" or column.aggregate:
        return [column]
    return [PlannedColumn(plan_field(Field(name), columns)) for name, each in columns.items() if not each.computed]


def _embed(
    parent: ReadPlan, item: SelectRelation, cache: SchemaCache, settings: RestSettings, numbers: Iterator[int]
) -> Embed:
    relationship = find_relationship(cache, parent.table, item.name, item.hint)
    target = relationship.foreign_table
    source = relationship.function or target
    plan = ReadPlan(source, target, known_columns(cache.tables.get(target)), _alias(item.name, next(numbers)))
    select_items(plan, item.items, cache, settings, numbers)
    if item.spread:
        _require_spreadable(plan, relationship)
        plan.select = [column for each in plan.select for column in expand_star(each, plan.columns)]
    embed = Embed(plan, relationship, item.name, item.alias, item.inner, item.spread)
    if item.spread and relationship.is_to_one:
        _hoist(embed)
    return embed


def _hoist(embed: Embed) -> None:
    """Move the aggregates of a to-one spread to its parent, leaving the plain columns they are over."""
    plan = embed.plan
    embed.hoisted = {each.output_name: each for each in plan.select if each.aggregate}
    plan.select = [_plain(each) for each in plan.select if not each.aggregate or each.field.name != "*"]
    for nested in plan.embeds:
        embed.hoisted |= nested.hoisted
        nested.hoisted = {}


def require_distinct(plan: ReadPlan, depth: int = 1) -> None:
    """Raises 42712 for two embeds of one name: only one could be shown, and the reference joins both by that name."""
    names: set[str] = set()
    for embed in plan.embeds:
        if embed.key in names:
            message = f'table name "{plan.table.name}_{embed.key}_{depth}" specified more than once'
            raise RestError(400, "42712", message)
        names.add(embed.key)
        require_distinct(embed.plan, depth + 1)


def _plain(column: PlannedColumn) -> PlannedColumn:
    return PlannedColumn(column.field, column.output_name, column.cast) if column.aggregate else column


def _require_spreadable(plan: ReadPlan, relationship: Relationship) -> None:
    if plan.aggregates and not relationship.is_to_one:
        details = "Aggregates are not implemented for one-to-many or many-to-many spreads."
        raise RestError(400, "PGRST127", "Feature not implemented", details)


def _alias(name: str, number: int) -> str:
    # PostgreSQL cuts identifiers at 63 bytes; the number must survive.
    return f"{name.encode()[:48].decode(errors='ignore')}_{number}"


def add_filters(root: ReadPlan, trees: Sequence[tuple[EmbedPath, LogicTree]], root_filters: bool, legacy: bool) -> None:
    """WHERE: filters or logic trees, each at the embed its path names, before what is there already."""
    for path, tree in reversed(trees):
        plan = find_plan(root, path, legacy)
        if path or root_filters:
            plan.where.insert(0, plan_condition(tree, plan))


def add_orders(root: ReadPlan, request: ApiRequest, legacy: bool) -> None:
    for path, terms in reversed(request.query.order):
        plan = find_plan(root, path, legacy)
        plan.order = [_order(term, plan) for term in terms]


def _order(term: OrderTerm, plan: ReadPlan) -> PlannedOrder:
    if term.relation is None:
        return PlannedOrder(plan_field(term.field, plan.columns), term.direction, term.nulls)
    embed = next((each for each in plan.embeds if each.key == term.relation), None)
    if embed is None:
        raise not_embedded(term.relation)
    if not embed.relationship.is_to_one:
        message = f"A related order on '{term.relation}' is not possible"
        details = f"'{plan.table.name}' and '{term.relation}' do not form a many-to-one or one-to-one relationship"
        raise RestError(400, "PGRST118", message, details)
    field = plan_field(term.field, embed.plan.columns)
    return PlannedOrder(field, term.direction, term.nulls, embed.plan.alias)


def add_ranges(root: ReadPlan, request: ApiRequest, max_rows: int | None, legacy: bool) -> None:
    """LIMIT and OFFSET at every level; `max_rows` caps the root and every to-many embed."""
    for path in (*request.query.limits, *request.query.offsets):
        plan = find_plan(root, path, legacy)
        if path:
            rows = embed_range(request, path)
            _bound(plan, request, path, rows if rows.limit is None else rows.capped(max_rows))
    root.rows = request.top_range.capped(max_rows)
    if request.asks_range:
        _bound(root, request, (), root.rows)
    _cap(root, max_rows)


def _bound(plan: ReadPlan, request: ApiRequest, path: EmbedPath, rows: RowRange) -> None:
    plan.rows, plan.bounds = rows, request.bounds.get(path) or Bounds.of(rows)


def _cap(plan: ReadPlan, max_rows: int | None) -> None:
    for embed in plan.embeds:
        if not embed.relationship.is_to_one:
            embed.plan.rows = embed.plan.rows.capped(max_rows)
        _cap(embed.plan, max_rows)
