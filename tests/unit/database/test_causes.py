"""Whose transaction was which, when the change is told before the write's answer has come."""

from __future__ import annotations

import pytest
from minato.database.wire.causes import MOST_WAITING, XIDS, Causes
from structlog.contextvars import bound_contextvars


@pytest.fixture
def causes() -> Causes:
    return Causes()


def asked(causes: Causes, xid: int) -> list[str | None]:
    """What is told of a transaction, as soon as it is."""
    told: list[str | None] = []
    causes.find(xid, told.append)
    return told


def wrote(causes: Causes, request: str, xid: int | None) -> None:
    with bound_contextvars(request_id=request), causes.write() as write:
        write.told([[None if xid is None else str(xid).encode()]])


def test_a_transaction_is_known_by_the_request_that_wrote_in_it(causes: Causes) -> None:
    wrote(causes, "a", 7)
    wrote(causes, "b", XIDS + 8)
    wrote(causes, "c", None)
    assert [asked(causes, xid) for xid in (7, 8, 9)] == [["a"], ["b"], [None]]


def test_a_change_waits_for_the_writes_that_are_under_way_and_for_no_later_ones(causes: Causes) -> None:
    with bound_contextvars(request_id="first"), causes.write() as first:
        early, foreign = asked(causes, 1), asked(causes, 99)
        with bound_contextvars(request_id="second"), causes.write() as second:
            late = asked(causes, 2)
            first.told([[b"1"]])
            second.told([[b"2"]])
        assert (early, foreign, late) == ([], [], ["second"])
    assert (early, foreign) == (["first"], [None])


def test_a_write_that_fails_keeps_nobody_waiting(causes: Causes) -> None:
    waiting: list[str | None] = []

    def fail() -> None:
        with causes.write():
            causes.find(1, waiting.append)
            raise ConnectionError

    with pytest.raises(ConnectionError):
        fail()
    assert waiting == [None]


def test_a_write_without_an_end_does_not_gather_changes(causes: Causes) -> None:
    with causes.write():
        first = asked(causes, 0)
        for xid in range(MOST_WAITING):
            causes.find(xid, lambda cause: None)
        assert first == [None]
