"""A schema that a running data API knows before a test goes on."""

from __future__ import annotations

from tests.support.server import Minato
from tests.support.waiting import until


async def known(minato: Minato, statements: str) -> None:
    """Execute `statements`, which end by `notify pgrst`; return when that has been heard.

    Whoever begins to listen reads what changed before. A notification of the same change would be a second reading,
    at any time later.
    """
    keeper = minato.application.rooms["/rest/v1"].keeper  # type: ignore[attr-defined]
    await until(lambda: keeper.is_ready)
    before = keeper.loads.succeeded
    await minato.db.execute(statements)
    await until(lambda: keeper.loads.succeeded > before)
