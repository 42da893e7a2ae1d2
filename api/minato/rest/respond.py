"""What was asked, what was done, what came back → status, headers, body."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import orjson

from minato.json_text import encode
from minato.rest.errors import RestError, invalid_range, singular_expected
from minato.rest.parse.api_request import ApiRequest
from minato.rest.parse.media_type import MediaKind
from minato.rest.parse.preferences import NOTHING_PREFERRED
from minato.rest.parse.query_string import canonical_query, encode_component
from minato.rest.plan.action import Action, ActionPlan
from minato.rest.result import Body, QueryResult, is_sendable

HeaderPair = tuple[str, str]
GUC_HEADERS = "response.headers guc must be a JSON array composed of objects with a single key and a string value"


class Response(NamedTuple):
    """One HTTP answer. A HEAD's `body` is sent as its length alone; None is a body that nobody made."""

    status: int
    headers: list[HeaderPair]
    body: Body | None = b""


def check_result(request: ApiRequest, plan: ActionPlan, result: QueryResult) -> None:
    """What may not be committed: PUT that did not hit its row, more than one object, too many rows."""
    if plan.explain is not None:
        return
    rows = _page_rows(plan, result)
    if request.method == "PUT" and rows != 1:
        raise RestError(400, "PGRST115", "Payload values do not match URL in primary key column(s)")
    if plan.media.kind is MediaKind.OBJECT and rows != 1:
        raise singular_expected(rows)
    limit = request.preferences.max_affected
    if limit is not None and rows > limit and (request.method in ("PATCH", "DELETE") or plan.call is not None):
        message = "Query result exceeds max-affected preference constraint"
        raise RestError(400, "PGRST124", message, f"The query affects {rows} rows")


def may_refuse(request: ApiRequest, plan: ActionPlan) -> bool:
    """Whether `check_result` may undo something: it has to be asked before the transaction ends."""
    if plan.read_only:
        return False
    limited = request.preferences.max_affected is not None
    return request.method == "PUT" or plan.media.kind is MediaKind.OBJECT or limited


def respond(
    request: ApiRequest, plan: ActionPlan, result: QueryResult, tx_override: bool, raw_query: bytes
) -> Response:
    """The answer to a request whose transaction has ended; `raw_query` as it came. Raises PGRST111, PGRST112."""
    if plan.explain is not None:
        lines = result.body + b"\n" if isinstance(result.body, bytes) else result.body
        return Response(200, _content_headers(request, plan), lines)
    if plan.action is Action.READ:
        response = _read(request, plan, result, raw_query)
    elif plan.action is Action.CALL:
        response = _call(request, plan, result)
    else:
        response = _mutation(request, plan, result)
    applied = preferences_applied(request, plan, tx_override)
    if applied:
        response.headers.append(("Preference-Applied", applied))
    return _overridden(response, result)


def respond_root(request: ApiRequest, plan: ActionPlan, document: Mapping[str, object]) -> Response:
    """The root document."""
    return Response(200, _content_headers(request, plan), None if request.method == "HEAD" else encode(document))


def respond_info(plan: ActionPlan) -> Response:
    return Response(200, [("Access-Control-Allow-Origin", "*"), ("Allow", plan.allow)])


def respond_error(error: RestError, verbose: bool) -> Response:
    headers = [
        ("Content-Type", "application/json; charset=utf-8"),
        ("Proxy-Status", f"PostgREST; error={error.code}"),
        *error.headers,
    ]
    return Response(error.status, headers, error.body(verbose))


def content_range(first: int, last: int, total: int | None) -> str:
    """`first-last/total`, with `*` for no rows and for a total nobody counted.

    >>> content_range(0, 9, 57), content_range(0, -1, None)
    ('0-9/57', '*/*')
    """
    rows = f"{first}-{last}" if first <= last and total != 0 else "*"
    return f"{rows}/{'*' if total is None else total}"


def preferences_applied(request: ApiRequest, plan: ActionPlan, tx_override: bool) -> str:
    """What of the preferences was honoured, in the reference's order."""
    given, method = request.preferences, request.method
    if given is NOTHING_PREFERRED:
        return ""
    writes = plan.action is Action.MUTATE
    limited = method in ("PATCH", "DELETE") or plan.call is not None
    parts = [
        ("resolution", given.resolution if method == "POST" and plan.has_conflict_target else None),
        ("missing", given.missing if writes and method in ("POST", "PATCH") else None),
        ("return", given.representation if writes else None),
        ("count", given.count),
        ("tx", given.transaction if tx_override else None),
        ("handling", given.handling),
        ("timezone", given.timezone),
        ("max-affected", given.max_affected if limited else None),
    ]
    return ", ".join(f"{name}={value}" for name, value in parts if value is not None)


