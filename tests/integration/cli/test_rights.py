"""An operator whose PostgreSQL did not let our roles be what they are is told so at the start."""

from __future__ import annotations

import asyncio

import asyncpg
from minato.cli.progress import Progress
from minato.cli.rights import tell_of_rights
from minato.cli.target import Target
from minato.database.address import DatabaseAddress


async def warnings_at(address: DatabaseAddress, embedded: bool = False) -> list[str]:
    told: list[str] = []
    target = Target(address, address.admin, address.admin, embedded, {})
    await asyncio.to_thread(tell_of_rights, target, Progress(quiet=True, warn=told.append))
    return told


async def test_an_operator_is_told_that_service_keys_are_subject_to_row_level_security(
    address: DatabaseAddress,
) -> None:
    assert await warnings_at(address) == []
    owner = await asyncpg.connect(address.admin)
    await owner.execute("alter role service_role nobypassrls")
    try:
        (told,) = await warnings_at(address)
        assert "alter role service_role bypassrls" in told
        assert await warnings_at(address, embedded=True) == []
    finally:
        await owner.execute("alter role service_role bypassrls")
        await owner.close()
