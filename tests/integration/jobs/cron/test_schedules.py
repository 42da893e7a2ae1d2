"""Schedules in every form pg_cron takes, and when they are due: expected by its src/entry.c and ShouldRunTask."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from minato.jobs.cron.schedule import MINUTE, Minutes, schedule_of

from tests.support.cron import Cron

START = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)  # a Sunday
SOON = timedelta(days=800)

DUE = {
    "* * * * *": ["2026-11-22 12:01", "2026-11-22 12:02"],
    "5 4 * * *": ["2026-11-23 04:05", "2026-11-24 04:05"],
    "*/20 9-10 * * *": ["2026-11-23 09:00", "2026-11-23 09:20", "2026-11-23 09:40", "2026-11-23 10:00"],
    "1-7/3,30 13 * * *": ["2026-11-22 13:01", "2026-11-22 13:04", "2026-11-22 13:07", "2026-11-22 13:30"],
    "0 0 1 jan *": ["2027-01-01 00:00", "2028-01-01 00:00"],
    "0 0 1 JAN,Jul *": ["2027-01-01 00:00", "2027-07-01 00:00"],
    "0 8 * * mon-fri": ["2026-11-23 08:00", "2026-11-24 08:00"],
    "0 8 * * 0": ["2026-11-29 08:00"],
    "0 8 * * 7": ["2026-11-29 08:00"],
    "0 8 * * sUn": ["2026-11-29 08:00"],
    # Both days restricted: either will do.
    "0 0 24 * tue": ["2026-11-24 00:00", "2026-12-01 00:00"],
    "0 0 25 * tue": ["2026-11-24 00:00", "2026-11-25 00:00", "2026-12-01 00:00"],
    "0 0 13 * 5-6": ["2026-11-27 00:00", "2026-11-28 00:00", "2026-12-04 00:00"],
    # A step beyond the field leaves the first number alone; 1.6.5 refuses it, and hosted projects have 1.6.4.
    "0 0 */100 * *": ["2026-12-01 00:00", "2027-01-01 00:00"],
    "*/5000000000 10 * * *": ["2026-11-23 10:00", "2026-11-24 10:00"],
    "5-30/60 10 * * *": ["2026-11-23 10:05", "2026-11-24 10:05"],
    # A star with a step is a star: both must hold.
    "0 0 */2 * mon": ["2026-11-23 00:00", "2026-12-07 00:00"],
    "0 11 $ * *": ["2026-11-30 11:00", "2026-12-31 11:00", "2027-01-31 11:00", "2027-02-28 11:00"],
    "0 0 29 2 *": ["2028-02-29 00:00"],
    "@hourly": ["2026-11-22 13:00", "2026-11-22 14:00"],
    "@daily": ["2026-11-23 00:00"],
    "@midnight": ["2026-11-23 00:00"],
    "@weekly": ["2026-11-29 00:00"],
    "@monthly": ["2026-12-01 00:00"],
    "@yearly": ["2027-01-01 00:00", "2028-01-01 00:00"],
    "@annually": ["2027-01-01 00:00"],
    # What vixie-cron leaves unread.
    "  0\t13 *  * * and more": ["2026-11-22 13:00"],
    "# noon\n 0 13 * * *": ["2026-11-22 13:00"],
    "0; 13 * * *": ["2026-11-22 13:00"],
    # Backwards it counts by bytes of eight hours.
    "0 22-2 * * *": ["2026-11-22 22:00", "2026-11-22 23:00", "2026-11-23 00:00", "2026-11-23 01:00"],
}
NEVER = ["0 0 30 2 *", "0 6-2 * * *", "@reboot", "@restart"]

INVALID = [
    *("", " ", "* * * *", "a * * * *", "* * * 13 *", "* * * 0 *", "60 * * * *", "* 24 * * *", "* * 32 * *"),
    *("* * * * 8", "-1 * * * *", "*/0 10 * * *", "*/-1 10 * * *", "1-7/0 10 * * *"),
    *("5/15 * * * *", "1- * * * *", "1, * * * *", "5-64/30 * * * *", "0 11 $foo * *", "* * $ $ *"),
    *("5 secondc", "50 seconds c", "-1 seconds", "0 seconds", "60 seconds", "10000000000 seconds", "2 second "),
    *("@restar", "@", "1 minute", "* * *\n* *", "# only", "a" * 1000, "* * * mon *", "* * * * jan"),
]
BITS_OF_ALWAYS = [(1 << 60) - 1, (1 << 24) - 1, (1 << 31) - 1, 4095, 255]
NOON_AND_A_HALF = [0, 3, 1 << 30, 1 << 12, (1 << 31) - 1, 4095, 255]
SECONDS = {"1 second": 1, " 30 sEcOnDs ": 30, "59 seconds": 59, "17  seconds ": 17, "5seconds": 5, "+7 seconds": 7}


@pytest.mark.parametrize("schedule", DUE)
async def test_a_schedule_is_due_when_pg_cron_runs_it(cron_functions: asyncpg.Connection, schedule: str) -> None:
    meant = schedule_of(await cron_functions.fetchval("select cron._meaning($1)", schedule))
    due: list[str] = []
    minute = START
    while len(due) < len(DUE[schedule]):
        minute += MINUTE
        if meant.matches(minute):
            due.append(f"{minute:%Y-%m-%d %H:%M}")
        assert minute < START + SOON
    assert due == DUE[schedule]


@pytest.mark.parametrize("schedule", NEVER)
async def test_a_schedule_without_a_moment_is_taken_and_never_due(
    cron_functions: asyncpg.Connection, schedule: str
) -> None:
    meaning = await cron_functions.fetchval("select cron._meaning($1)", schedule)
    assert meaning is not None
    meant = schedule_of(meaning)
    assert not any(meant.matches(START + MINUTE * each) for each in range(60 * 24 * 400))


@pytest.mark.parametrize("schedule", INVALID)
async def test_what_is_no_schedule_is_refused_with_a_hint(cron_functions: asyncpg.Connection, schedule: str) -> None:
    with pytest.raises(asyncpg.InvalidParameterValueError) as refused:
        await cron_functions.fetchval("select cron.schedule($1, 'select 1')", schedule)
    assert refused.value.message == f"invalid schedule: {schedule}"
    assert refused.value.hint == "Use cron format (e.g. 5 4 * * *), or interval format '[1-59] seconds'"


@pytest.mark.parametrize("schedule", SECONDS)
async def test_an_interval_is_so_many_seconds(cron_functions: asyncpg.Connection, schedule: str) -> None:
    meant = schedule_of(await cron_functions.fetchval("select cron._meaning($1)", schedule))
    assert meant.seconds == SECONDS[schedule]
    assert not meant.matches(START)


def test_minutes_that_were_missed_by_moments_have_their_turn() -> None:
    minutes = Minutes(START)
    assert minutes.passed(START + timedelta(seconds=59)) is None
    passed = minutes.passed(START + timedelta(minutes=3, seconds=5))
    assert passed is not None
    assert passed.runs_of(schedule_of([0, 24, *BITS_OF_ALWAYS])) == 3
    assert minutes.passed(START + timedelta(minutes=3, seconds=30)) is None


def test_a_clock_that_leaps_runs_what_has_its_hour_and_what_runs_always_once() -> None:
    minutes = Minutes(START)
    passed = minutes.passed(START + timedelta(hours=1))
    assert passed is not None
    assert passed.runs_of(schedule_of([0, 27, *BITS_OF_ALWAYS])) == 1
    assert passed.runs_of(schedule_of(NOON_AND_A_HALF)) == 1


def test_after_a_day_only_the_present_minute_counts() -> None:
    minutes = Minutes(START)
    passed = minutes.passed(START + timedelta(days=1))
    assert passed is not None
    assert passed.runs_of(schedule_of([0, 27, *BITS_OF_ALWAYS])) == 1
    assert passed.runs_of(schedule_of(NOON_AND_A_HALF)) == 0


def test_a_clock_that_is_set_back_repeats_nothing_and_goes_on() -> None:
    minutes = Minutes(START)
    assert minutes.passed(START - timedelta(hours=1)) is None
    assert minutes.passed(START) is None
    assert minutes.passed(START + MINUTE) is not None
    assert minutes.passed(START - timedelta(days=1)) is not None
    assert minutes.passed(START - timedelta(days=1) + MINUTE) is not None


async def test_a_row_that_was_written_by_hand_with_nonsense_hurts_nobody(cron: Cron) -> None:
    await cron.admin.execute("insert into cron.job (schedule, command, username) values ('never', 'x', 'postgres')")
    await cron.schedule("sane", "* * * * *", "select 1")
    await cron.later(minutes=1)
    await cron.all_done()
    assert await cron.runs() == [("succeeded", "1 row")]
