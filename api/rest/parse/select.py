"""The grammar of `select` and `columns`."""

from __future__ import annotations

from api.rest.parse.names import parse_field, parse_name, parse_type
from api.rest.parse.scanner import ParseFailure, Scanner
from api.rest.parse.syntax import Field, SelectField, SelectItem, SelectRelation

AGGREGATES = ("sum", "avg", "count", "max", "min")


def parse_select(text: str) -> tuple[SelectItem, ...]:
    """What `select` asks for. Raises PGRST100.

    >>> parse_select("id,n:name::text")
    (SelectField(field=Field(name='id', path=()), alias=None, cast=None, aggregate=None, aggregate_cast=None), \
SelectField(field=Field(name='name', path=()), alias='n', cast='text', aggregate=None, aggregate_cast=None))
    >>> item, = parse_select("a:cars!fk!inner(id)")
    >>> item.name, item.alias, item.hint, item.inner, len(item.items)
    ('cars', 'a', 'fk', True, 1)
    """
    scanner = Scanner(text)
    try:
        items = _items(scanner)
        if not scanner.at_end:
            raise scanner.fail('","', "end of input")
    except ParseFailure:
        raise scanner.error(f"select parameter ({text})") from None
    return items


def parse_columns(text: str, what: str) -> tuple[str, ...]:
    """A list of column names, of `columns` or `on_conflict`. Raises PGRST100.

    >>> parse_columns('id,"a b"', "columns parameter")
    ('id', 'a b')
    """
    scanner = Scanner(text)
    try:
        names = [parse_name(scanner)]
        while not scanner.at_end:
            scanner.skip_blanks()
            scanner.expect(",")
            scanner.skip_blanks()
            names.append(parse_name(scanner))
    except ParseFailure:
        raise scanner.error(f"{what} ({text})") from None
    return tuple(dict.fromkeys(names))


def _items(scanner: Scanner) -> tuple[SelectItem, ...]:
    scanner.skip_blanks()
    if scanner.at_end or scanner.peek(")"):
        return ()
    items = [_item(scanner)]
    while True:
        scanner.skip_blanks()
        if not scanner.take(","):
            return tuple(items)
        scanner.skip_blanks()
        items.append(_item(scanner))


def _item(scanner: Scanner) -> SelectItem:
    start, remembered = scanner.position, scanner.remembered()
    relation = _relation(scanner)
    if relation is not None:
        return relation
    scanner.forget(start, remembered)
    return _field(scanner)


def _relation(scanner: Scanner) -> SelectRelation | None:
    """The relation that begins here, or None when it turns out to be a plain field."""
    spread = scanner.peek("...")
    if spread:
        scanner.position += 3
    try:
        alias = None if spread else _alias(scanner)
        name = parse_name(scanner)
        hint, inner = _embed_parameters(scanner)
    except ParseFailure:
        return None
    if not scanner.peek("(") or (name == "count" and not spread):
        return None
    scanner.enter()
    scanner.position += 1
    items = _items(scanner)
    scanner.expect(")")
    scanner.leave()
    scanner.skip_blanks()
    return SelectRelation(name, alias, hint, inner, spread, items)


def _embed_parameters(scanner: Scanner) -> tuple[str | None, bool]:
    hint: str | None = None
    inner: bool | None = None
    for _ in range(2):
        if not scanner.take("!"):
            break
        # A whole word only: a constraint may be called "left_fk".
        word = scanner.take_any(("left", "inner"))
        if word is not None and (scanner.at_end or scanner.text[scanner.position] in "!( "):
            inner = word == "inner" if inner is None else inner
            continue
        scanner.position -= len(word or "")
        name = parse_name(scanner)
        hint = hint or name
    return hint, bool(inner)


def _alias(scanner: Scanner) -> str | None:
    start = scanner.position
    try:
        name = parse_name(scanner)
    except ParseFailure:
        scanner.position = start
        return None
    if scanner.peek(":") and not scanner.peek("::"):
        scanner.position += 1
        return name
    scanner.position = start
    return None


def _field(scanner: Scanner) -> SelectField:
    if scanner.peek("*"):
        scanner.position += 1
        _expect_end(scanner)
        return SelectField(Field("*"))
    alias = _alias(scanner)
    if scanner.peek("count()"):
        scanner.position += len("count()")
        count = SelectField(Field("*"), alias, None, "count", _cast(scanner))
        _expect_end(scanner)
        return count
    field = parse_field(scanner)
    cast = _cast(scanner)
    aggregate = _aggregate(scanner)
    aggregate_cast = _cast(scanner) if aggregate else None
    _expect_end(scanner)
    return SelectField(field, alias, cast, aggregate, aggregate_cast)


def _cast(scanner: Scanner) -> str | None:
    return parse_type(scanner) if scanner.take("::") else None


def _aggregate(scanner: Scanner) -> str | None:
    if not scanner.take("."):
        return None
    for name in AGGREGATES:
        if scanner.peek(f"{name}()"):
            scanner.position += len(name) + 2
            return name
    raise scanner.fail(*(f'"{name}"' for name in AGGREGATES))


def _expect_end(scanner: Scanner) -> None:
    scanner.skip_blanks()
    if not (scanner.at_end or scanner.peek(",") or scanner.peek(")")):
        raise scanner.fail('")"', '","', "end of input")
