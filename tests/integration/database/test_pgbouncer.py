"""Requests through a real PgBouncer in transaction mode, everything else past it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from minato.cli.pooler import tell_of_pooler
from minato.cli.progress import Progress
from minato.cli.target import foreign_target
from minato.config import Settings
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.database import Database
from minato.database.forgetful import PoolerKeepsState
from pydantic import SecretStr

from tests.support.pgbouncer import knows_prepared_statements, pgbouncer
from tests.support.postgres import Cluster
from tests.support.schema_cache import known
from tests.support.server import JWT_SECRET, Minato, running, settings_for

SCHEMA = """
    create table public.notes (id serial primary key, author uuid default auth.uid(), body text);
    alter table public.notes enable row level security;
    create policy own on public.notes to authenticated using (author = auth.uid());
    create function public.stay(name text, value text) returns text language sql
        as 'select set_config(name, value, false)';
    create function public.prepared() returns bigint language sql as 'select count(*) from pg_prepared_statements';
    create function public.hold() returns void language sql as 'select pg_advisory_lock(7)';
    create function public.left_behind() returns json language sql as $$ select json_build_object(
        'mine', current_setting('app.mine', true), 'timeout', current_setting('lock_timeout'), 'role', current_user,
        'locks', (select count(*) from pg_locks
                   where locktype = 'advisory' and objid = 7 and pid = pg_backend_pid())) $$;
    notify pgrst, 'reload schema';
"""


def through(port: int, address: DatabaseAddress, prepares: bool | None = None) -> DatabaseSettings:
    database = urlsplit(address.admin).path
    settings = DatabaseSettings(
        database_url=SecretStr(f"postgresql://supabase_admin@127.0.0.1:{port}{database}"),
        direct_url=SecretStr(address.admin),
    )
    return settings if prepares is None else settings.model_copy(update={"prepared_statements": prepares})


@pytest.fixture(params=[False, True] if knows_prepared_statements() else [False], ids=lambda prepares: f"{prepares=}")
async def pooled(
    request: pytest.FixtureRequest, cluster: Cluster, address: DatabaseAddress, tmp_path: Path
) -> AsyncIterator[Minato]:
    """A server behind one, from 1.21 on also with questions that are prepared."""
    folder = tmp_path / "pooler"
    folder.mkdir()
    async with pgbouncer(cluster, folder, prepares=request.param) as port:
        database = through(port, address, prepares=request.param)
        async with running(address, settings_for(tmp_path / "data", database=database)) as minato:
            await known(minato, SCHEMA)
            yield minato


async def test_many_callers_at_once_write_and_read_their_own_rows(pooled: Minato) -> None:
    async def somebody(number: int) -> None:
        token = pooled.token(f"00000000-0000-4000-8000-{number:012}")
        async with pooled.client(token) as client:
            for body in range(8):
                answer = await client.post("/rest/v1/notes", json={"body": str(body)})
                assert answer.status_code == 201, answer.text
                rows = (await client.get(f"/rest/v1/notes?select=body&order=id&limit={body + 1}")).json()
                assert rows == [{"body": str(each)} for each in range(body + 1)]

    await asyncio.gather(*(somebody(number) for number in range(12)))
    count = """select count(*) from pg_stat_activity where datname = current_database()
               and usename = 'authenticator' and application_name not like 'minato %'"""
    assert 1 <= await pooled.db.fetchval(count) <= 3


async def test_what_needs_a_second_round_trip_stays_in_one_transaction(pooled: Minato) -> None:
    async with pooled.client(pooled.token("00000000-0000-4000-8000-000000000001")) as client:
        await client.post("/rest/v1/notes", json=[{"body": "a"}, {"body": "b"}])
        single = {"accept": "application/vnd.pgrst.object+json", "prefer": "return=representation"}
        refused = await client.patch("/rest/v1/notes?id=gt.0", json={"body": "c"}, headers=single)
        assert (refused.status_code, refused.json()["code"]) == (406, "PGRST116")
        assert [row["body"] for row in (await client.get("/rest/v1/notes?order=id")).json()] == ["a", "b"]


async def test_nothing_a_caller_left_behind_reaches_the_next(pooled: Minato) -> None:
    async with pooled.client() as one, pooled.client(pooled.service_role_key) as other:
        for name, value in (("app.mine", "secret"), ("lock_timeout", "77s"), ("role", "service_role")):
            await one.post("/rest/v1/rpc/stay", json={"name": name, "value": value})
        await one.post("/rest/v1/rpc/hold")
        for _ in range(6):
            told = (await other.post("/rest/v1/rpc/left_behind")).json()
            assert (told["mine"] or "", told["timeout"], told["locks"]) == ("", "8s", 0)


async def test_statements_are_prepared_where_they_may_be_and_planned_anew_for_a_changed_table(pooled: Minato) -> None:
    prepares = pooled.backend.database.settings.prepared_statements
    async with pooled.client(pooled.service_role_key) as client:
        for columns in range(1, 6):
            await client.get(f"/rest/v1/notes?select={','.join(['id'] * columns)}")
            # The reset behind each transaction forgets those of others: the settings and the call are there, or none.
            assert (await client.post("/rest/v1/rpc/prepared")).json() == (2 if prepares else 0)
        await client.post("/rest/v1/notes", json={"body": "a"})
        for column, default in (("first", 7), ("second", 8)):
            await known(pooled, f"alter table public.notes add {column} int default {default}")
            for _ in range(6):
                (row,) = (await client.get("/rest/v1/notes?id=gt.0")).json()
                assert row[column] == default


async def test_auth_storage_and_changes_of_the_schema_work_beside_it(pooled: Minato) -> None:
    async with pooled.client(pooled.service_role_key) as client:
        signed = {"email": "a@example.com", "password": "long enough 1"}
        made = await client.post("/auth/v1/admin/users", json={**signed, "email_confirm": True})
        assert made.status_code == 200
        assert (await client.post("/auth/v1/token?grant_type=password", json=signed)).status_code == 200
        assert (await client.post("/storage/v1/bucket", json={"name": "papers", "id": "papers"})).status_code == 200
        assert (await client.post("/storage/v1/object/papers/a.txt", content=b"a")).status_code == 200
        assert (await client.get("/storage/v1/object/papers/a.txt")).content == b"a"


async def test_a_pooler_that_resets_nothing_is_refused(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path
) -> None:
    async with pgbouncer(cluster, tmp_path, resets=False) as port:
        database = Database(address, through(port, address), 2)
        with pytest.raises(PoolerKeepsState, match="server_reset_query_always = 1"):
            await database.open()
        await database.close()


async def test_an_operator_whose_address_is_a_poolers_is_told_what_needs_another(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path
) -> None:
    told: list[str] = []
    async with pgbouncer(cluster, tmp_path) as port:
        pooled = through(port, address)
        for database in (pooled, pooled.model_copy(update={"direct_url": None})):
            settings = Settings(database=database)
            target = foreign_target(settings, JWT_SECRET)
            await asyncio.to_thread(tell_of_pooler, settings, target, Progress(quiet=True, warn=told.append))
    assert len(told) == 1
    assert "DATABASE_URL leads to a connection pooler" in told[0]
    assert "DATABASE_DIRECT_URL" in told[0]
