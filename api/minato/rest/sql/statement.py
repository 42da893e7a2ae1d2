"""An ActionPlan → the one statement of the request: a CTE that reads, writes or calls, and one row about it.

The row holds the total, the number of rows on the page, what SQL code asked for by the settings response.headers and
response.status, the Location of an insert (a JSON array), how many rows were inserted, and last the body. It is asked
for in binary form, in which json, text and bytea are the bytes that are sent on; none of them is NULL's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from minato.rest.parse.api_request import ApiRequest
from minato.rest.plan.action import Action, ActionPlan
from minato.rest.plan.types import ReadPlan
from minato.rest.sql.body import ROWS, body
from minato.rest.sql.call import call_statement
from minato.rest.sql.fields import Parameters
from minato.rest.sql.mutate import INSERTED, mutation_statement
from minato.rest.sql.read import count_statement, select_statement

NOTHING = "''::text"
SETTINGS = (
    "nullif(current_setting('response.headers', true), '') AS response_headers, "
    "nullif(current_setting('response.status', true), '') AS response_status"
)


class Statement(NamedTuple):
    """SQL text and its values. `estimate` is explained afterwards for the planner's idea of the total.

    No estimate is wanted where the count stayed at or below `exact_up_to`. `explains`: the rows are lines of a plan.
    """

    text: str
    values: tuple[str | bytes, ...]
    estimate: Statement | None = None
    exact_up_to: int | None = None
    explains: bool = False


@dataclass(frozen=True)
class _Parts:
    """What the one statement consists of; `body` is json, text or bytea, None where nobody wants one."""

    source: str
    rows: str
    body: str | None
    page: str = f"count({ROWS})"
    total: str = "NULL::int8"
    location: str = "NULL::text"
    inserted: str = "NULL::int8"

    def told(self) -> str:
        """The statement that is run."""
        # What nobody counts as a record or sends, PostgreSQL would not compute: a function would not be called.
        counted = f"count({ROWS})" if self.body is None else "count(*)"
        return (
            f"WITH pgrst_source AS ({self.source}) SELECT {self.total} AS total, {counted} AS page_total, "
            f"{SETTINGS}, {self.location} AS location, {self.inserted} AS inserted, {self.body or NOTHING} AS body "
            f"FROM {self.rows} {ROWS}"
        )

    def explained(self, writes: bool) -> str:
        """The statement that is explained: its columns are the reference's, whose plans are compared and counted."""
        location = f"{self.location} AS header, " if writes else ""
        return (
            f"WITH pgrst_source AS ({self.source}) SELECT {self.total} AS total_result_set, {self.page} AS page_total, "
            f"{location}{self.body or NOTHING} AS body, {SETTINGS}, {self.inserted} AS response_inserted "
            f"FROM {self.rows} {ROWS}"
        )


def build_statement(
    request: ApiRequest, plan: ActionPlan, max_rows: int | None, asks_planner: bool = True
) -> Statement:
    """The statement of `plan`. The text depends on the request's shape alone, the values are parameters.

    Unless it `asks_planner`, a planned or estimated count counts the rows that the caller may see, up to `max_rows`.
    """
    assert plan.read is not None, "every statement reads something"
    count = request.preferences.count
    if count in ("planned", "estimated") and plan.action is Action.READ and not asks_planner:
        count = "exact" if max_rows is None else "estimated"
    parameters = Parameters(shows_windows=plan.explain is not None)
    writes = plan.action is Action.MUTATE
    parts = _mutation(request, plan, parameters) if writes else _read(request, plan, count, parameters, max_rows)
    if plan.explain is not None:
        options = ", ".join((f"FORMAT {plan.explain.form}", *plan.explain.options)).upper()
        text = f"EXPLAIN ({options}) {parts.explained(writes)}"
        return Statement(text, tuple(parameters.values), explains=True)
    return Statement(parts.told(), tuple(parameters.values), _estimate(plan, count, max_rows))


def _read(
    request: ApiRequest, plan: ActionPlan, count: str | None, parameters: Parameters, max_rows: int | None
) -> _Parts:
    assert plan.read is not None
    routine = plan.call.routine if plan.call else None
    if plan.call is not None:
        source, rows = call_statement(plan.call, parameters), f"({select_statement(plan.read, parameters)})"
    else:
        source, rows = select_statement(plan.read, parameters), "(SELECT * FROM pgrst_source)"
    wanted = request.method != "HEAD" and not (routine and routine.returns_void)
    return _Parts(
        source,
        rows,
        body(plan, routine) if wanted else None,
        page="1" if routine and not routine.returns_set else f"count({ROWS})",
        total=_total(count, plan.read, parameters, max_rows),
    )


def _mutation(request: ApiRequest, plan: ActionPlan, parameters: Parameters) -> _Parts:
    assert plan.mutation is not None
    assert plan.read is not None
    written, inserted = mutation_statement(plan.mutation, parameters), f"{INSERTED}::int8"
    if request.preferences.representation == "representation":
        rows = f"({select_statement(plan.read, parameters)})"
        return _Parts(written, rows, body(plan, None), inserted=inserted)
    told = request.preferences.representation == "headers-only" and request.method == "POST" and plan.key
    location = _location() if told else "NULL::text"
    return _Parts(written, "(SELECT * FROM pgrst_source)", None, location=location, inserted=inserted)


def _total(count: str | None, read: ReadPlan, parameters: Parameters, max_rows: int | None) -> str:
    if count not in ("exact", "estimated"):
        return "NULL::int8"
    if read.rows.is_all:
        return "count(*)"
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
