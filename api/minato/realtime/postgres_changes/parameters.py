"""The grammar of a postgres_changes entry: event, schema, table, filter, select.

Parsing knows no database; whether the columns exist and the values fit is `registration`'s to find out. The grammar is
that of supabase/realtime, `postgres_cdc_rls/subscriptions.ex`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import orjson

from minato.json_text import JsonMapping
from minato.realtime.change_feed.base import Action
from minato.realtime.errors import NO_SUBSCRIPTION, SubscriptionRefused

ANY = "*"
OPERATORS = frozenset(
    ("eq", "neq", "lt", "lte", "gt", "gte", "in", "like", "ilike", "is", "match", "imatch", "isdistinct")
)
# Those whose value is a client's pattern.
PATTERNS = frozenset(("like", "ilike", "match", "imatch"))
BAD_SELECT = 'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]'
WILDCARD_SELECT = (
    "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name."
)


@dataclass(frozen=True)
class Filter:
    """One condition. `value` is text; for `in` it is an array literal, for `is` a keyword."""

    column: str
    operator: str
    value: str
    negated: bool = False


@dataclass(frozen=True)
class Parameters:
    """What one entry asks for; `schema` and `table` are LIKE patterns or `*`, `event` is `*` or an action."""

    event: str
    schema: str
    table: str
    filters: tuple[Filter, ...] = ()
    select: tuple[str, ...] | None = None

    @cached_property
    def patterns(self) -> tuple[Filter, ...]:
        """The filters that are patterns."""
        return tuple(f for f in self.filters if f.operator in PATTERNS)

    @cached_property
    def comparisons(self) -> tuple[Filter, ...]:
        """The others."""
        return tuple(f for f in self.filters if f.operator not in PATTERNS)

    def __str__(self) -> str:
        """As the reference prints them in its error texts."""
        filters = [(f.column, f.operator, f.value, f.negated) for f in self.filters]
        select = list(self.select) if self.select is not None else None
        return (
            f"event: {self.event}, schema: {self.schema}, table: {self.table}, "
            f"filters: {inspect_term(filters)}, select: {inspect_term(select)}"
        )


def parse_parameters(entry: JsonMapping) -> Parameters:
    """The parameters of an entry. Raises SubscriptionRefused.

    >>> parse_parameters({"schema": "public", "table": "cars", "filter": "price=gt.10"}).filters
    (Filter(column='price', operator='gt', value='10', negated=False),)
    """
    select = _parse_select(entry.get("select"))
    schema, table = _names(entry)
    filters = parse_filters(entry["filter"]) if "filter" in entry else ()
    if select is not None and ANY in (schema, table):
        raise SubscriptionRefused(WILDCARD_SELECT)
    return Parameters(_event(entry.get("event")), schema, table, filters, select)


def _names(entry: JsonMapping) -> tuple[str, str]:
    given = {name for name in ("schema", "table", "filter") if name in entry}
    texts = all(isinstance(entry[name], str) for name in given)
    if texts and given >= {"schema", "table"}:
        return entry["schema"], entry["table"]
    if texts and given == {"schema"}:
        return entry["schema"], ANY
    if texts and given == {"table"}:
        return "public", entry["table"]
    secret = "user_token" in entry or "auth_token" in entry
    raise SubscriptionRefused(NO_SUBSCRIPTION.format(params="<redacted>" if secret else inspect_term(dict(entry))))


def _event(event: object) -> str:
    wanted = event.upper() if isinstance(event, str) else ANY
    return wanted if wanted in Action.__members__ else ANY


def _parse_select(select: object) -> tuple[str, ...] | None:
    if isinstance(select, str):
        raise SubscriptionRefused(BAD_SELECT)
    names = tuple(name for name in select if isinstance(name, str)) if isinstance(select, list) else ()
    return names or None


def parse_filters(text: str) -> tuple[Filter, ...]:
    """The conditions of a filter, all of which must hold. Raises SubscriptionRefused.

    >>> [f.value for f in parse_filters('id=in.(1,2),name=not.eq."a,b"')]
    ['{1,2}', 'a,b']
    """
    if not text.strip():
        return ()
    return tuple(_parse_filter(segment.strip()) for segment in split_conditions(text.strip()))


def split_conditions(text: str) -> Iterator[str]:
    """Split at the commas outside parentheses and outside quotes that start right after `.`, `(` or `,`."""
    start, depth, quoted, previous = 0, 0, False, ""
    position = 0
    while position < len(text):
        char = text[position]
        if quoted:
            position += char == "\\"
            quoted = char != '"'
        elif char == '"' and previous in (".", "(", ","):
            quoted = True
        elif char == "(":
            depth += 1
        elif char == ")":
            depth = max(0, depth - 1)
        elif char == "," and depth == 0:
            yield text[start:position]
            start, char = position + 1, ""
        previous = char
        position += 1
    yield text[start:]


def _parse_filter(segment: str) -> Filter:
    if not segment:
        raise _bad_filter("filter must not contain empty segments (check for extra commas)")
    column, equals, rest = segment.partition("=")
    if not equals:
        raise _bad_filter(inspect_term([segment]))
    negated = rest.startswith("not.")
    condition = rest.removeprefix("not.")
    operator, dot, value = condition.partition(".")
    if not dot:
        raise _bad_filter(inspect_term([condition]))
    if operator not in OPERATORS:
        raise _bad_filter(inspect_term([operator, value]))
    return Filter(column, operator, _array_literal(value) if operator == "in" else _unquote(value), negated)


def _array_literal(value: str) -> str:
    if len(value) < 2 or value[0] != "(" or value[-1] != ")":
        raise _bad_filter("`in` filter value must be wrapped by parentheses")
    return "{" + value[1:-1] + "}"


def _unquote(value: str) -> str:
    """A value that is quoted as a whole, without its quotes; anything else as it is."""
    if len(value) < 2 or value[0] != '"':
        return value
    plain, position = [], 1
    while position < len(value) - 1:
        if value[position] == '"':
            return value
        position += value[position] == "\\"
        plain.append(value[position])
        position += 1
    return "".join(plain) if position == len(value) - 1 and value[-1] == '"' else value


def _bad_filter(reason: str) -> SubscriptionRefused:
    return SubscriptionRefused(f"Error parsing `filter` params: {reason}")


def inspect_term(value: object) -> str:
    """A JSON value as an Elixir term, as the reference prints it in its error texts.

    >>> inspect_term({"a": ["x", 1, None, True]})
    '%{"a" => ["x", 1, nil, true]}'
    """
    if isinstance(value, dict):
        pairs = ", ".join(f"{inspect_term(key)} => {inspect_term(item)}" for key, item in sorted(value.items()))
        return "%{" + pairs + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inspect_term, value)) + "]"
    if isinstance(value, tuple):
        return "{" + ", ".join(map(inspect_term, value)) + "}"
    return "nil" if value is None else orjson.dumps(value).decode()
