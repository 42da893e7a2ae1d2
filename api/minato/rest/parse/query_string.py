"""The query string → what each parameter asks for.

Reserved names are `select`, `columns`, `on_conflict` and, at the end of a path, `order`, `limit`, `offset`, `and`,
`or`. Everything else filters, or is an argument of a function called by GET.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import quote, unquote_to_bytes

from minato.rest.parse.filters import looks_like_filter, parse_filter, parse_logic
from minato.rest.parse.names import parse_delimiter, parse_field, parse_json_path, parse_name
from minato.rest.parse.scanner import Scanner, parsed
from minato.rest.parse.select import parse_columns, parse_select
from minato.rest.parse.syntax import EmbedPath, Field, Filter, JsonStep, LogicTree, OrderTerm, SelectField, SelectItem

RESERVED = frozenset({"select", "columns", "on_conflict"})
RESERVED_LAST = frozenset({"order", "limit", "offset", "and", "or"})
UNRESERVED = re.compile(r"[A-Za-z0-9_.~-]*")
# Parameters that nobody would write otherwise: encoded again, they are the same.
PLAIN_PAIRS = re.compile(rb"[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*(?:&[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*)*")
EVERYTHING: tuple[SelectItem, ...] = (SelectField(Field("*")),)
DIRECTIONS = {"asc": "ASC", "desc": "DESC"}
NULLS = {"nullsfirst": "NULLS FIRST", "nullslast": "NULLS LAST"}


@dataclass(frozen=True)
class QueryString:
    """One parsed query. Paths say which embed a rule is for; the empty one is the target itself."""

    select: tuple[SelectItem, ...] = EVERYTHING
    filters: tuple[tuple[EmbedPath, Filter], ...] = ()
    logic: tuple[tuple[EmbedPath, LogicTree], ...] = ()
    order: tuple[tuple[EmbedPath, tuple[OrderTerm, ...]], ...] = ()
    limits: dict[EmbedPath, str] = field(default_factory=dict)
    offsets: dict[EmbedPath, str] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    on_conflict: tuple[str, ...] | None = None
    arguments: tuple[tuple[str, str], ...] = ()


def parse_query_string(raw: bytes, takes_arguments: bool = False) -> QueryString:
    """The query of one request; `takes_arguments` for GET on a function. Raises PGRST100.

    >>> query = parse_query_string(b"select=id&age=gt.3&cars.order=make&cars.limit=2")
    >>> query.filters[0][1].operation.operator, query.order[0][0], query.limits
    ('gt', ('cars',), {('cars',): '2'})
    >>> parse_query_string(b"a=1&b=eq.2", takes_arguments=True).arguments
    (('a', '1'),)
    """
    # Without "=" a parameter has no value and asks for nothing.
    pairs = split_pairs(raw)
    given = [(key, value) for key, value in pairs if value is not None]
    first = dict(reversed(pairs))
    named = [(key, value, takes_arguments and not looks_like_filter(value)) for key, value in given if is_filter(key)]
    # In the order in which the reference reads them, and so complains.
    return QueryString(
        order=tuple((embed_path(key), parse_order(value)) for key, value in given if _last(key) == "order"),
        logic=tuple(_logic(key, value) for key, value in given if _last(key) in ("and", "or")),
        columns=_columns(first, "columns"),
        select=_select(first.get("select")),
        filters=tuple(_filter(key, value) for key, value, is_argument in named if not is_argument),
        on_conflict=_columns(first, "on_conflict"),
        limits=_by_path(given, "limit"),
        offsets=_by_path(given, "offset"),
        arguments=tuple((_tree_path(key)[1].name, value) for key, value, is_argument in named if is_argument),
    )


def split_pairs(raw: bytes) -> list[tuple[str, str | None]]:
    """`a=b&c` or `a=b;c` decoded; bytes that are not UTF-8 become replacement characters, NUL (no text holds it) too.

    >>> split_pairs(b"a=1+2&b=%C3%A9&c")
    [('a', '1 2'), ('b', 'é'), ('c', None)]
    """
    pairs: list[tuple[str, str | None]] = []
    for part in raw.replace(b";", b"&").split(b"&"):
        if part:
            key, equals, value = part.partition(b"=")
            pairs.append((decode(key), decode(value) if equals else None))
    return pairs


def decode(raw: bytes) -> str:
    """One name or value as text."""
    if b"%" in raw or b"+" in raw:
        raw = unquote_to_bytes(raw.replace(b"+", b" "))
    return raw.decode("utf-8", "replace").replace("\x00", "\ufffd")


def _last(key: str) -> str:
    return key.rpartition(".")[2]


def is_filter(key: str) -> bool:
    """Whether the parameter of that name filters (or is an argument): it is not reserved."""
    return key not in RESERVED and _last(key) not in RESERVED_LAST


def _select(text: str | None) -> tuple[SelectItem, ...]:
    return (parse_select(text) if text else ()) or EVERYTHING


def _columns(first: Mapping[str, str | None], name: str) -> tuple[str, ...] | None:
    text = first.get(name)
    return None if text is None else parse_columns(text, f"{name} parameter")


def _filter(key: str, value: str) -> tuple[EmbedPath, Filter]:
    path, target = _tree_path(key)
    return path, parse_filter(target, value)


def _logic(key: str, value: str) -> tuple[EmbedPath, LogicTree]:
    *path, operator = _path(key, "logic")
    embed = tuple(part for part in path if part != "not")
    return embed, parse_logic(operator, "not" in path, value)


def embed_path(key: str) -> EmbedPath:
    """Which embed the parameter of that name is for. Raises PGRST100."""
    return _path(key)[:-1]


def _path(key: str, what: str = "tree") -> EmbedPath:
    return tuple(parsed(key, f"{what} path ({key})", _names))


def _tree_path(key: str) -> tuple[EmbedPath, Field]:
    """`a.b.column->path`: the embeds on the way and the field."""

    def read(scanner: Scanner) -> tuple[list[str], tuple[JsonStep, ...]]:
        return _names(scanner), parse_json_path(scanner)

    names, path = parsed(key, f"tree path ({key})", read)
    return tuple(names[:-1]), Field(names[-1], path)


def _names(scanner: Scanner) -> list[str]:
    return scanner.separated(lambda: parse_name(scanner), lambda: parse_delimiter(scanner), ".")


def _by_path(pairs: list[tuple[str, str]], word: str) -> dict[EmbedPath, str]:
    """What the limits or offsets say, by path."""
    return {embed_path(key): value for key, value in pairs if _last(key) == word}


def canonical_query(raw: bytes) -> str:
    """The query for Content-Location: sorted by name and encoded again, repeated names in one list.

    >>> canonical_query(b"b=eq.1&a=eq.x+y")
    'a=eq.x%20y&b=eq.1'
    """
    if PLAIN_PAIRS.fullmatch(raw):
        pairs = sorted([part.partition("=") for part in raw.decode().split("&")])
        if len({pair[0] for pair in pairs}) == len(pairs):
            return "&".join(map("".join, pairs))
    grouped: dict[str, list[str]] = {}
    for key, value in split_pairs(raw):
        grouped.setdefault(key, []).append(encode_component(value or ""))
    return "&".join([f"{encode_component(key)}={','.join(grouped[key])}" for key in sorted(grouped)])


def encode_component(text: str) -> str:
    """A name or a value for a URL; most need no encoding, and telling that is faster than doing it."""
    return text if UNRESERVED.fullmatch(text) else quote(text, safe="")


def parse_order(text: str) -> tuple[OrderTerm, ...]:
    """The terms of `order`. Raises PGRST100.

    >>> parse_order("name.desc.nullslast")
    (OrderTerm(field=Field(name='name', path=()), direction='DESC', nulls='NULLS LAST', relation=None),)
    >>> parse_order("maker(name)")[0].relation
    'maker'
    """
    return parsed(text, f"order ({text})", _terms)


def _terms(scanner: Scanner) -> tuple[OrderTerm, ...]:
    return tuple(scanner.separated(lambda: _term(scanner), lambda: scanner.string(",")))


def _term(scanner: Scanner) -> OrderTerm:
    scanner.blanks()
    readings: list[Callable[[], OrderTerm]] = [lambda: _directed(scanner, parse_field(scanner), None)]
    if scanner.may_come("("):
        readings.insert(0, lambda: scanner.attempt(lambda: _directed(scanner, *_related(scanner))))
    term = scanner.choice(*readings)
    scanner.blanks()
    return term


def _related(scanner: Scanner) -> tuple[Field, str]:
    relation = parse_name(scanner)
    scanner.string("(")
    field = parse_field(scanner)
    scanner.string(")")
    return field, relation


def _directed(scanner: Scanner, field: Field, relation: str | None) -> OrderTerm:
    direction = scanner.optional(lambda: _word(scanner, *DIRECTIONS), ".")
    nulls = scanner.choice(lambda: _nulls(scanner), lambda: scanner.end_or(","))
    return OrderTerm(field, DIRECTIONS.get(direction or "", ""), NULLS.get(nulls or "", ""), relation)


def _nulls(scanner: Scanner) -> str | None:
    word = scanner.optional(lambda: _word(scanner, *NULLS), ".")
    scanner.end_or(",")
    return word


def _word(scanner: Scanner, *words: str) -> str:
    return scanner.choice(*(partial(scanner.attempt, partial(_delimited, scanner, word)) for word in words))


def _delimited(scanner: Scanner, word: str) -> str:
    parse_delimiter(scanner)
    return scanner.string(word)