def _page_rows(plan: ActionPlan, result: QueryResult) -> int:
    single = plan.call is not None and not plan.call.routine.returns_set
    return 1 if single else result.page_total


def _read(request: ApiRequest, plan: ActionPlan, result: QueryResult, raw_query: bytes) -> Response:
    status, shown = _range_status(request, result.page_total, result.total)
    canonical = canonical_query(raw_query)
    query = f"?{canonical}" if canonical else ""
    headers = [("Content-Range", shown), ("Content-Location", f"/{encode_component(request.target.name)}{query}")]
    headers += _content_headers(request, plan)
    return Response(status, headers, _page_body(request, status, result))


def _call(request: ApiRequest, plan: ActionPlan, result: QueryResult) -> Response:
    assert plan.call is not None
    status, shown = _range_status(request, _page_rows(plan, result), result.total)
    headers = [("Content-Range", shown)]
    if plan.call.routine.returns_void:
        return Response(204, headers)
    return Response(status, headers + _content_headers(request, plan), _page_body(request, status, result))


def _mutation(request: ApiRequest, plan: ActionPlan, result: QueryResult) -> Response:
    # The planner tells nothing of rows that were just written.
    total = result.page_total if request.preferences.count in ("exact", "estimated") else None
    represented = request.preferences.representation == "representation"
    headers: list[HeaderPair] = []
    if request.method == "POST":
        headers += [("Location", _location(request, result.location))] if result.location else []
    if request.method != "PUT":
        last = result.page_total - 1 if request.method == "PATCH" else -1
        headers.append(("Content-Range", content_range(0, last, total)))
    headers += _content_headers(request, plan) if represented else []
    return Response(_mutation_status(request, result, represented), headers, result.body if represented else b"")


def _mutation_status(request: ApiRequest, result: QueryResult, represented: bool) -> int:
    if request.method == "POST":
        merged = request.preferences.resolution == "merge-duplicates"
        return 200 if merged and (result.inserted or 0) <= 0 else 201
    if not represented:
        return 204
    return 201 if request.method == "PUT" and (result.inserted or 0) > 0 else 200


def _range_status(request: ApiRequest, rows: int, total: int | None) -> tuple[int, str]:
    first = request.top_range.offset
    last = first + rows - 1
    if total is not None and first > total:
        return 416, content_range(first, last, total)
    return (206 if total is not None and rows < total else 200), content_range(first, last, total)


def _page_body(request: ApiRequest, status: int, result: QueryResult) -> Body | None:
    if request.method == "HEAD":
        return None
    if status == 416:
        details = f"An offset of {request.top_range.offset} was requested, but there are only {result.total} rows."
        return invalid_range(details).body()
    return result.body


def _content_headers(request: ApiRequest, plan: ActionPlan) -> list[HeaderPair]:
    profile = [("Content-Profile", request.schema)] if request.profile_given else []
    shown = f"{plan.explain.mime}; charset=utf-8" if plan.explain else plan.media.content_type
    return [("Content-Type", shown), *profile]


def _location(request: ApiRequest, pairs: tuple[str, ...]) -> str:
    split = (pair.partition("=") for pair in pairs)
    query = "&".join(f"{encode_component(key)}={encode_component(value)}" for key, _, value in split)
    return f"/{encode_component(request.target.name)}?{query}"


def _overridden(response: Response, result: QueryResult) -> Response:
    """The answer with what SQL set by response.status and response.headers; a header of theirs replaces ours."""
    status = response.status if result.response_status is None else _guc_status(result.response_status)
    if result.response_headers is None:
        return response if status == response.status else response._replace(status=status)
    theirs = _guc_headers(result.response_headers)
    replaced = {name.lower() for name, _ in theirs}
    ours = [pair for pair in response.headers if pair[0].lower() not in replaced]
    return Response(status, [*ours, *theirs], response.body)


def _guc_status(text: str) -> int:
    digits = re.match(r"\d{3}", text)
    status = int(digits.group()) if digits else 0
    if not 200 <= status <= 599:
        raise RestError(500, "PGRST112", "response.status guc must be a valid status code")
    return status


def _guc_headers(text: str) -> list[HeaderPair]:
    try:
        entries = orjson.loads(text)
    except orjson.JSONDecodeError:
        entries = None
    if not isinstance(entries, list) or not all(_is_header(entry) for entry in entries):
        raise RestError(500, "PGRST111", GUC_HEADERS)
    return [pair for entry in entries for pair in entry.items()]


def _is_header(entry: object) -> bool:
    if not isinstance(entry, dict) or len(entry) != 1:
        return False
    ((name, value),) = entry.items()
    return is_sendable(name, value)
