"""How far each subject has written, as one process knows it."""

from __future__ import annotations

from datetime import timedelta

from minato.clock import Clock
from minato.database.replica.position import UNKNOWN
from minato.database.replica.written import EVERYBODY, WrittenHere


async def test_a_subject_must_find_the_newest_of_its_writes_and_of_everybodys() -> None:
    written = WrittenHere(Clock(), 60)
    await written.note("a", 20)
    await written.note("a", 10)
    await written.note(EVERYBODY, 15)
    assert [await written.wanted(subject) for subject in ("a", "b")] == [20, 15]


async def test_a_write_is_forgotten_when_no_replica_can_lack_it() -> None:
    clock = Clock()
    written = WrittenHere(clock, 60)
    await written.note("a", UNKNOWN)
    clock.advance(timedelta(seconds=59))
    assert await written.wanted("a") == UNKNOWN
    clock.advance(timedelta(seconds=2))
    assert await written.wanted("a") == 0
    await written.note("b", 1)
    assert len(written) == 1


async def test_of_too_many_the_oldest_then_counts_for_everybody() -> None:
    written = WrittenHere(Clock(), 60, size=3)
    for position, subject in enumerate("abcdefgh", 1):
        await written.note(subject, position)
    assert len(written) <= 4
    for position, subject in enumerate("abcdefgh", 1):
        assert await written.wanted(subject) >= position
