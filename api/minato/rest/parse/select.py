"""The grammar of `select` and `columns`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from minato.rest.parse.names import parse_field, parse_identifier, parse_name
from minato.rest.parse.scanner import ParseFailure, Scanner, parsed
from minato.rest.parse.syntax import Field, SelectField, SelectItem, SelectRelation

AGGREGATES = ("sum", "avg", "count", "max", "min")


def parse_select(text: str) -> tuple[SelectItem, ...]:
    """What `select` asks for; what can't even begin an item is nothing. Raises PGRST100.

    >>> parse_select("id,n:name::text")
    (SelectField(field=Field(name='id', path=()), alias=None, cast=None, aggregate=None, aggregate_cast=None), \
SelectField(field=Field(name='name', path=()), alias='n', cast='text', aggregate=None, aggregate_cast=None))
    >>> item, = parse_select("a:cars!fk!inner(id)")
    >>> item.name, item.alias, item.hint, item.inner, len(item.items)
    ('cars', 'a', 'fk', True, 1)
    """
    return parsed(text, f"select parameter ({text})", _items)


def parse_columns(text: str, what: str) -> tuple[str, ...]:
    """A list of column names, of `columns` or `on_conflict`. Raises PGRST100.

    >>> parse_columns('id,"a b"', "columns parameter")
    ('id', 'a b')
    """

    def names(scanner: Scanner) -> list[str]:
        return scanner.separated(lambda: parse_name(scanner), lambda: _comma(scanner))

    return tuple(dict.fromkeys(parsed(text, f"{what} ({text})", names)))


def _comma(scanner: Scanner) -> None:
    scanner.blanks()
    scanner.string(",")
    scanner.blanks()


def _items(scanner: Scanner) -> tuple[SelectItem, ...]:
    def listed() -> list[SelectItem]:
        return scanner.separated(lambda: _item(scanner), lambda: _comma(scanner))

    return tuple(scanner.optional(listed) or ())


def _item(scanner: Scanner) -> SelectItem:
    if not scanner.may_come("("):
        return _field(scanner)
    readings: tuple[Callable[[], SelectItem], ...] = (
        lambda: _relation(scanner, _spread),
        lambda: _relation(scanner, _named),
        lambda: _field(scanner),
    )
    return scanner.choice(*readings)


def _relation(scanner: Scanner, head: Callable[[Scanner], SelectRelation]) -> SelectRelation:
    relation = scanner.attempt(lambda: head(scanner))
    scanner.string("(")
    with scanner.nested():
        items = _items(scanner)
    scanner.string(")")
    return SelectRelation(relation.name, relation.alias, relation.hint, relation.inner, relation.spread, items)


def _spread(scanner: Scanner) -> SelectRelation:
    scanner.blanks()
    scanner.string("...")
    name = parse_name(scanner)
    return _before_items(scanner, name, None, spread=True)


def _named(scanner: Scanner) -> SelectRelation:
    scanner.blanks()
    alias = _alias(scanner)
    name = parse_name(scanner)
    if name == "count":
        raise ParseFailure(scanner.account)
    return _before_items(scanner, name, alias, spread=False)


def _before_items(scanner: Scanner, name: str, alias: str | None, *, spread: bool) -> SelectRelation:
    """The hint and the kind of join, in any order, before the parenthesis."""
    given = [scanner.optional(lambda: _embed_parameter(scanner), "!") for _ in range(2)]
    scanner.attempt(lambda: scanner.ahead("("))
    hint = next((hint for hint, _ in filter(None, given) if hint is not None), None)
    join = next((join for _, join in filter(None, given) if join is not None), None)
    return SelectRelation(name, alias, hint, join == "inner", spread)


def _embed_parameter(scanner: Scanner) -> tuple[str | None, str | None]:
    """A hint or a kind of join, which is a whole word: a constraint may be called "left_fk"."""
    scanner.string("!")
    joins = (partial(scanner.attempt, partial(_join, scanner, word)) for word in ("left", "inner"))
    return scanner.choice(*joins, lambda: (scanner.attempt(lambda: parse_name(scanner)), None))


def _join(scanner: Scanner, word: str) -> tuple[str | None, str | None]:
    scanner.string(word)
    scanner.not_followed_by(lambda character: character.isalnum() or character in "_$-")
    return None, word


def _alias(scanner: Scanner) -> str | None:
    def named() -> str:
        name = parse_name(scanner)
        scanner.string(":")
        scanner.not_followed_by(":".__eq__, '":"')
        return name

    return scanner.optional(lambda: scanner.attempt(named)) if scanner.may_come(":") else None


def _field(scanner: Scanner) -> SelectField:
    scanner.blanks()
    readings: list[Callable[[], SelectField]] = [lambda: scanner.attempt(lambda: _everything(scanner))]
    if scanner.may_come("count()"):
        readings.append(lambda: scanner.attempt(lambda: _count(scanner)))
    field = scanner.choice(*readings, lambda: _column(scanner))
    scanner.blanks()
    return field


def _everything(scanner: Scanner) -> SelectField:
    scanner.string("*")
    scanner.end_or(")", ",")
    return SelectField(Field("*"))


def _count(scanner: Scanner) -> SelectField:
    alias = _alias(scanner)
    scanner.string("count()")
    cast = _cast(scanner)
    scanner.end_or(")", ",")
    return SelectField(Field("*"), alias, None, "count", cast)


def _column(scanner: Scanner) -> SelectField:
    alias = _alias(scanner)
    field = parse_field(scanner)
    cast = _cast(scanner)
    aggregate = scanner.optional(lambda: scanner.attempt(lambda: _aggregate(scanner)), ".")
    aggregate_cast = _cast(scanner)
    scanner.end_or(")", ",")
    return SelectField(field, alias, cast, aggregate, aggregate_cast if aggregate else None)


def _cast(scanner: Scanner) -> str | None:
    def cast() -> str:
        scanner.string("::")
        return parse_identifier(scanner)

    return scanner.optional(cast, ":")


def _aggregate(scanner: Scanner) -> str:
    scanner.string(".")
    # Two begin alike, so they are attempts.
    first, last = AGGREGATES[:3], AGGREGATES[3:]
    name = scanner.choice(
        *(partial(scanner.string, word) for word in first),
        *(partial(scanner.attempt, partial(scanner.string, word)) for word in last),
    )
    scanner.string("()")
    return name
