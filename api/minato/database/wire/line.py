"""The line for sessions: in order, but whoever holds a full share steps aside until one of theirs comes back."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import NamedTuple

from minato.database.wire.session import Session


class Waiter(NamedTuple):
    """Somebody in line: until when, whether a turn is needed besides a session, and whose share it counts to."""

    deadline: float
    handed: asyncio.Future[Session | None]
    in_turn: bool
    holder: str | None


class Line:
    """Who waits, and who holds how many of the sessions; `None` may hold all of them, others `share`."""

    def __init__(self, share: int) -> None:
        self._share = share
        self._held: dict[str, int] = {}
        self._waiting: deque[Waiter] = deque()
        self._aside: dict[str, deque[Waiter]] = {}

    def __len__(self) -> int:
        return len(self._waiting) + sum(map(len, self._aside.values()))

    def may_have(self, holder: str | None) -> bool:
        """Whether something is left of the share of `holder`."""
        return holder is None or self._held.get(holder, 0) < self._share

    def take(self, holder: str | None) -> None:
        """One session more is theirs."""
        if holder is not None:
            self._held[holder] = self._held.get(holder, 0) + 1

    def give_back(self, holder: str | None) -> None:
        """One session less is theirs; the first of them who stepped aside is the next in line."""
        if holder is None:
            return
        held = self._held.pop(holder) - 1
        if held:
            self._held[holder] = held
        aside = self._aside.get(holder)
        while aside:
            waiter = aside.popleft()
            if not waiter.handed.done():
                self._waiting.appendleft(waiter)
                break
        if not aside:
            self._aside.pop(holder, None)

    def join(self, waiter: Waiter) -> None:
        """Stand at the end."""
        self._waiting.append(waiter)

    def first(self) -> Waiter | None:
        """Who is next. Those before who may not have one now step aside, and those who left are forgotten."""
        while self._waiting:
            waiter = self._waiting[0]
            if not waiter.handed.done():
                if self.may_have(waiter.holder):
                    return waiter
                self._step_aside(waiter)
            self._waiting.popleft()
        return None

    def leave(self) -> None:
        """The first is served."""
        self._waiting.popleft()

    def send_away(self, now: float) -> None:
        """Tell those whose time is over, and forget who is not here any more."""
        for line in (self._waiting, *self._aside.values()):
            for waiter in line:
                if waiter.deadline < now and not waiter.handed.done():
                    waiter.handed.set_exception(TimeoutError())
        self._waiting = _still_here(self._waiting)
        self._aside = {holder: here for holder, line in self._aside.items() if (here := _still_here(line))}

    def _step_aside(self, waiter: Waiter) -> None:
        assert waiter.holder is not None, "who has no share is never held back"
        aside = self._aside.setdefault(waiter.holder, deque())
        # Who stood aside before stands in front again.
        is_older = bool(aside) and waiter.deadline < aside[0].deadline
        aside.appendleft(waiter) if is_older else aside.append(waiter)


def _still_here(line: deque[Waiter]) -> deque[Waiter]:
    return deque(waiter for waiter in line if not waiter.handed.done())
