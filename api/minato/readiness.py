"""Whether requests would be served now: asked of the very sessions that serve them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from minato.database.database import Database
from minato.database.wire.session import Command

PATIENCE: Final = 2.0
ASK: Final = Command("select 1")


@dataclass(frozen=True)
class Readiness:
    """`knows_schema` tells whether the data API has its schema cache.

    What is `hampered` keeps no node from being asked: the store of the files is the same for all of them, and a
    balancer that takes all out ends auth, data and realtime, too, which need none of it.
    """

    database: Database
    knows_schema: Callable[[], bool]
    hampered: Callable[[], list[str]]

    async def lacks(self) -> str | None:
        """What keeps requests from being served, None when nothing does."""
        if not self.knows_schema():
            return "the schema cache is not loaded"
        try:
            async with asyncio.timeout(2 * PATIENCE):
                await self._ask()
        except Exception:
            return "the database does not answer"
        return None

    async def _ask(self) -> None:
        async with self.database.sessions.lent(PATIENCE) as session:
            await session.run([ASK])
