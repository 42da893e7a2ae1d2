"""No member takes what everybody needs: sessions, rows, bytes, the planner's and the executor's time."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from minato.config.connections import ConnectionSettings
from minato.config.database import DatabaseSettings
from minato.config.rest import RestSettings
from minato.config.server import ServerSettings
from minato.database.address import DatabaseAddress

from tests.support.server import Minato, running, settings_for
from tests.support.slow_client import SlowClient, request, until

MEBIBYTE = 1024 * 1024
LOCK = 4711
FUNCTIONS = f"""
create function wait_for_the_test() returns int language sql volatile as
  $$ select pg_advisory_xact_lock_shared({LOCK}); select 1 $$;
create function mebibytes(n int) returns text language sql stable as $$ select repeat('x', n * {MEBIBYTE}) $$;
create function mebibytes_written(n int) returns text language sql volatile as
  $$ select repeat('x', n * {MEBIBYTE}) $$;
notify pgrst, 'reload schema';
"""
MEMBER, OTHER = "8c4b3a10-0000-4000-8000-000000000001", "8c4b3a10-0000-4000-8000-000000000002"


@pytest.fixture
async def server(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    """One where stalled readers are left alone, so that nothing but fairness helps; with a small largest row."""
    settings = settings_for(
        tmp_path,
        connections=ConnectionSettings(reader_timeout=600),
        database=DatabaseSettings(pool_size=6, spool_after=0.1, largest_row=8 * MEBIBYTE),
    )
    async with running(address, settings) as server:
        await server.db.execute(FUNCTIONS)
        await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        yield server


def in_use(server: Minato) -> int:
    pool = server.backend.database.sessions
    return pool._open - pool.idle


async def test_one_member_never_holds_all_sessions(server: Minato) -> None:
    await server.db.execute(f"select pg_advisory_lock({LOCK})")
    async with server.client(server.token(MEMBER)) as member, server.client(server.token(OTHER)) as other:
        waiting = [asyncio.create_task(member.post("/rest/v1/rpc/wait_for_the_test")) for _ in range(12)]
        await until(lambda: server.backend.database.sessions.waiting >= 9)
        answers = [await other.get("/rest/v1/profiles?limit=1") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200] * 5
        assert not any(task.done() for task in waiting)
        await server.db.execute(f"select pg_advisory_unlock({LOCK})")
        assert {(await task).status_code for task in waiting} == {200}


async def test_nobody_holds_all_sessions_by_the_many_addresses_of_one_subscriber(
    address: DatabaseAddress, tmp_path: Path
) -> None:
    proxied = ServerSettings(data_dir=tmp_path, web_root=None, trusted_proxies=["127.0.0.1"])
    async with running(address, settings_for(tmp_path, server=proxied)) as server:
        await server.db.execute(FUNCTIONS)
        await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        await server.db.execute(f"select pg_advisory_lock({LOCK})")
        async with server.client() as client:
            headers = [{"x-forwarded-for": f"2001:db8::{number:x}"} for number in range(12)]
            path = "/rest/v1/rpc/wait_for_the_test"
            waiting = [asyncio.create_task(client.post(path, headers=each)) for each in headers]
            await until(lambda: server.backend.database.sessions.waiting > 0)
            elsewhere = await client.get("/rest/v1/agent_posts?limit=1", headers={"x-forwarded-for": "2001:db8:1::1"})
            assert elsewhere.status_code == 200
            assert not any(task.done() for task in waiting)
            await server.db.execute(f"select pg_advisory_unlock({LOCK})")
            assert {(await task).status_code for task in waiting} == {200}


async def test_who_leaves_the_line_leaves_nothing_behind(server: Minato) -> None:
    await server.db.execute(f"select pg_advisory_lock({LOCK})")
    async with server.client(server.token(MEMBER)) as member:
        waiting = [asyncio.create_task(member.post("/rest/v1/rpc/wait_for_the_test")) for _ in range(12)]
        await until(lambda: server.backend.database.sessions.waiting >= 9)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await until(lambda: server.backend.database.sessions.waiting == 0)
    await server.db.execute(f"select pg_advisory_unlock({LOCK})")
    await until(lambda: in_use(server) == 0)
    async with server.client(server.token(MEMBER)) as member:
        answers = await asyncio.gather(*(member.get("/rest/v1/profiles?limit=1") for _ in range(12)))
    assert {answer.status_code for answer in answers} == {200}


async def test_a_large_answer_frees_its_session_before_its_reader_is_done(server: Minato) -> None:
    clients = [await SlowClient.connect(server.url) for _ in range(8)]
    path = "/rest/v1/rpc/mebibytes?n=6"
    for client in clients:
        await client.send(request(path, server.token(MEMBER), connection="close"))
        assert await client.receive(1) == b"H"
    await until(lambda: in_use(server) == 0)
    for client in clients:
        _, _, body = (await client.everything()).partition(b"\r\n\r\n")
        client.close()
        assert hashlib.md5(body).digest() == hashlib.md5(b'"' + b"x" * 6 * MEBIBYTE + b'"').digest()
    assert server.backend.database._spool._left == server.backend.settings.database.spool_bytes


@pytest.mark.parametrize("function", ["mebibytes", "mebibytes_written"])
async def test_an_answer_above_the_limit_is_refused(server: Minato, function: str) -> None:
    async with server.client(server.token(MEMBER)) as member:
        for _ in range(8):
            answer = await member.post(f"/rest/v1/rpc/{function}", json={"n": 9})
            assert (answer.status_code, answer.json()["message"]) == (413, "The result is larger than 8388608 bytes")
        assert (await member.post(f"/rest/v1/rpc/{function}", json={"n": 7})).status_code == 200
    assert in_use(server) == 0


def nested(levels: int) -> str:
    """`reviews` and `profiles` in each other, so many levels below profiles."""
    select = "created_at"
    for level in range(levels, 0, -1):
        table = "reviews" if level % 2 else "profiles"
        select = f"e{level}:{table}!reviews_reviewed_id_fkey({select})"
    return select


async def test_embeds_are_bounded_in_depth(minato: Minato) -> None:
    async with minato.client() as client:
        for levels, status in ((10, 200), (11, 400)):
            answer = await client.get("/rest/v1/profiles", params={"select": nested(levels), "limit": "0"})
            assert answer.status_code == status, answer.text
    assert answer.json()["message"] == "At most 10 levels of relations may be embedded"


async def test_embeds_are_bounded_in_number_whatever_their_level(address: DatabaseAddress, tmp_path: Path) -> None:
    few = settings_for(tmp_path, rest=RestSettings(max_embeds=4))
    reviews = "reviews!reviews_reviewed_id_fkey"
    four = f"a:{reviews}(id),b:{reviews}(id,c:profiles!reviews_reviewed_id_fkey(id)),d:{reviews}(id)"
    async with running(address, few) as server, server.client() as client:
        for select, status in ((four, 200), (f"{four},e:{reviews}(id)", 400)):
            answer = await client.get("/rest/v1/profiles", params={"select": select, "limit": "0"})
            assert answer.status_code == status, answer.text
    assert (answer.json()["code"], answer.json()["message"]) == ("PGRSTX01", "At most 4 relations may be embedded")


async def test_a_request_embeds_no_more_than_a_hundred_relations(minato: Minato) -> None:
    many = ",".join(f"r{number}:reviews!reviews_reviewed_id_fkey(id)" for number in range(101))
    async with minato.client() as client:
        answer = await client.get("/rest/v1/profiles", params={"select": many, "limit": "0"})
    assert (answer.status_code, answer.json()["code"]) == (400, "PGRSTX01")


async def test_a_setting_lifts_the_limits_on_embeds(address: DatabaseAddress, tmp_path: Path) -> None:
    free = settings_for(tmp_path, rest=RestSettings(max_embeds=None, max_embed_depth=None))
    async with running(address, free) as server, server.client() as client:
        answer = await client.get("/rest/v1/profiles", params={"select": nested(12), "limit": "0"})
        assert answer.status_code == 200
