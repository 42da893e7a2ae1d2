"""Waiting until a transaction that is in the log can be seen by every session."""

from __future__ import annotations

from minato.realtime.postgres_changes.snapshot import Waiting


async def test_a_transaction_still_running_is_waited_for_until_a_snapshot_shows_it() -> None:
    waiting = Waiting({12, 13})
    assert not await waiting.is_over("10:20:12,14")
    assert await waiting.is_over("14:20:14")


async def test_what_one_snapshot_showed_need_not_be_shown_again() -> None:
    waiting = Waiting({12, 13})
    assert not await waiting.is_over("10:20:12")
    assert await waiting.is_over("13:13:")
    assert not waiting
