"""Each row of a list as an offer, or with what is wrong about it; and which row is which car."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final, Literal

from stock_lists.values import COLUMNS, Value, Wrong, value_of

State = Literal["new", "there", "wrong", "added", "failed"]

_REQUIRED: Final = {"car_name": "Write the brand, such as Toyota.", "model": "Write the model, such as Aqua."}
# What tells one car from another where there is no stock number. The price is not of it: it changes.
_IDENTITY: Final = (
    "car_name", "model", "variant", "year", "mileage_km", "engine_size", "transmission", "fuel_type", "color",
)  # fmt: skip
_SHOWN: Final = ("stock_no", "car_name", "model", "variant", "year", "mileage_km", "cnf_price")
# What a row that says no more than a make and a model leaves open.
EMPTY: Final[Mapping[str, Value]] = {
    **dict.fromkeys(COLUMNS),
    "image_url": None,
    "availability_status": "available",
}


@dataclass(frozen=True)
class Problem:
    """What is wrong in one cell; `column` is the one of agent_posts."""

    column: str
    text: str


@dataclass
class CheckedRow:
    """A row of the file; `number` is the one that a spreadsheet gives it, `offer` a row of agent_posts."""

    number: int
    state: State
    offer: dict[str, Value]
    problems: list[Problem] = field(default_factory=list)

    @property
    def stock_no(self) -> str:
        return str(self.offer["stock_no"])

    def shown(self) -> dict[str, object]:
        """As callers are told of it."""
        return {
            "row": self.number,
            "state": self.state,
            "car": {column: self.offer[column] for column in _SHOWN},
            "problems": [{"column": each.column, "text": each.text} for each in self.problems],
        }


def check_rows(rows: Sequence[tuple[int, dict[str, str]]], known: Collection[str]) -> list[CheckedRow]:
    """Every row with its state: `new`, `there` where `known` has its stock number, or `wrong`."""
    checked = [_checked(number, cells) for number, cells in rows]
    _refuse_twins(checked)
    for row in checked:
        if row.state == "new" and row.stock_no in known:
            row.state = "there"
    return checked


def counts(rows: Iterable[CheckedRow]) -> dict[State, int]:
    """How many rows have each state."""
    found: dict[State, int] = {"new": 0, "there": 0, "wrong": 0, "added": 0, "failed": 0}
    for row in rows:
        found[row.state] += 1
    return found


def _checked(number: int, cells: Mapping[str, str]) -> CheckedRow:
    offer, problems = dict(EMPTY), []
    for column, cell in cells.items():
        try:
            value = value_of(column, cell)
        except Wrong as wrong:
            problems.append(Problem(column, str(wrong)))
        else:
            offer[column] = EMPTY[column] if value is None else value
    wrong_columns = {problem.column for problem in problems}
    problems += [
        Problem(column, text)
        for column, text in _REQUIRED.items()
        if offer[column] is None and column not in wrong_columns
    ]
    if isinstance(pictures := offer["image_urls"], list):
        offer["image_url"] = pictures[0]
    offer["stock_no"] = offer["stock_no"] or _stock_no_of(offer)
    return CheckedRow(number, "wrong" if problems else "new", offer, problems)


def _stock_no_of(offer: Mapping[str, Value]) -> str:
    """A stock number made of what the row says, so that a list without stock numbers adds nothing twice either."""
    said = json.dumps([offer[column] for column in _IDENTITY], ensure_ascii=False).casefold()
    return f"auto-{sha256(said.encode()).hexdigest()[:16]}"


def _refuse_twins(rows: Sequence[CheckedRow]) -> None:
    """Of two rows with one stock number the second is wrong: nobody knows which of them is meant."""
    first: dict[str, int] = {}
    for row in rows:
        if row.state == "wrong":
            continue
        if row.stock_no in first:
            said = "says the same car" if row.stock_no.startswith("auto-") else "has the same stock number"
            row.problems.append(Problem("stock_no", f"Row {first[row.stock_no]} {said}."))
            row.state = "wrong"
        first.setdefault(row.stock_no, row.number)
