"""How many branches are awake at a time: PostgreSQL has only so many sessions, and each that is awake needs some."""

from __future__ import annotations

import asyncio
from typing import Protocol

import structlog

from minato.background import begun
from minato.host.errors import BranchError

# What an awake branch needs as a rule: a session or two of each pool, one that hears of its schema, one for changes.
EACH = 6
# For main, for people's own tools and for PostgreSQL's superuser.
RESERVED = 40
FEWEST = 2
# How long a request waits until its branch may wake, as long as it would wait for a session of a pool.
PATIENCE_SECONDS = 10.0


class Sleeper(Protocol):
    """A branch, as far as its sleep goes."""

    @property
    def is_idle(self) -> bool:
        """Whether it can be put to sleep at once."""

    async def doze(self) -> None:
        """Let go of its sessions."""


class Rota:
    """Those that are awake, `most` at a time; who sleeps least recently asked for first."""

    def __init__(self, log: structlog.stdlib.BoundLogger) -> None:
        self._log = log
        self.most = 1_000
        self._awake: dict[Sleeper, None] = {}
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()

    @property
    def awake(self) -> int:
        """How many are."""
        return len(self._awake)

    def allow(self, connections: int) -> None:
        """Fit into a PostgreSQL that takes so many connections."""
        self.most = max((connections - RESERVED) // EACH, FEWEST)

    async def admit(self, sleeper: Sleeper) -> None:
        """Wait until it may wake, and put others to sleep for it. Raises BranchError after some seconds."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                async with self._turn:
                    leaving = await self._room_for(sleeper)
                    self._awake[sleeper] = None
                # Outside the turn: on a busy machine it takes a while, and others need not wait for it. And to its end,
                # whatever becomes of who waits: half asleep it would keep sessions that nobody counts.
                dozing = [begun("putting a branch to sleep", each.doze(), self._log) for each in leaving]
                if dozing:
                    await asyncio.wait(dozing)
        except TimeoutError:
            self.left(sleeper)
            message = f"PostgreSQL has sessions for {self.most} branches at a time, and all of these are in use."
            hint = "Run fewer tests at once, close sockets, or drop branches that are done."
            raise BranchError(503, "too_many_awake", message, hint) from None
        except BaseException:
            self.left(sleeper)
            raise

    def asked(self, sleeper: Sleeper) -> None:
        """Note that it was used just now: others go before it."""
        if sleeper in self._awake:
            del self._awake[sleeper]
            self._awake[sleeper] = None

    def left(self, sleeper: Sleeper) -> None:
        """Note that it has no sessions any more."""
        self._awake.pop(sleeper, None)
        self._changed.set()

    def rested(self) -> None:
        """Note that one of them has nothing to do just now."""
        self._changed.set()

    async def _room_for(self, sleeper: Sleeper) -> list[Sleeper]:
        """Who goes to sleep for it; they are not counted any more."""
        leaving: list[Sleeper] = []
        while len(self._awake) >= self.most and sleeper not in self._awake:
            idle = next((each for each in self._awake if each.is_idle), None)
            if idle is not None:
                del self._awake[idle]
                leaving.append(idle)
            else:
                self._changed.clear()
                await self._changed.wait()
        return leaving
