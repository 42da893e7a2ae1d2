"""What is at work just now, so that a test can wait for its end instead of sleeping.

Each part of a backend that goes on behind an answer is a `Part`: it can be waited for, and says what it waits for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True)
class Pending:
    """So many are under way; the oldest of them is `detail`, and began at `since` of the loop's time, if that is
    known."""

    count: int
    detail: str
    since: float | None = None

    def as_json(self, what: str) -> dict[str, object]:
        """As it is told."""
        now = asyncio.get_running_loop().time()
        age = {"oldest_ms": round((now - self.since) * 1000)} if self.since is not None else {}
        return {"what": what, "count": self.count, **age, "detail": self.detail}


class Work(Protocol):
    """Work of one kind."""

    @property
    def done(self) -> int:
        """How much of it has ever come to its end."""
        ...

    async def settle(self) -> None:
        """Let what is due be done, and wait for all that was caused before. Cancelling it ends no work."""
        ...

    def pending(self) -> Pending | None:
        """What is waited for; None for nothing."""
        ...


class Part(Work, Protocol):
    """Work that is called `what`; one that `leads_on` may lead to other work."""

    @property
    def what(self) -> str: ...

    @property
    def leads_on(self) -> bool: ...


@runtime_checkable
class Observed(Protocol):
    """A room, or another part of the backend, with work of its own."""

    @property
    def parts(self) -> Sequence[Part]: ...


class Going:
    """One thing that has begun among others; it is over when its block ends, or when it is ended."""

    __slots__ = ("_among", "detail", "over", "since")

    def __init__(self, among: UnderWay, detail: str) -> None:
        self._among = among
        self.detail = detail
        self.since = asyncio.get_running_loop().time()
        self.over = asyncio.Event()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._among.end(self)


class UnderWay:
    """A `Part`: things of one kind, each from its beginning to its end."""

    leads_on = True

    def __init__(self, what: str) -> None:
        self.what = what
        self.done = 0
        self._going: dict[Going, None] = {}

    def begin(self, detail: str) -> Going:
        """One has begun. It goes on until the block ends, or `end` says that it is over."""
        going = Going(self, detail)
        self._going[going] = None
        return going

    def end(self, going: Going) -> None:
        """It is over."""
        del self._going[going]
        self.done += 1
        going.over.set()

    async def settle(self) -> None:
        """Wait for those that go on now."""
        for going in list(self._going):
            await going.over.wait()

    def pending(self) -> Pending | None:
        """Those that go on."""
        oldest = next(iter(self._going), None)
        return Pending(len(self._going), oldest.detail, oldest.since) if oldest is not None else None


class Rounds:
    """Work that looks again and again for something to do: who asks waits until a look that began later is over."""

    def __init__(self) -> None:
        self._wanted = asyncio.Event()
        self._over = asyncio.Event()

    async def one(self) -> None:
        """Let it look at once, and wait until it has done what it found."""
        self._over.clear()
        self._wanted.set()
        await self._over.wait()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody waits for another look."""
        return self._wanted.is_set()

    def want(self) -> None:
        """Let it look at once."""
        self._wanted.set()

    def begin(self) -> None:
        """A look begins: what was wanted before is seen by it."""
        self._wanted.clear()

    def end(self) -> None:
        """It is over, and what it found is done."""
        if not self._wanted.is_set():
            self._over.set()

    async def wanted(self, within: float | None = None) -> None:
        """Wait until somebody wants the next, so many seconds at most."""
        try:
            async with asyncio.timeout(within):
                await self._wanted.wait()
        except TimeoutError:
            pass
