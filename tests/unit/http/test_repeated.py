"""Lists of headers that are remembered take a bounded memory, and none stands for another."""

from __future__ import annotations

from minato.http.asgi import Header
from minato.http.repeated import LEAST, LONGEST, MOST, Remembered, RepeatedHeaders


def headers(number: int, size: int = 10) -> tuple[Header, ...]:
    return ((b"x-a", b"%d" % number), (b"x-b", b"b" * size))


def test_what_came_longest_ago_is_forgotten_before_the_memory_is_full() -> None:
    known: Remembered[int] = Remembered()
    room = MOST // LEAST
    for number in range(room + 1):
        known.keep(headers(number), headers(number), number)
        assert known.find(headers(0)) == (0 if number < room + 1 else None)
    assert known.held <= MOST
    # The first was asked for all the time; the second was not.
    assert known.find(headers(1)) is None
    assert known.find(headers(room)) == room


def test_long_lists_count_for_their_length_and_longer_ones_are_not_kept() -> None:
    known: Remembered[int] = Remembered()
    for number in range(2 * MOST // (LONGEST - 100)):
        known.keep(number, headers(number, LONGEST - 100), number)
    assert MOST - LONGEST < known.held <= MOST
    held = known.held
    known.keep("too long", headers(1, LONGEST), 1)
    assert (known.find("too long"), known.held) == (None, held)


def test_the_id_is_found_among_the_headers_of_a_request() -> None:
    repeated = RepeatedHeaders(((b"host", b"here"),), ((b"authorization", b"Bearer a"),))
    assert repeated.id_among(repeated.with_id("7")) == b"7"
    assert repeated.id_among([*repeated.before, *repeated.after]) is None
