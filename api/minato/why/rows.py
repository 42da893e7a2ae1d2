"""The rows an attempt is about, as PostgreSQL's text of arrays: found ones, proposed ones, and what a conflict makes.

A role that no policy counts for reads them. Rows that a trigger changes first are written, and taken back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from minato.database.identifiers import quote_identifier, quote_qualified
from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.why.attempt import Attempt, Upsert
from minato.why.facts import Column, Facts
from minato.why.rules import Rows

# So many rows are looked at; counted are a few more.
SAMPLE: Final = 50
COUNTED: Final = 1000
# RETURNING knows the row as it was from here on.
RETURNS_OLD: Final = 180000


Asked = tuple[Rows, Rows | None]


@dataclass(frozen=True)
class Sample:
    """The rows of an attempt by kind, each an array in PostgreSQL's text form, and how many of a kind there are."""

    arrays: dict[Rows, str]
    counts: dict[Rows, int]


def sample_of(asked: list[Asked], results: list[list[Row]]) -> Sample:
    """What `sample_commands` found."""
    sample = Sample({}, {})
    for (first, second), rows in zip(asked, results, strict=True):
        count, *arrays = rows[0]
        for kind, array in zip((first, second), arrays, strict=False):
            if kind is not None:
                sample.arrays[kind] = (array or b"{}").decode()
                sample.counts[kind] = int(count or 0)
    return sample


def sample_commands(attempt: Attempt, facts: Facts, by_trigger: bool) -> list[tuple[Asked, Command]]:
    """What to ask for the rows, and of which kinds the answers are; `by_trigger` writes them."""
    values = attempt.parameters
    if attempt.command == "INSERT":
        proposed = _inserted(attempt) if by_trigger else _listed(_proposed(attempt, facts), facts)
        commands: list[tuple[Asked, Command]] = [((Rows.NEW, None), Command(proposed, values, "why"))]
        if attempt.upsert is not None and attempt.upsert.merges:
            merged = Command(_merged(attempt, attempt.upsert, facts), values, "why")
            commands.append(((Rows.FOUND, Rows.MERGED), merged))
        return commands
    if attempt.command == "SELECT" and attempt.written:
        return [((Rows.NEW, None), Command(_listed(_proposed(attempt, facts), facts), values, "why"))]
    if attempt.command == "UPDATE":
        written = _updated(attempt) if by_trigger else _changed(attempt, facts)
        return [((Rows.FOUND, Rows.NEW), Command(written, values, "why"))]
    return [((Rows.FOUND, None), Command(_found(attempt), values, "why"))]


def can_write(attempt: Attempt, facts: Facts) -> bool:
    """Whether the rows can be had as triggers leave them."""
    return bool(facts.triggers) and (attempt.command == "INSERT" or facts.version >= RETURNS_OLD)


def _table(attempt: Attempt) -> str:
    return quote_qualified(*attempt.table)


def _condition(attempt: Attempt) -> str:
    return f" WHERE {attempt.where}" if attempt.where else ""


def _found(attempt: Attempt) -> str:
    table = _table(attempt)
    return _arrays(f"SELECT ({table}.*)::{table} AS o FROM {table}{_condition(attempt)} LIMIT {COUNTED + 1}", "o")


def _changed(attempt: Attempt, facts: Facts) -> str:
    """The rows as they are and as they would be. What is generated is made of the new values."""
    table, alias = _table(attempt), quote_identifier(attempt.table.name)
    plain = [
        f"{attempt.written.get(each.name, f'{table}.{quote_identifier(each.name)}')}::{each.type}"
        f" AS {quote_identifier(each.name)}"
        for each in facts.columns
        if not each.generated
    ]
    source = f", {attempt.source}" if attempt.source else ""
    inner = f'SELECT ({table}.*)::{table} AS "minato was", {", ".join(plain)} FROM {table}{source}{_condition(attempt)}'
    rows = f'SELECT "minato was" AS o, {_row(facts)} AS n FROM ({inner}) AS {alias} LIMIT {COUNTED + 1}'
    return _arrays(rows, "o", "n")


def _proposed(attempt: Attempt, facts: Facts) -> str:
    """The rows of an INSERT, defaults filled in; what a sequence would give is null."""
    plain = [
        f"{attempt.written.get(each.name, _default(each))}::{each.type} AS {quote_identifier(each.name)}"
        for each in facts.columns
        if not each.generated
    ]
    source = f" FROM {attempt.source}" if attempt.source else ""
    return f"SELECT {', '.join(plain)}{source}{_condition(attempt)}"


def _default(column: Column) -> str:
    return "NULL" if column.default is None or "nextval(" in column.default else f"({column.default})"


def _listed(proposed: str, facts: Facts) -> str:
    row, alias = _row(facts), quote_identifier(facts.table.name)
    return _arrays(f"SELECT {row} AS n FROM ({proposed}) AS {alias} LIMIT {COUNTED + 1}", "n")


def _merged(attempt: Attempt, upsert: Upsert, facts: Facts) -> str:
    """The rows that a conflict finds, and what DO UPDATE makes of them."""
    table = _table(attempt)
    on = " AND ".join(f'{table}.{name} = "minato new".{name}' for name in map(quote_identifier, upsert.key))
    excluded = {name: f'"minato new".{quote_identifier(name)}' for name in attempt.written}
    source = f'({_proposed(attempt, facts)}) AS "minato new"'
    return _changed(replace(attempt, written=excluded, source=source, where=on), facts)


def _inserted(attempt: Attempt) -> str:
    table = _table(attempt)
    names = ", ".join(map(quote_identifier, attempt.written))
    into = f"INSERT INTO {table} ({names})" if names else f"INSERT INTO {table}"
    values = ", ".join(attempt.written.values())
    source = f" FROM {attempt.source}" if attempt.source else ""
    written = f"{into} SELECT {values}{source}{_condition(attempt)} RETURNING ({table}.*)::{table} AS n"
    return _arrays_of_written(written, "n")


def _updated(attempt: Attempt) -> str:
    table = _table(attempt)
    assigned = ", ".join(f"{quote_identifier(name)} = {value}" for name, value in attempt.written.items())
    source = f" FROM {attempt.source}" if attempt.source else ""
    shown = f"(old.*)::{table} AS o, (new.*)::{table} AS n"
    return _arrays_of_written(f"UPDATE {table} SET {assigned}{source}{_condition(attempt)} RETURNING {shown}", "o", "n")


def _row(facts: Facts) -> str:
    """A row of the table, of columns that have their own names."""
    values = [f"({each.default})" if each.generated else quote_identifier(each.name) for each in facts.columns]
    return f"ROW({', '.join(values)})::{quote_qualified(*facts.table)}"


def _arrays(rows: str, *names: str) -> str:
    shown = ", ".join(f"(pg_catalog.array_agg({name}) FILTER (WHERE place <= {SAMPLE}))::text" for name in names)
    return f"SELECT count(*)::text, {shown} FROM (SELECT *, row_number() OVER () AS place FROM ({rows}) AS r) AS s"


def _arrays_of_written(written: str, *names: str) -> str:
    rows = f"SELECT {', '.join(names)} FROM written"
    return f"WITH written AS ({written}) {_arrays(rows, *names)}"
