"""The time of a branch. The clock of the test itself stays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from minato.testing.control import Told, call


@dataclass(frozen=True)
class Time:
    """`ran` is what became due on the way."""

    now: datetime
    offset_s: float
    frozen: bool
    ran: list[str]


class Clock:
    """Durations are seconds or words, as `"1h30m"`; with `sql` the `now()` of SQL follows, too."""

    def __init__(self, url: str) -> None:
        self._url = f"{url}/_dev/v1/clock"

    def get(self) -> Time:
        return _time(call("GET", self._url))

    def advance(self, by: float | str, sql: bool | None = None) -> Time:
        """Let time pass at once; jobs that become due run on the way."""
        return self._move(advance=by, sql=sql)

    def set(self, at: datetime | str, sql: bool | None = None) -> Time:
        """Set it; it goes on from there."""
        return self._move(at=_moment(at), sql=sql)

    def freeze(self, at: datetime | str | None = None, sql: bool | None = None) -> Time:
        """Stop it, here or at a moment."""
        return self._move(freeze=True if at is None else _moment(at), sql=sql)

    def resume(self) -> Time:
        """Let it go on from where it stands."""
        return self._move(freeze=False)

    def reset(self) -> Time:
        """The real time again."""
        return self._move(reset=True)

    def _move(self, **move: object) -> Time:
        return _time(call("PUT", self._url, move))


def _moment(given: datetime | str) -> str:
    return given if isinstance(given, str) else given.isoformat()


def _time(told: Told) -> Time:
    return Time(datetime.fromisoformat(told["now"]), told["offset_s"], told["frozen"], told.get("ran", []))
