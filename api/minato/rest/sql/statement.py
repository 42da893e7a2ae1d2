"""An ActionPlan → the one statement of the request: a CTE that reads, writes or calls, and one row about it.

The row holds the total, the number of rows on the page, what SQL code asked for by the settings response.headers and
response.status, the Location of an insert (a JSON array), how many rows were inserted, and last the body as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from minato.rest.parse.api_request import ApiRequest
from minato.rest.parse.media_type import MediaKind, MediaType
from minato.rest.plan.action import Action, ActionPlan
from minato.rest.plan.types import ReadPlan
from minato.rest.schema_cache.model import Routine
from minato.rest.schema_cache.queries import BASE_TYPES
from minato.rest.sql.call import call_statement
from minato.rest.sql.fields import Parameters, relation
from minato.rest.sql.mutate import INSERTED, mutation_statement
from minato.rest.sql.read import count_statement, select_statement

ROWS = "_postgrest_t"
NOTHING = "''::bytea"
SETTINGS = (
    "nullif(current_setting('response.headers', true), '') AS response_headers, "
    "nullif(current_setting('response.status', true), '') AS response_status"
)
USABLE_TABLE = (
    "(has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')"
    " OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))"
)
USABLE_FUNCTION = "has_function_privilege(p.oid, 'EXECUTE')"
# A type of the catalog, also below a domain, is told here without its length; any other the schema cache names.
COLUMNS = """
  SELECT json_object_agg(a.attname, json_build_object(
    'comment', col_description(c.oid, a.attnum),
    'type', CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN format_type(t.oid, NULL) END,
    'max', information_schema._pg_char_max_length(
      information_schema._pg_truetypid(a.*, own.*), information_schema._pg_truetypmod(a.*, own.*)),
    'enum', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)))
  FROM pg_attribute a
  JOIN pg_type own ON own.oid = a.atttypid
  LEFT JOIN base_types b ON b.oid = a.atttypid
  JOIN pg_type t ON t.oid = coalesce(b.base, a.atttypid)
  WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
