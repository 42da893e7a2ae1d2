"""When a job is due: the bits that `cron._meaning` makes of a schedule, against a minute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

MINUTE = timedelta(minutes=1)
ANY_DAY, ANY_WEEKDAY, AT_START, ANY_MINUTE, ANY_HOUR, LAST_DAY = 1, 2, 4, 8, 16, 32


@dataclass(frozen=True)
class Schedule:
    """`seconds` between runs or, where that is 0, sets of numbers as bits from the first one on, and `flags`."""

    seconds: int
    flags: int
    minutes: int
    hours: int
    days: int
    months: int
    weekdays: int

    @property
    def at_start(self) -> bool:
        """`@reboot`: runs once when the server starts."""
        return bool(self.flags & AT_START)

    @property
    def is_wild(self) -> bool:
        """Whether any minute or any hour will do; cron passes over such runs when the clock leaps."""
        return bool(self.flags & (ANY_MINUTE | ANY_HOUR))

    def next_after(self, now: datetime, until: datetime) -> datetime | None:
        """The first minute after `now` in which a run is due; None when that is after `until`."""
        minute = minute_of(now) + MINUTE
        while minute <= until:
            if self.matches(minute):
                return minute
            # A year has few days and many minutes.
            minute = minute + MINUTE if self._is_day(minute) else minute.replace(hour=0, minute=0) + timedelta(days=1)
        return None

    def matches(self, minute: datetime) -> bool:
        """Whether a run is due in the minute that begins at `minute`, in UTC."""
        return bool(self.minutes >> minute.minute & 1 and self.hours >> minute.hour & 1) and self._is_day(minute)

    def _is_day(self, minute: datetime) -> bool:
        day = bool(self.days >> (minute.day - 1) & 1)
        if self.flags & LAST_DAY and (minute + timedelta(days=1)).day == 1:
            day = True
        weekday = bool(self.weekdays >> (minute.isoweekday() % 7) & 1)
        # Where both are restricted either will do.
        both = self.flags & (ANY_DAY | ANY_WEEKDAY)
        return bool(self.months >> (minute.month - 1) & 1) and ((day and weekday) if both else (day or weekday))


NEVER = Schedule(0, 0, 0, 0, 0, 0, 0)


def schedule_of(meaning: Sequence[int] | None) -> Schedule:
    """The schedule that `cron._meaning` understood; one that it did not never runs."""
    return NEVER if meaning is None else Schedule(*meaning)


def minute_of(moment: datetime) -> datetime:
    """The minute in which `moment` lies."""
    return moment.replace(second=0, microsecond=0)


class Minutes:
    """The minutes of a clock, each handed out once, and what cron does when it leaps."""

    def __init__(self, now: datetime) -> None:
        self._last = minute_of(now)

    def passed(self, now: datetime) -> Passed | None:
        """What came since the last time; None within the same minute."""
        minute = minute_of(now)
        count = (minute - self._last) // MINUTE
        if count == 0 or -180 < count < 0:
            # Set back by less than three hours: what had its turn is not repeated.
            return None
        missed = [self._last + MINUTE * each for each in range(1, count + 1)] if 0 < count <= 180 else [minute]
        self._last = minute
        return Passed(missed, leaps=5 < count <= 180)


@dataclass(frozen=True)
class Passed:
    """`minutes`, oldest first. When the clock `leaps`, wild schedules have a turn in the last one alone."""

    minutes: Sequence[datetime]
    leaps: bool

    def runs_of(self, schedule: Schedule) -> int:
        """How many runs became due."""
        minutes = self.minutes[-1:] if self.leaps and schedule.is_wild else self.minutes
        return sum(map(schedule.matches, minutes))
