"""How far each subject has written: what a replica must have replayed before that subject reads there."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Protocol

from minato.clock import Clock
from minato.database.replica.position import BEGINNING, Position
from minato.tokens.caller import Caller

# What our services write for somebody (an account and what its triggers make) counts for everybody.
EVERYBODY: Final = ""


def subject_of(caller: Caller) -> str:
    """Who counts as one: a user in a role. Who is nobody in particular shares the writes of all such in the role.

    >>> subject_of(Caller("authenticated", {"sub": "5"})), subject_of(Caller("anon"))
    ('authenticated 5', 'anon ')
    """
    return f"{caller.role} {caller.subject or ''}"


class Written(Protocol):
    """Positions by subject, forgotten once any replica in use has them."""

    async def note(self, subject: str, position: Position) -> None:
        """`subject` has written up to `position`."""
        ...

    async def wanted(self, subject: str) -> Position:
        """What `subject` must find; UNKNOWN where nobody can say."""
        ...

    async def close(self) -> None:
        """Let go of what is held open."""
        ...


class WrittenHere:
    """Those that this process knows, each for `seconds`. Of more than `size` the oldest then counts for everybody."""

    def __init__(self, clock: Clock, seconds: float, size: int = 100_000) -> None:
        self._clock = clock
        self._seconds = seconds
        self._size = size
        self._known: OrderedDict[str, tuple[Position, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    async def note(self, subject: str, position: Position) -> None:
        self._keep(subject, position)
        while len(self._known) > self._size and (oldest := next(iter(self._known))) != subject:
            self._keep(EVERYBODY, self._known.pop(oldest)[0])

    async def wanted(self, subject: str) -> Position:
        return max(self._of(subject), self._of(EVERYBODY))

    async def close(self) -> None:
        """Nothing is open."""

    def _of(self, subject: str) -> Position:
        position, until = self._known.get(subject, (BEGINNING, 0.0))
        return position if until > self._clock.monotonic() else BEGINNING

    def _keep(self, subject: str, position: Position) -> None:
        now = self._clock.monotonic()
        position = max(position, self._of(subject))
        self._known.pop(subject, None)
        self._known[subject] = (position, now + self._seconds)
        while self._known and next(iter(self._known.values()))[1] <= now:
            self._known.popitem(last=False)


class Gap:
    """Since when who keeps the positions for several processes did not answer. What was written meanwhile is not known
    to it: for `seconds` more, until no replica can lack that, nobody may rely on what it says. For `away` seconds after
    each silence it is not asked again."""

    def __init__(self, clock: Clock, seconds: float, away: float = 0.0) -> None:
        self._clock = clock
        self._seconds = seconds
        self._away = away
        self._since: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether nobody may rely on it yet."""
        if self._since is not None and self._clock.monotonic() >= self._since + self._away + self._seconds:
            self._since = None
        return self._since is not None

    @property
    def is_fresh(self) -> bool:
        """Whether asking again is too soon."""
        return self._since is not None and self._clock.monotonic() < self._since + self._away

    def begin(self) -> bool:
        """It did not answer now; whether that is news."""
        is_news, self._since = self._since is None, self._clock.monotonic()
        return is_news
