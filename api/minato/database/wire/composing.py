"""Statements that SQLAlchemy composes, as commands of the wire, and their rows as SQLAlchemy's are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from sqlalchemy import Text
from sqlalchemy.dialects import registry
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import MultipleResultsFound, NoResultFound
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.util import LRUCache

from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.database.wire.values import as_text, row_decoder

T = TypeVar("T")
SHAPES = 500
NONE: Mapping[str, object] = {}


class Composed(NamedTuple):
    """A statement that is ready to be sent, and what its rows are read with."""

    command: Command
    shape: SQLCompiler


class Composer:
    """Compiles each shape of a statement once, as an engine of SQLAlchemy does.

    `_compile_w_cache` and its fellows are what `Connection.execute` is made of; the version is locked.
    """

    def __init__(self) -> None:
        self._dialect: Dialect = registry.load("postgresql.asyncpg")()
        self._shapes: LRUCache[Any, Any] = LRUCache(SHAPES)

    def compose(self, statement: ClauseElement, given: Mapping[str, object] = NONE) -> Composed:
        """`statement` with the values in it and those `given` by name."""
        shape, extracted, collected, _ = statement._compile_w_cache(
            self._dialect, compiled_cache=self._shapes, column_keys=sorted(given)
        )
        assert isinstance(shape, SQLCompiler), "DDL is not run here"
        values = shape.construct_params(
            given or None, extracted_parameters=extracted, escape_names=False, _collected_params=collected
        )
        text, processors = shape.string, shape._bind_processors
        places: Sequence[str] = shape.positiontup or ()
        if shape.literal_execute_params or shape.post_compile_params:
            expanded = shape._process_parameters_for_postcompile(dict(values))
            text, places = expanded.statement, expanded.positiontup or ()
            values, processors = {**values, **expanded.additional_parameters}, {**processors, **expanded.processors}
        bound = [as_text(_processed(processors.get(name), values[name])) for name in places]
        return Composed(Command(text, bound), shape)


def _processed(process: Any, value: object) -> object:
    return value if process is None else process(value)


class Rows(Generic[T]):
    """What a statement gave, in the words of SQLAlchemy's results."""

    def __init__(self, rows: Sequence[T]) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[T]:
        return iter(self._rows)

    def all(self) -> Sequence[T]:
        return self._rows

    def first(self) -> T | None:
        return self._rows[0] if self._rows else None

    def one_or_none(self) -> T | None:
        """The one row, if there is one. Raises MultipleResultsFound."""
        if len(self._rows) > 1:
            raise MultipleResultsFound("Multiple rows were found when one or none was required")
        return self.first()

    def one(self) -> T:
        """The one row. Raises NoResultFound, MultipleResultsFound."""
        row = self.one_or_none()
        if row is None:
            raise NoResultFound("No row was found when one was required")
        return row


class Result(Rows[tuple[Any, ...]]):
    """Rows as tuples, by name or by their first column; `rowcount` is how many were read or written."""

    def __init__(self, composed: Composed, rows: Sequence[Row], tag: bytes) -> None:
        columns = composed.shape._result_columns
        # Of a plain text nobody has said what it gives: its columns are text, without a name.
        kinds = [column.type for column in columns] or [Text()] * max(map(len, rows), default=0)
        decode = row_decoder(kinds)
        super().__init__([decode(row) for row in rows])
        self._names = [column.keyname for column in columns]
        self._tag = tag

    @property
    def rowcount(self) -> int:
        return int(self._tag.rpartition(b" ")[2])

    def mappings(self) -> Rows[dict[str, Any]]:
        """Each row as column → value."""
        return Rows([dict(zip(self._names, row, strict=True)) for row in self._rows])

    def scalars(self) -> Rows[Any]:
        """The first column of each row."""
        return Rows([row[0] for row in self._rows])

    def scalar(self) -> Any:
        """The first column of the first row; None without a row."""
        return self._rows[0][0] if self._rows else None

    def scalar_one(self) -> Any:
        """The first column of the one row."""
        return self.one()[0]
