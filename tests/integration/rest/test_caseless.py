"""A search without regard to case finds what PostgreSQL's ILIKE finds, also where it is asked in another way."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator

import asyncpg
import httpx
import pytest

from tests.support.examples import of_hundred
from tests.support.server import Minato

LETTERS = "aAbBiIİıßẞςσΣéÉeE\u0301ǅ_%\\1 "
TABLES = """
create table sought_texts (
  id int primary key, plain text, short varchar(40), fixed char(9), other text collate "C", keyed text
);
create index on sought_texts (keyed);
create table sought_partly (id int primary key, plain text);
create index on sought_partly (id) where plain like 'a%';
create table sought_computed (id int primary key, plain text);
create index on sought_computed (lower(plain));
create table sought_old (plain text);
create table sought_newer () inherits (sought_old);
create view sought_seen as select * from sought_texts;
grant all on sought_texts, sought_partly, sought_computed, sought_old, sought_seen to anon;
"""
ANEW, BY_INDEX = "lower(", "~~* "


@pytest.fixture(scope="module", autouse=True)
async def tables(club: Minato) -> AsyncIterator[None]:
    await club.db.execute(TABLES)
    await reload(club)
    yield
    await club.db.execute("drop table sought_texts, sought_partly, sought_computed, sought_old cascade")
    await reload(club)


async def reload(club: Minato) -> None:
    await club.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]


def drawn_text(drawn: random.Random) -> str:
    return "".join(drawn.choices(LETTERS, k=drawn.randint(0, 6)))


async def by_ilike(db: asyncpg.Connection, pattern: str) -> list[int] | str:
    try:
        rows = await db.fetch("select id from sought_texts where plain ilike $1 order by id", pattern)
    except asyncpg.PostgresError as error:
        return str(error.sqlstate)
    return [row["id"] for row in rows]


async def by_request(anon: httpx.AsyncClient, pattern: str) -> list[int] | str:
    answer = await anon.get("/sought_texts", params={"select": "id", "plain": f"ilike.{pattern}", "order": "id"})
    return [row["id"] for row in answer.json()] if answer.is_success else str(answer.json()["code"])


@pytest.mark.parametrize("seed", range(of_hundred(2)))
async def test_what_ilike_finds_and_refuses_is_found_and_refused(
    club: Minato, anon: httpx.AsyncClient, seed: int
) -> None:
    drawn = random.Random(seed)
    rows = [(number, drawn_text(drawn)) for number in range(400)]
    await club.db.execute("truncate sought_texts")
    await club.db.executemany("insert into sought_texts values ($1, $2)", [*rows, (400, None)])
    found, refused = 0, 0
    for _ in range(150):
        text = drawn.choice(rows)[1] if drawn.random() < 0.5 else drawn_text(drawn)
        pattern = drawn.choice(["{}", "%{}%", "{}%", "_{}", "{}\\"]).format(drawn.choice([text, text.swapcase()]))
        told = await by_request(anon, pattern)
        assert told == await by_ilike(club.db, pattern), pattern
        found, refused = found + (told != []), refused + isinstance(told, str)
    assert found > 50 > refused > 5


async def shown(anon: httpx.AsyncClient, path: str, method: str = "GET") -> str:
    answer = await anon.request(method, path, headers={"accept": "application/vnd.pgrst.plan+text"})
    assert answer.is_success, answer.text
    return answer.text


@pytest.mark.parametrize(
    ("path", "filtered"),
    [
        ("/sought_texts?plain=ilike.*a*", ANEW),
        ("/sought_texts?short=ilike.*a*", ANEW),
        ("/sought_texts?or=(plain.not.ilike.*a*,id.eq.1)", ANEW),
        ("/sought_texts?keyed=ilike.*a*", BY_INDEX),
        ("/sought_texts?fixed=ilike.*a*", BY_INDEX),
        ("/sought_texts?other=ilike.*a*", BY_INDEX),
        ("/sought_texts?plain=ilike(any).{*a*,b}", BY_INDEX),
        ("/sought_partly?plain=ilike.*a*", BY_INDEX),
        ("/sought_computed?plain=ilike.*a*", BY_INDEX),
        ("/sought_old?plain=ilike.*a*", BY_INDEX),
        ("/sought_seen?plain=ilike.*a*", BY_INDEX),
    ],
)
async def test_ilike_stays_where_an_index_may_help(anon: httpx.AsyncClient, path: str, filtered: str) -> None:
    text = await shown(anon, path)
    assert filtered in text
    assert ({ANEW, BY_INDEX} - {filtered}).pop() not in text


async def test_an_index_is_used_as_soon_as_it_is_there(club: Minato, anon: httpx.AsyncClient) -> None:
    assert ANEW in await shown(anon, "/sought_texts?plain=ilike.1*")
    await club.db.execute("create index sought_plain on sought_texts (plain text_pattern_ops)")
    try:
        await reload(club)
        assert ANEW not in await shown(anon, "/sought_texts?plain=ilike.1*")
    finally:
        await club.db.execute("drop index sought_plain")
        await reload(club)


async def test_changes_are_made_to_the_rows_that_ilike_finds(club: Minato, anon: httpx.AsyncClient) -> None:
    await club.db.execute(
        "truncate sought_texts; insert into sought_texts values (1, 'Anger'), (2, 'aNGER'), (3, 'other')"
    )
    sent = {"prefer": "return=representation,tx=rollback"}
    changed = await anon.patch("/sought_texts?plain=ilike.ANG*&select=id&order=id", json={"short": "x"}, headers=sent)
    assert changed.json() == [{"id": 1}, {"id": 2}]
    gone = await anon.delete("/sought_texts?plain=not.ilike.ang*&select=id", headers=sent)
    assert gone.json() == [{"id": 3}]
