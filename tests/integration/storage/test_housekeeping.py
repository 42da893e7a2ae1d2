"""What is done at the start is done once the store is there."""

from __future__ import annotations

import asyncio

import pytest
from minato.storage import housekeeping
from minato.storage.housekeeping import Housekeeping
from minato.storage.services import Services

from tests.integration.storage.conftest import Storage
from tests.support.waiting import PATIENCE


async def test_the_sweep_of_the_start_is_made_up_for_when_the_store_was_away(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, swept = [], asyncio.Event()

    async def sweep(services: Services) -> int:
        tried.append(services)
        if len(tried) == 1:
            raise OSError("the store is away")
        swept.set()
        return 0

    await storage.room.house.looked.wait()
    monkeypatch.setattr(housekeeping, "sweep_orphans", sweep)
    monkeypatch.setattr(housekeeping, "RENEW_SECONDS", 0.01)
    house = Housekeeping(storage.room.services, storage.minato.backend.supervisor)
    house.start()
    try:
        async with asyncio.timeout(PATIENCE):
            await swept.wait()
        await asyncio.sleep(0.1)
    finally:
        await house.stop()
    assert len(tried) == 2
