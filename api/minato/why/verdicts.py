"""Each policy alone, asked of the very rows as the caller: what it says, part by part, with the values it compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from minato.conditions import Comparison, bare, comparison, parts
from minato.database.identifiers import quote_identifier, quote_qualified
from minato.database.wire.messages import Row
from minato.database.wire.session import Command, Session, StatementError
from minato.why.attempt import TableName
from minato.why.rules import Question

_TRUE: Final = b"t"
_SAVE, _BACK = Command("SAVEPOINT minato_why"), Command("ROLLBACK TO SAVEPOINT minato_why")
_CONSTANT: Final = frozenset("'0123456789")


@dataclass(frozen=True)
class Part:
    """One condition of several that AND or OR join. `sides` are what a comparison compared, as text, by its SQL."""

    text: str
    verdicts: tuple[bool, ...] = ()
    sides: tuple[dict[str, str | None], ...] = ()


@dataclass(frozen=True)
class Verdict:
    """What one policy says of each row; `error` where it could not be asked. `joined` is AND or OR, of its parts."""

    question: Question
    verdicts: tuple[bool, ...] = ()
    parts: tuple[Part, ...] = ()
    joined: str = "AND"
    error: str | None = None


@dataclass
class _Asked:
    """The columns of one question: the condition, then each part and the sides of its comparison."""

    question: Question
    joined: str
    pieces: list[tuple[str, Comparison | None]] = field(default_factory=list)

    def columns(self) -> list[str]:
        condition = self.question.condition
        assert condition is not None
        shown = [f"({condition}) IS TRUE"]
        for text, compared in self.pieces:
            shown.append(f"({text}) IS TRUE")
            shown += [f"({side})::text" for side in _sides(compared)]
        return shown

    def verdict(self, rows: Sequence[Row]) -> Verdict:
        whole = tuple(row[0] == _TRUE for row in rows)
        place, made = 1, []
        for text, compared in self.pieces:
            sides = _sides(compared)
            told = tuple({side: _text(row[place + 1 + number]) for number, side in enumerate(sides)} for row in rows)
            made.append(Part(bare(text), tuple(row[place] == _TRUE for row in rows), told))
            place += 1 + len(sides)
        return Verdict(self.question, whole, tuple(made), self.joined)


async def verdicts_on(
    session: Session, table: TableName, array: str, questions: Sequence[Question], role: str
) -> list[Verdict]:
    """What each policy says, asked in the transaction of `session`, which is the caller's. Raises OSError."""
    return [await _verdict(session, table, array, question, role) for question in questions]


async def _verdict(session: Session, table: TableName, array: str, question: Question, role: str) -> Verdict:
    if question.condition is None:
        return Verdict(question)
    error = None
    for asked in (_in_parts(question), _Asked(question, "AND")):
        text = _statement(table, asked.columns())
        try:
            results = await session.run([_SAVE, Command(text, (array,), f"why {role}")], reset=False)
        except StatementError as refused:
            await session.run([_BACK], reset=False)
            error = f"{refused.sqlstate} {refused}"
            continue
        return asked.verdict(results[-1])
    return Verdict(question, error=error)


def _statement(table: TableName, columns: Sequence[str]) -> str:
    rows = f"pg_catalog.unnest($1::text::{quote_qualified(*table)}[]) AS {quote_identifier(table.name)}"
    return f"SELECT {', '.join(columns)} FROM {rows}"


def _in_parts(question: Question) -> _Asked:
    condition = question.condition or ""
    for joined in ("AND", "OR"):
        texts = parts(condition, joined)
        if len(texts) > 1:
            break
    return _Asked(question, joined if len(texts) > 1 else "AND", [(text, comparison(text)) for text in texts])


def _sides(compared: Comparison | None) -> list[str]:
    """What is worth showing: no constants."""
    if compared is None:
        return []
    return [side for side in (compared.left, compared.right) if not _is_constant(side)]


def _is_constant(side: str) -> bool:
    return side[:1] in _CONSTANT or side in ("true", "false") or side.startswith("NULL::")


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()
