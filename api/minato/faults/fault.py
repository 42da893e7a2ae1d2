"""Rules by which something goes wrong, in development: what they fit, what they do, how often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from hashlib import blake2b
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, Field, JsonValue, model_validator

Where = Literal["request", "socket", "changes", "storage", "mail", "sms", "webhook", "database"]
Drop = Literal["before", "after"]
Milliseconds = Annotated[int, Field(ge=0, le=600_000)]
# What each place can do, beside waiting.
DEEDS: dict[str, frozenset[str]] = {
    "request": frozenset({"status", "drop", "stall", "truncate"}),
    "socket": frozenset({"refuse", "close", "lose", "mute", "duplicate", "reorder"}),
    "changes": frozenset({"lose_feed", "lag_ms"}),
    "storage": frozenset({"full", "missing", "corrupt"}),
    "mail": frozenset({"refuse", "lose"}),
    "sms": frozenset({"refuse", "lose"}),
    "webhook": frozenset({"status", "timeout", "refuse"}),
    "database": frozenset({"unreachable", "exhausted", "sqlstate"}),
}
# What each place knows of what it meets.
WHO: Final = frozenset({"role", "user"})
FRAME: Final = frozenset({"topic", "event", "direction"})
KNOWN: Final[dict[str, frozenset[str]]] = {
    "request": frozenset({"room", "method", "path", "table", "function", "bucket"}) | WHO,
    "socket": WHO | FRAME,
    "changes": frozenset({"table"}),
    "storage": frozenset({"bucket", "path"}),
    "mail": frozenset({"to", "type"}),
    "sms": frozenset({"to", "type"}),
    "webhook": frozenset({"url"}),
    "database": WHO,
}
# What happens once unless `times` says otherwise: for as long as the rule stood, nothing would ever go well again.
ONCE = frozenset({"lose_feed", "sqlstate"})


class Match(BaseModel, extra="forbid"):
    """What a rule fits: all that is named has to. Names and paths may have `*` and `?`.

    >>> Match(room="rest", table="car*").fits({"room": "rest", "table": "cars", "method": "GET"})
    True
    """

    room: Literal["auth", "rest", "realtime", "storage", "functions"] | None = None
    method: str | None = None
    path: str | None = None
    table: str | None = None
    function: str | None = None
    bucket: str | None = None
    role: str | None = None
    user: str | None = None
    topic: str | None = None
    event: str | None = None
    direction: Literal["in", "out"] | None = None
    url: str | None = None
    to: str | None = None
    type: str | None = None

    def fits(self, known: dict[str, str]) -> bool:
        """Whether what is `known` is meant."""
        return all(
            key in known and fnmatchcase(known[key], wanted.replace("[", "[[]"))
            for key, wanted in self.model_dump(exclude_none=True).items()
        )


class Deed(BaseModel, extra="forbid"):
    """What a rule does: one thing of its place, or only to wait, or both.

    >>> Deed(status=503, delay_ms=200).chosen
    {'status'}
    """

    status: Annotated[int, Field(ge=400, le=599)] | None = None
    body: JsonValue = None
    drop: Drop | None = None
    stall: Literal[True] | None = None
    truncate: Literal[True] | None = None
    refuse: Literal[True] | Annotated[str, Field(max_length=200)] | None = None
    close: Annotated[int, Field(ge=1000, le=4999)] | None = None
    lose: Literal[True] | None = None
    mute: Literal[True] | None = None
    duplicate: Literal[True] | None = None
    reorder: Literal[True] | None = None
    lose_feed: Milliseconds | None = None
    lag_ms: Milliseconds | None = None
    full: Literal[True] | None = None
    missing: Literal[True] | None = None
    corrupt: Literal[True] | None = None
    timeout: Literal[True] | None = None
    unreachable: Literal[True] | None = None
    exhausted: Literal[True] | None = None
    # Classes 00 to 02 are no errors.
    sqlstate: Annotated[str, Field(pattern=r"^(0[3-9A-Z]|[1-9A-Z][0-9A-Z])[0-9A-Z]{3}$")] | None = None
    delay_ms: Milliseconds = 0
    jitter_ms: Milliseconds = 0

    @property
    def chosen(self) -> set[str]:
        """What it does beside waiting."""
        return self.model_fields_set - {"delay_ms", "jitter_ms", "body"}


class Rule(BaseModel, extra="forbid"):
    """A fault as it is asked for. It acts `times` times, after it has let `after` pass, with this `probability`; equal
    `seed`s draw equally.

    >>> Rule(where="database", do=Deed(sqlstate="40001")).times
    1
    """

    where: Where
    match: Match = Match()
    do: Deed
    times: Annotated[int, Field(ge=1)] | None = None
    after: Annotated[int, Field(ge=0)] = 0
    probability: Annotated[float, Field(ge=0, le=1)] = 1.0
    seed: int = 0

    @model_validator(mode="after")
    def _is_of_one_place(self) -> Self:
        chosen, possible = self.do.chosen, DEEDS[self.where]
        waits = self.do.delay_ms or self.do.jitter_ms
        if len(chosen) > 1 or not (chosen or waits) or not chosen <= possible:
            raise ValueError(f"one of {', '.join(sorted(possible))} is what goes wrong there, or delay_ms alone")
        self._require_known(chosen)
        if self.times is None and chosen & ONCE:
            self.times = 1
        return self

    def _require_known(self, chosen: set[str]) -> None:
        """Refuse what the place knows nothing of, which would never fit."""
        is_of_sockets = bool(chosen & {"refuse", "close"})
        known = KNOWN[self.where] - FRAME if is_of_sockets else KNOWN[self.where]
        unknown = self.match.model_fields_set - known
        if unknown:
            raise ValueError(f"{', '.join(sorted(known))} can be matched there, not {', '.join(sorted(unknown))}")


@dataclass
class Fault:
    """A rule at work: it `met` so many that it fits, and `hit` so many of them."""

    id: str
    rule: Rule
    met: int = 0
    hit: int = 0
    # Is told each time that it acts.
    told: Callable[[Fault], None] | None = None

    @property
    def is_spent(self) -> bool:
        """Whether it has acted as often as it may."""
        return self.rule.times is not None and self.hit >= self.rule.times

    @property
    def refuses(self) -> bool:
        """Whether it lets nobody in."""
        return self.rule.do.refuse is not None

    def fits(self, known: dict[str, str]) -> bool:
        """Whether what is `known` is meant."""
        return self.rule.match.fits(known)

    def strikes(self) -> bool:
        """Whether it acts on one more that it fits."""
        self.met += 1
        if self.is_spent or self.met <= self.rule.after or self.draw("hit") >= self.rule.probability:
            return False
        self.hit += 1
        if self.told is not None:
            self.told(self)
        return True

    def draw(self, what: str) -> float:
        """A number from 0 on below 1, the same for the same rule, seed and turn."""
        drawn = blake2b(f"{what} {self.rule.seed} {self.met}".encode(), digest_size=8).digest()
        return int.from_bytes(drawn) / 2**64

    async def wait(self) -> None:
        """The time that it takes more."""
        do = self.rule.do
        seconds = (do.delay_ms + do.jitter_ms * self.draw("jitter")) / 1000
        if seconds:
            await asyncio.sleep(seconds)

    def as_json(self) -> dict[str, Any]:
        """The rule as it was asked for, with what it did."""
        return {
            "id": self.id,
            **self.rule.model_dump(mode="json", exclude_unset=True),
            "met": self.met,
            "hit": self.hit,
        }


@dataclass
class Faults:
    """The rules of one backend, oldest first. `watchers` are told when there are others, `struck` when one acts."""

    rules: list[Fault] = field(default_factory=list)
    struck: Callable[[Fault], None] | None = None
    watchers: set[Callable[[], None]] = field(default_factory=set)
    _count: int = 0

    def add(self, rule: Rule) -> Fault:
        """From now on it acts."""
        self._count += 1
        fault = Fault(f"f{self._count}", rule, told=self.struck)
        self.rules.append(fault)
        self._tell()
        return fault

    def remove(self, fault_id: str) -> bool:
        """Whether there was one of this id."""
        kept = [fault for fault in self.rules if fault.id != fault_id]
        found = len(kept) < len(self.rules)
        self.rules = kept
        self._tell()
        return found

    def clear(self) -> None:
        """All goes well again."""
        self.rules = []
        self._tell()

    def at(self, where: Where) -> list[Fault]:
        """Those of one place."""
        return [fault for fault in self.rules if fault.rule.where == where]

    def of(self, where: Where, known: dict[str, str]) -> Fault | None:
        """The oldest that fits and acts."""
        for fault in self.rules:
            if fault.rule.where == where and fault.fits(known) and fault.strikes():
                return fault
        return None

    @contextmanager
    def watched(self, watcher: Callable[[], None]) -> Iterator[None]:
        """Until the block ends, it is told when there are others."""
        self.watchers.add(watcher)
        try:
            yield
        finally:
            self.watchers.discard(watcher)

    def _tell(self) -> None:
        for watcher in list(self.watchers):
            watcher()
