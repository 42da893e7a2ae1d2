"""A change of the schema tells the API by itself, and only when it is committed."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.waiting import PATIENCE

TABLE = "create table public.watched (id int)"


async def heard(address: DatabaseAddress, *statements: str) -> list[str]:
    """Run each statement as postgres; return what was notified by the last, up to a mark of our own."""
    listener, developer = await asyncpg.connect(address.admin), await asyncpg.connect(address.admin)
    payloads: list[str] = []
    done = asyncio.Event()

    def hear(_: object, __: int, ___: str, payload: str) -> None:
        done.set() if payload == "end of test" else payloads.append(payload)

    try:
        await developer.execute("set role postgres")
        for statement in statements[:-1]:
            await developer.execute(statement)
        await listener.add_listener("pgrst", hear)
        await developer.execute(statements[-1])
        await developer.execute("notify pgrst, 'end of test'")
        await asyncio.wait_for(done.wait(), PATIENCE)
        return payloads
    finally:
        await listener.close()
        await developer.close()


@pytest.mark.parametrize("statements", [
    (TABLE,),
    (TABLE, "alter table public.watched add column name text"),
    (TABLE, "drop table public.watched"),
    (TABLE, "grant select on public.watched to anon"),
    (TABLE, "comment on table public.watched is 'x'"),
    ("create view public.seen as select 1 as one",),
    ("create function public.one() returns int language sql as 'select 1'",),
    ("create schema other",),
])  # fmt: skip
async def test_a_change_is_announced(address: DatabaseAddress, statements: tuple[str, ...]) -> None:
    assert await heard(address, *statements) == ["reload schema"]


@pytest.mark.parametrize("statements", [
    ("create temp table hidden (id int)",),
    ("create temp table hidden (id int)", "drop table hidden"),
    (TABLE, "insert into public.watched values (1)"),
    (f"begin; {TABLE}; rollback",),
])  # fmt: skip
async def test_what_others_cannot_see_is_not_announced(address: DatabaseAddress, statements: tuple[str, ...]) -> None:
    assert await heard(address, *statements) == []
