"""The shape of a request: all of it but its values. Requests of one shape share one plan and one statement.

A value that can't change what is planned (the operand of `eq` and the like, a list of `in`, a JSON body with the same
keys) is replaced by a mark before planning; where the mark comes out as a parameter, each request puts its own value.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from minato.database.identifiers import array_literal
from minato.rest.parse.api_request import ApiRequest, RawRequest
from minato.rest.parse.payload import Payload, parse_json_payload
from minato.rest.parse.query_string import decode, is_filter
from minato.rest.plan.action import ActionPlan
from minato.rest.sql.statement import Statement

# A mark is a number between two private-use characters; who sends such a character gets a plan of their own.
MARK = "\ue000"
MARK_BYTES, MARK_ESCAPED = b"\xee\x80\x80", b"%EE%80%80"
LIST_MARK = f'{{"{MARK}'
# Operators whose operand is one parameter, whatever it says.
SIMPLE = frozenset(
    b"eq neq gt gte lt lte match imatch isdistinct cs cd ov sl sr nxr nxl adj fts plfts phfts wfts".split()
)
PATTERNS = frozenset({b"like", b"ilike"})
WHOLE = re.compile(rf'{MARK}\d+{MARK}|\{{"{MARK}\d+{MARK}"\}}')
# A list that needs no parser: nothing quoted, no blank that is skipped. An empty one is planned otherwise.
PLAIN_LIST = re.compile(r'\((?!\s)([^")]+)\)')
SHAPING_HEADERS = frozenset({b"accept", b"accept-profile", b"content-profile", b"prefer", b"range"})
MAX_QUERY_BYTES = 2000
MAX_SHAPES = 500

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """`key` is equal for requests of one shape. `query` has marks in place of `values`; `payload` likewise."""

    key: Key
    query: bytes
    values: tuple[str, ...]
    payload: Payload | None


@dataclass(frozen=True, slots=True)
class Compiled:
    """What was planned; `statement` is None when nothing needs to run, and may hold marks where values belong."""

    request: ApiRequest
    plan: ActionPlan
    statement: Statement | None

    def filled(self, values: Sequence[str]) -> Compiled:
        """The same with the values of one request."""
        given = self.statement
        if given is None:
            return self
        estimate = given.estimate
        if estimate is not None:
            estimate = replace(estimate, values=_fill(estimate.values, values))
        statement = Statement(given.text, _fill(given.values, values), estimate, given.exact_up_to, given.explains)
        return Compiled(self.request, self.plan, statement)


class ShapeCache:
    """The plans of the shapes seen last, for one schema cache; another one begins anew."""

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

    def keep(self, key: Key, basis: object, compiled: Compiled) -> bool:
        """Remember it; False when a mark became part of something else, where no value may ever stand."""
        if compiled.statement is not None and not _is_template(compiled.statement):
            return False
        if basis is not self._basis:
            self._basis = basis
            self._known.clear()
        self._known[key] = compiled
        if len(self._known) > MAX_SHAPES:
            self._known.popitem(last=False)
        return True


def shape_of(raw: RawRequest) -> Shape | None:
    """The shape of `raw`, or None where the values decide the plan.

    >>> shape = shape_of(RawRequest("GET", b"/cars", b"id=eq.7&order=id", []))
    >>> shape.values, shape.key[2]
    (('7',), (b'id=eq.', b'order=id'))
    """
    if not _has_shape(raw):
        return None
    payload = None
    values: list[str] = []
    if raw.method in ("POST", "PATCH"):
        body = b"{}" if raw.path.startswith(b"/rpc/") and not raw.body.strip() else raw.body
        read = parse_json_payload(body)
        values.append(read.text)
        payload = replace(read, text=_mark(0))
    fixed, marked = _split_values(raw.query, values)
    headers = tuple(header for header in raw.headers if header[0] in SHAPING_HEADERS)
    body_key = (payload.keys, payload.is_array) if payload else None
    return Shape((raw.method, raw.path, fixed, headers, body_key), marked, tuple(values), payload)


def _has_shape(raw: RawRequest) -> bool:
    query = raw.query
    if len(query) > MAX_QUERY_BYTES or b";" in query or MARK_BYTES in query or MARK_ESCAPED in query.upper():
        return False
    if raw.method in ("GET", "HEAD", "DELETE"):
        # The arguments of a function called by GET stand in the query.
        return not raw.path.startswith(b"/rpc/")
    is_json = (raw.header(b"content-type") or "application/json").partition(";")[0].strip() == "application/json"
    return raw.method in ("POST", "PATCH") and is_json and b"columns" not in query and b"%" not in query


def _split_values(query: bytes, values: list[str]) -> tuple[tuple[bytes, ...], bytes]:
    """The parts of the query without values, and the query with marks; the values are added to `values`."""
    fixed: list[bytes] = []
    marked: list[bytes] = []
    for part in query.split(b"&") if query else ():
        name, _, value = part.partition(b"=")
        negation, value = (b"not.", value[4:]) if value.startswith(b"not.") else (b"", value)
        operator, dot, operand = value.partition(b".")
        given = _value(operator, operand) if dot and b"%" not in name and b"+" not in name else None
        if given is not None and is_filter(name.decode("latin-1")):
            start = name + b"=" + negation + operator + b"."
            mark = _mark(len(values)).encode()
            fixed.append(start)
            marked.append(start + (b"(" + mark + b")" if operator == b"in" else mark))
            values.append(given)
        else:
            fixed.append(part)
            marked.append(part)
    return tuple(fixed), b"&".join(marked)


def _value(operator: bytes, operand: bytes) -> str | None:
    """The parameter that `operand` becomes, as `sql.operators` makes it; None where it may decide the plan."""
    if operator in SIMPLE:
        return decode(operand)
    if operator in PATTERNS:
        return decode(operand).replace("*", "%")
    listed = PLAIN_LIST.fullmatch(decode(operand)) if operator == b"in" else None
    return array_literal(listed[1].split(",")) if listed else None


def _mark(number: int) -> str:
    return f"{MARK}{number}{MARK}"


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
