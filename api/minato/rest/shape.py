"""The shape of a request: all of it but its values. Requests of one shape share one plan and one statement.

What `parse.literals` finds to be a value, the numbers of windows and a JSON body with the same keys are marks while a
request is planned; where a mark comes out as a parameter, each request puts its own value.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from minato.config.rest import RestSettings
from minato.http.asgi import Header
from minato.rest.parse.api_request import ApiRequest, RawRequest, parse_request
from minato.rest.parse.literals import MARK, Literals, mark, read_literals
from minato.rest.parse.media_type import JSON
from minato.rest.parse.payload import Payload, parse_payload
from minato.rest.parse.query_string import decode, embed_path
from minato.rest.parse.ranges import ALL_ROWS, Bounds, RowRange, embed_window, top_window
from minato.rest.plan.action import ActionPlan
from minato.rest.sql.statement import Statement

LIST_MARK = f'{{"{MARK}'
WHOLE = re.compile(rf'{MARK}\d+{MARK}|\{{"{MARK}\d+{MARK}"\}}')
SHAPING_HEADERS = frozenset({b"accept", b"accept-profile", b"content-profile", b"prefer"})
MAX_FIXED_BYTES = 4000
MAX_SHAPES = 500
LONGEST_QUESTION = 500

SHAPING = "rest.shaping"

Key = tuple[object, ...]


class Shaping(NamedTuple):
    """The headers that belong to a shape, and the window that a header asks for."""

    kept: tuple[Header, ...]
    range: str | None


class Shape(NamedTuple):
    """`key` is equal for requests of one shape; `values` are in the order of the marks: the body, literals, windows.

    `windows` are those of `limit`, `offset` and Range by what stands before them; `top_range` is the target's own, not
    cut to the settings' maximum.
    """

    key: Key
    values: tuple[str, ...]
    literals: Literals
    windows: dict[str, RowRange]
    top_range: RowRange
    has_body: bool


class Compiled(NamedTuple):
    """What was planned; `statement` is None when nothing needs to run, and may hold marks where values belong."""

    request: ApiRequest
    plan: ActionPlan
    statement: Statement | None

    def filled(self, shape: Shape) -> Compiled:
        """The same with the values of one request."""
        given, values = self.statement, shape.values
        if given is None:
            return self
        estimate = given.estimate
        if estimate is not None:
            estimate = estimate._replace(values=_fill(estimate.values, values))
        statement = Statement(given.text, _fill(given.values, values), estimate, given.exact_up_to, given.explains)
        # Of the window the answer tells only where it begins.
        is_same = shape.top_range.offset == self.request.top_range.offset
        request = self.request if is_same else replace(self.request, top_range=shape.top_range)
        return Compiled(request, self.plan, statement)


class PlanCache:
    """What was planned last, for one schema cache; another one begins anew."""

    def __init__(self) -> None:
        self._basis: object = None
        self._known: OrderedDict[Key, Compiled] = OrderedDict()

    def find(self, key: Key, basis: object) -> Compiled | None:
        """What was planned for `key` against `basis`, the schema cache of now."""
        if basis is not self._basis:
            return None
        found = self._known.get(key)
        if found is not None:
            self._known.move_to_end(key)
        return found

    def keep(self, key: Key, basis: object, compiled: Compiled) -> None:
        """Remember it."""
        if basis is not self._basis:
            self._basis = basis
            self._known.clear()
        self._known[key] = compiled
        if len(self._known) > MAX_SHAPES:
            self._known.popitem(last=False)


def is_shared(compiled: Compiled) -> bool:
    """Whether it is a plan for all of its shape: not where a mark became part of something else, where no value may
    ever stand, nor one that is shown, which has the numbers of one request's windows."""
    given = compiled.statement
    return given is None or (not given.explains and _is_template(given))


def question_of(raw: RawRequest, max_rows: int | None) -> Key | None:
    """What is equal for requests that ask for the very same, as a list that many look at; None for a body or a long
    query.

    >>> question_of(RawRequest("GET", b"/cars", b"id=eq.7", [(b"prefer", b"count=exact"), (b"host", b"x")]), 1000)
    ('GET', b'/cars', b'id=eq.7', ((b'prefer', b'count=exact'),), None, 1000)
    """
    if raw.method not in ("GET", "HEAD") or len(raw.query) > LONGEST_QUESTION:
        return None
    shaping = _shaping(raw)
    return raw.method, raw.path, raw.query, shaping.kept, shaping.range, max_rows