"""


@dataclass(frozen=True)
class Statement:
    """SQL text and its values. `estimate` is explained afterwards for the planner's idea of the total.

    No estimate is wanted where the count stayed at or below `exact_up_to`. `explains`: the rows are lines of a plan.
    """

    text: str
    values: tuple[str | bytes, ...]
    estimate: Statement | None = None
    exact_up_to: int | None = None
    explains: bool = False


def build_statement(
    request: ApiRequest, plan: ActionPlan, max_rows: int | None, asks_planner: bool = True
) -> Statement:
    """The statement of `plan`. The text depends on the request's shape alone, the values are parameters.

    Unless it `asks_planner`, a planned count counts the rows that the caller may see, as an estimated one does.
    """
    assert plan.read is not None, "every statement reads something"
    count = request.preferences.count
    if count == "planned" and plan.action is Action.READ and not asks_planner:
        count = "exact" if max_rows is None else "estimated"
    parameters = Parameters()
    if plan.action is Action.MUTATE:
        text = _mutation(request, plan, parameters)
    else:
        text = _read(request, plan, count, parameters, max_rows)
    if plan.explain is not None:
        options = ", ".join((f"FORMAT {plan.explain.form}", *plan.explain.options)).upper()
        return Statement(f"EXPLAIN ({options}) {text}", tuple(parameters.values), explains=True)
    return Statement(text, tuple(parameters.values), _estimate(plan, count, max_rows))


def _read(
    request: ApiRequest, plan: ActionPlan, count: str | None, parameters: Parameters, max_rows: int | None
) -> str:
    assert plan.read is not None
    read = plan.read
    ctes, rows = [], "pgrst_source"
    routine = plan.call.routine if plan.call else None
    if plan.call is not None:
        ctes.append(f"pgrst_source AS ({call_statement(plan.call, parameters)})")
        rows = f"({select_statement(read, parameters)})"
    else:
        ctes.append(f"pgrst_source AS ({select_statement(read, parameters)})")
        rows = "(SELECT * FROM pgrst_source)"
    total = _total(count, read, parameters, max_rows)
    body = _bytes(plan, routine) if request.method != "HEAD" else NOTHING
    if routine and routine.returns_void:
        body = NOTHING
    return (
        f"WITH {', '.join(ctes)} SELECT {total} AS total, count({ROWS})::int8 AS page_total, "
        f"{SETTINGS}, NULL::text AS location, NULL::int8 AS inserted, {body} AS body "
        f"FROM {rows} {ROWS}"
    )


def _mutation(request: ApiRequest, plan: ActionPlan, parameters: Parameters) -> str:
    assert plan.mutation is not None
    assert plan.read is not None
    written = mutation_statement(plan.mutation, parameters)
    body, rows, location = NOTHING, "(SELECT * FROM pgrst_source)", "NULL::text"
    if request.preferences.representation == "representation":
        rows = f"({select_statement(plan.read, parameters)})"
        body = _bytes(plan, None)
    elif request.preferences.representation == "headers-only" and request.method == "POST" and plan.key:
        location = _location()
    return (
        f"WITH pgrst_source AS ({written}) SELECT NULL::int8 AS total, count({ROWS})::int8 AS page_total, "
        f"{SETTINGS}, {location} AS location, {INSERTED}::int8 AS inserted, {body} AS body "
        f"FROM {rows} {ROWS}"
    )


def _total(count: str | None, read: ReadPlan, parameters: Parameters, max_rows: int | None) -> str:
    if count not in ("exact", "estimated"):
        return "NULL::int8"
    if read.rows.is_all:
        return f"count({ROWS})::int8"
    counted = count_statement(read, parameters)
    # One row over the cap is enough to know that the planner's estimate is wanted.
    limit = f" LIMIT {max_rows + 1}" if count == "estimated" and max_rows is not None else ""
    return f"(SELECT count(*) FROM ({counted}{limit}) AS pgrst_source_count)::int8"


def _estimate(plan: ActionPlan, count: str | None, max_rows: int | None) -> Statement | None:
    assert plan.read is not None
    if plan.action is not Action.READ or count not in ("planned", "estimated"):
        return None
    parameters = Parameters()
    text = f"EXPLAIN (FORMAT JSON) {count_statement(plan.read, parameters)}"
    return Statement(text, tuple(parameters.values), exact_up_to=max_rows if count == "estimated" else None)


def _location() -> str:
    """`key=eq.value` for each key column of the one row that was inserted."""
    pairs = (
        "SELECT json_agg(key || '=' || coalesce('eq.' || value, 'is.null')) FROM ("
        "SELECT row_to_json(_row) AS data FROM pgrst_source AS _row LIMIT 1) AS _only, json_each_text(_only.data)"
    )
    return f"CASE WHEN count({ROWS}) = 1 THEN ({pairs}) END::text"


def _bytes(plan: ActionPlan, routine: Routine | None) -> str:
    """The body as bytes, so that nothing decodes it on its way out."""
    handler = plan.handler
    if handler is None:
        return f"convert_to({_body(plan.media, routine)}, 'UTF8')"
    value = f"{ROWS}.pgrst_scalar" if routine and not routine.returns_composite else ROWS
    if handler.aggregate is not None:
        row = f"{value}::{relation(handler.target)}" if handler.target else value
        value = f"{relation(handler.aggregate)}({row})"
    # concat writes a value as its type goes out; a cast of xml to text keeps what PostgreSQL then leaves out.
    made = f"{value}::bytea" if handler.is_bytes else f"concat({value})"
    if handler.aggregate is None:
        made = f"string_agg({made}, '')"
    return f"coalesce({made}, '')" if handler.is_bytes else f"convert_to(coalesce({made}, ''), 'UTF8')"


def _body(media: MediaType, routine: Routine | None) -> str:
    # One of a set of values is asked for as an object, so it stays the row it came in.
    is_row = routine is None or routine.returns_composite or (routine.returns_set and media.kind is MediaKind.OBJECT)
    value = ROWS if is_row else f"{ROWS}.pgrst_scalar"
    if media.kind is MediaKind.CSV:
        return _csv()
    if media.kind is MediaKind.GEOJSON:
        features = f"coalesce(json_agg(ST_AsGeoJSON({ROWS})::json), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})::text"
    aggregated = f"json_agg({value})"
    if media.strips_nulls:
        aggregated = f"json_strip_nulls({aggregated})"
    if media.kind is MediaKind.OBJECT or (routine and not routine.returns_set):
        return f"coalesce(({aggregated}->0)::text, 'null')"
    return f"coalesce({aggregated}, '[]')::text"


def _csv() -> str:
    """A header line from the first row's keys, then each row as PostgreSQL writes a record, without its brackets."""
    keys = f"SELECT coalesce(string_agg(key, ','), '') FROM json_object_keys(json_agg({ROWS})->0) AS key"
    line = f"substring({ROWS}::text, 2, length({ROWS}::text) - 2)"
    return f"({keys}) || E'\\n' || coalesce(string_agg({line}, E'\\n'), '')"


def inspect_statement(schema: str, follows_privileges: bool) -> Statement:
    """`{comment, tables: {name: {comment, columns}}, functions: {oid: {comment, types}}}` as the body.

    `types` are those of the arguments, told as the caller's search path has them.
    """
    usable, callable_ = (USABLE_TABLE, USABLE_FUNCTION) if follows_privileges else ("true", "true")
    tables = (
        f"SELECT json_object_agg(c.relname, json_build_object('comment', obj_description(c.oid, 'pg_class'), "
        f"'columns', ({COLUMNS}))) FROM pg_class c WHERE c.relnamespace = n.oid "
        f"AND c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition AND {usable}"
    )
    functions = (
        "SELECT json_object_agg(p.oid, json_build_object('comment', obj_description(p.oid, 'pg_proc'), 'types', "
        "(SELECT json_agg(format_type(a.type, NULL) ORDER BY a.position)"
        " FROM unnest(p.proargtypes) WITH ORDINALITY a(type, position)))) FROM pg_proc p "
        f"WHERE p.pronamespace = n.oid AND {callable_}"
    )
    seen = (
        "json_build_object('comment', obj_description(n.oid, 'pg_namespace'), "
        f"'tables', coalesce(({tables}), '{{}}'), 'functions', coalesce(({functions}), '{{}}'))"
    )
    text = (
        f"WITH {BASE_TYPES} SELECT NULL::int8, 1::int8, NULL::text, NULL::text, NULL::text, NULL::int8, "
        f"convert_to({seen}::text, 'UTF8') FROM pg_namespace n WHERE n.nspname = $1::text"
    )
    return Statement(text, (schema,))
