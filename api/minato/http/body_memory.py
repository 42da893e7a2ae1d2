"""How much of request bodies may be in memory at once: each is kept until it is whole, and who sends may be slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


class NoMemory(Exception):
    """Too much is there already, of all or of this holder."""


class BodyMemory:
    """Room for `most()` bytes, of which one holder has half; `None` is bound by the whole alone."""

    def __init__(self, most: Callable[[], int]) -> None:
        self._most = most
        self._taken = 0
        self._held: Counter[str] = Counter()

    @property
    def left(self) -> int:
        """Bytes that fit still; below zero once there is less room than was taken."""
        return self._most() - self._taken

    def held(self, holder: str | None) -> Held:
        """What one request of this holder takes, until its block ends."""
        return Held(self, holder)

    def take(self, holder: str | None, size: int) -> None:
        """Raises NoMemory."""
        most = self._most()
        if size > most - self._taken or (holder is not None and self._held[holder] + size > most // 2):
            raise NoMemory
        self._taken += size
        if holder is not None:
            self._held[holder] += size

    def give_back(self, holder: str | None, size: int) -> None:
        """What was taken."""
        self._taken -= size
        if holder is not None:
            self._held[holder] -= size
            if not self._held[holder]:
                del self._held[holder]


class Held:
    """Of one request; small, for every request that has a body makes one."""

    __slots__ = ("_holder", "_memory", "_taken")

    def __init__(self, memory: BodyMemory, holder: str | None) -> None:
        self._memory = memory
        self._holder = holder
        self._taken = 0

    def take(self, size: int) -> None:
        """So many bytes more. Raises NoMemory."""
        self._memory.take(self._holder, size)
        self._taken += size

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Give back all that was taken."""
        if self._taken:
            self._memory.give_back(self._holder, self._taken)
            self._taken = 0
