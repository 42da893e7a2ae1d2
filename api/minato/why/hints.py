"""What the rooms ask in development when PostgreSQL refused somebody something, so many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from minato.database.wire.pool import SessionPool
from minato.json_text import JsonObject
from minato.why.attempt import Attempt
from minato.why.explain import explain
from minato.why.explanation import Explanation
from minato.why.rules import Rows
from minato.why.wording import sentence

AT_ONCE: Final = 4


class Hints:
    """Of one room, in sessions of the requests' own login."""

    def __init__(self, sessions: Callable[[], SessionPool]) -> None:
        self._sessions = sessions
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def refused(self, attempt: Attempt) -> str | None:
        """Why it was refused; None where nobody knows, or too many ask."""
        explanation = await self._now(attempt)
        return sentence(explanation) if explanation is not None and explanation.allowed is False else None

    async def hidden(self, attempt: Attempt) -> str | None:
        """Why a row that is there was not found; None too where there is none."""
        explanation = await self._now(attempt)
        if explanation is None:
            return None
        is_there = explanation.counts.get(Rows.FOUND, 0) > 0 and explanation.visible == 0
        return sentence(explanation) if explanation.missing or is_there else None

    async def told(self, attempt: Attempt) -> JsonObject | None:
        """All of it, waiting for a turn; None where it can't be found out."""
        async with self._turns:
            explanation = await explain(self._sessions(), attempt)
        return explanation.as_json(sentence(explanation)) if explanation is not None else None

    async def _now(self, attempt: Attempt) -> Explanation | None:
        if self._turns.locked():
            return None
        async with self._turns:
            return await explain(self._sessions(), attempt)