def shape_of(raw: RawRequest, max_rows: int | None) -> Shape | None:
    """The shape of `raw`, or None where its values may decide the plan. Raises RestError.

    >>> shape = shape_of(RawRequest("GET", b"/cars", b"id=eq.7&order=id&limit=5", []), 1000)
    >>> shape.values, shape.key[2]
    (('7', '5', '0'), ((b'id', 'eq.\ue000'), b'order=id'))
    """
    if not _has_shape(raw):
        return None
    is_function = raw.path.startswith(b"/rpc/")
    literals = read_literals(raw.query, takes_arguments=is_function and raw.method in ("GET", "HEAD"))
    if len(raw.query) > MAX_FIXED_BYTES and literals.fixed_size > MAX_FIXED_BYTES:
        return None
    body = _body(raw, literals, is_function)
    windows, top_range = _windows(raw, literals, max_rows)
    body_key = (body.keys, body.is_array) if body else None
    window_key = tuple((prefix, rows.is_all, rows.limit is None, rows.ceiling) for prefix, rows in windows.items())
    key = (
        raw.method,
        raw.path,
        tuple(literals.parts),
        _shaping(raw).kept,
        body_key,
        tuple(literals.window_names),
        window_key,
    )
    values = ((body.text,) if body else ()) + tuple(literals.values)
    for rows in windows.values():
        values += (str(rows.limit), str(rows.offset))
    return Shape(key, values, literals, windows, top_range, body is not None)


def template_of(raw: RawRequest, shape: Shape, settings: RestSettings) -> ApiRequest | None:
    """The request of `shape` with marks for its values; None where two names of windows mean one. Raises RestError."""
    first = 1 if shape.has_body else 0
    request = parse_request(raw._replace(query=shape.literals.query(first)), settings)
    if request.payload is not None:
        request = replace(request, payload=replace(request.payload, text=mark(0)))
    number = first + len(shape.literals.values)
    bounds = {}
    for prefix, rows in shape.windows.items():
        path = embed_path(f"{prefix}.limit") if prefix else ()
        limit = None if rows.limit is None else mark(number)
        bounds[path] = Bounds(limit, mark(number + 1), rows.ceiling)
        number += 2
    return replace(request, bounds=bounds) if len(bounds) == len(shape.windows) else None


def _shaping(raw: RawRequest) -> Shaping:
    """What the headers say of the shape; for a repeated list it is told once."""
    repeated = raw.repeated
    told = repeated.made.get(SHAPING) if repeated is not None else None
    if not isinstance(told, Shaping):
        kept = tuple(header for header in raw.headers if header[0] in SHAPING_HEADERS)
        told = Shaping(kept, raw.header(b"range"))
        if repeated is not None:
            repeated.made[SHAPING] = told
    return told


def _has_shape(raw: RawRequest) -> bool:
    query = raw.query
    # Only what begins with the byte EE, or %EE, can be a mark.
    if (b"\xee" in query or (b"%" in query and b"%ee" in query.lower())) and MARK in decode(query):
        return False
    if raw.method in ("GET", "HEAD", "DELETE"):
        return True
    content_type = (raw.header(b"content-type") or "application/json").partition(";")[0].strip()
    return raw.method in ("POST", "PATCH", "PUT") and content_type == "application/json"


def _body(raw: RawRequest, literals: Literals, is_function: bool) -> Payload | None:
    """What of the body decides the plan: its keys, unless the query names the columns."""
    if raw.method not in ("POST", "PATCH", "PUT"):
        return None
    columns = () if literals.columns and raw.method != "PUT" else None
    return parse_payload(raw.body, JSON, columns, is_function)


def _windows(raw: RawRequest, literals: Literals, max_rows: int | None) -> tuple[dict[str, RowRange], RowRange]:
    """The windows that were asked for, cut to `max_rows`, and the target's own as it was asked for."""
    header = _shaping(raw).range if raw.method == "GET" else None
    if header is None and not literals.windows:
        return {}, ALL_ROWS
    windows: dict[str, RowRange] = {}
    own = literals.windows.get("", {})
    top_range = top_window(own.get("limit"), own.get("offset"), header)
    if own or header is not None:
        windows[""] = top_range.capped(max_rows)
    for prefix, given in literals.windows.items():
        if prefix:
            rows = embed_window(given.get("limit"), given.get("offset"))
            windows[prefix] = rows if rows.limit is None else rows.capped(max_rows)
    return windows, top_range


def _fill(template: Sequence[str | bytes], values: Sequence[str]) -> tuple[str | bytes, ...]:
    return tuple(_filled(each, values) if type(each) is str else each for each in template)


def _filled(each: str, values: Sequence[str]) -> str:
    if each[:1] == MARK:
        return values[int(each[1:-1])]
    return values[int(each[3:-3])] if each[:3] == LIST_MARK else each


def _is_template(statement: Statement) -> bool:
    """Whether every mark is a parameter of its own, or the one element of a list that is one."""
    if MARK in statement.text:
        return False
    with_marks = (each for each in statement.values if isinstance(each, str) and MARK in each)
    is_alone = all(WHOLE.fullmatch(each) for each in with_marks)
    return is_alone and (statement.estimate is None or _is_template(statement.estimate))
