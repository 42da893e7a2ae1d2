"""moddatetime stamps a row when it changes, in C or in SQL."""

from __future__ import annotations

import asyncpg
import pytest

TABLE = """
    create table public.notes (id int primary key, body text, tags text[], "changedAt" timestamptz, local timestamp);
    insert into public.notes values (1, 'a', '{x,null,"y z"}', 'epoch', 'epoch'), (2, null, null, null, null);
"""


@pytest.fixture
async def db(owner: asyncpg.Connection) -> asyncpg.Connection:
    """The project's owner, with two notes of 1970."""
    await owner.execute("create extension if not exists moddatetime with schema extensions")
    await owner.execute(TABLE)
    return owner


def trigger(argument: str, name: str = "stamp", when: str = "before update on", level: str = "row") -> str:
    """The statement that makes one."""
    made = f"create trigger {name} {when} public.notes for each {level}"
    return f"{made} execute function extensions.moddatetime({argument})"


async def test_an_update_stamps_the_column_and_leaves_all_others(db: asyncpg.Connection) -> None:
    await db.execute(trigger('"changedAt"'))
    async with db.transaction():
        await db.execute("update public.notes set body = body || '!'")
        now = await db.fetchval("select now()")
    rows = await db.fetch('select id, body, tags, "changedAt" as at from public.notes order by id')
    assert [tuple(row) for row in rows] == [(1, "a!", ["x", None, "y z"], now), (2, None, None, now)]


async def test_a_column_without_a_time_zone_gets_the_sessions_time(db: asyncpg.Connection) -> None:
    await db.execute(trigger("local"))
    await db.execute("set timezone to 'Asia/Tokyo'; update public.notes set body = 'b'")
    assert await db.fetchval("select bool_and(now() - local::timestamptz < '1 minute') from public.notes")


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (trigger("missing"), '"notes" has no attribute "missing"'),
        (trigger("body"), 'attribute "body" of "notes" must be type TIMESTAMP or TIMESTAMPTZ'),
        (trigger(""), "A single argument was expected"),
        (trigger("local, local"), "A single argument was expected"),
        (trigger("local", when="after update on"), "must be fired before event"),
        (trigger("local", level="statement"), "must be fired for row"),
    ],
)
async def test_a_trigger_made_wrongly_says_so(db: asyncpg.Connection, made: str, message: str) -> None:
    await db.execute(made)
    with pytest.raises(asyncpg.PostgresError, match=message):
        await db.execute("update public.notes set body = 'b'")


async def test_only_updates_can_be_stamped(db: asyncpg.Connection) -> None:
    await db.execute(trigger("local", when="before insert on"))
    with pytest.raises(asyncpg.PostgresError, match=r"^moddatetime: "):
        await db.execute("insert into public.notes values (3)")
