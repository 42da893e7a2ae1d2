"""The cache of the schema is never stale."""

from __future__ import annotations

import httpx

from tests.support.server import Minato


async def test_a_table_made_a_moment_ago_is_served(club: Minato, anon: httpx.AsyncClient) -> None:
    assert (await anon.get("/brand_new")).status_code == 404
    await club.db.execute("create table brand_new (id int primary key)")
    assert (await anon.get("/brand_new")).json() == []


async def test_a_foreign_key_made_a_moment_ago_can_be_embedded(club: Minato, anon: httpx.AsyncClient) -> None:
    await club.db.execute("create table fresh (id int primary key, team_id int)")
    assert (await anon.get("/fresh?select=id,teams(id)")).status_code == 400
    await club.db.execute("alter table fresh add foreign key (team_id) references teams (id)")
    assert (await anon.get("/fresh?select=id,teams(id)")).status_code == 200


async def test_a_column_made_a_moment_ago_can_be_written(club: Minato, anon: httpx.AsyncClient) -> None:
    await club.db.execute("create table widening (id int primary key)")
    await anon.get("/widening")
    await club.db.execute("alter table widening add column added text")
    answer = await anon.post(
        "/widening", json={"id": 1, "added": "x"}, headers={"prefer": "return=representation, tx=rollback"}
    )
    assert answer.json() == [{"id": 1, "added": "x"}]


async def test_a_function_made_a_moment_ago_can_be_called(club: Minato, anon: httpx.AsyncClient) -> None:
    await club.db.execute("create function just_made() returns int language sql as 'select 7'")
    assert (await anon.post("/rpc/just_made")).json() == 7
