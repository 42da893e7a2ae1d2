"""Token buckets: what they allow, when it comes back, and how much they remember."""

from __future__ import annotations

import math
from datetime import timedelta

from minato.clock import Clock
from minato.limits.buckets import Allowance
from minato.limits.choice import MemoryBuckets

THREE = Allowance(0.5, 3)


async def test_a_bucket_gives_its_burst_at_once_and_the_rest_by_and_by() -> None:
    clock = Clock()
    buckets = MemoryBuckets(10, clock)
    assert [await buckets.take("a", THREE) for _ in range(3)] == [0, 0, 0]
    assert 1.9 < await buckets.take("a", THREE) <= 2
    clock.advance(timedelta(seconds=2))
    assert await buckets.take("a", THREE) == 0
    clock.advance(timedelta(seconds=1000))
    assert [bool(await buckets.take("a", THREE)) for _ in range(4)] == [False, False, False, True]


async def test_what_is_given_back_can_be_taken_again_but_no_more() -> None:
    buckets = MemoryBuckets(10, Clock())
    for _ in range(5):
        assert await buckets.take("a", THREE) == 0
        await buckets.give("a", THREE)
    await buckets.give("a", THREE)
    assert [bool(await buckets.take("a", THREE)) for _ in range(4)] == [False, False, False, True]


async def test_a_bucket_that_gives_nothing_back_is_waited_for_for_ever() -> None:
    buckets = MemoryBuckets(10, Clock())
    assert [await buckets.take("a", Allowance(0, 1)) for _ in range(2)] == [0, math.inf]


async def test_keys_do_not_share_and_the_longest_silent_is_forgotten() -> None:
    buckets, one = MemoryBuckets(2, Clock()), Allowance(0, 1)
    for address in ("a", "b", "a", "c"):
        await buckets.take(address, one)
    assert len(buckets) == 2
    assert await buckets.take("a", one)
    assert not await buckets.take("b", one)
