"""Nothing of one request is left for the next on a pooled connection, and a lost one is an answer, not an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from tests.integration.robustness.wire import connection, request, settled
from tests.support.cron import without_jobs
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

SCHEMA = """
create function public.leave_setting() returns text language sql volatile
    as $$ select set_config('app.secret', 'mine', false) || set_config('request.jwt.claims', '{"role":"x"}', false) $$;
create function public.leave_path() returns text language sql volatile
    as $$ select set_config('search_path', 'pg_temp', false) $$;
create function public.leave_role() returns text language sql volatile
    as $$ select set_config('role', 'anon', false) $$;
create function public.leave_role_by_set() returns void language plpgsql volatile
    as $$ begin execute 'set session role anon'; end $$;
create function public.leave_timeout() returns text language sql volatile
    as $$ select set_config('statement_timeout', '1', false) $$;
create function public.leave_zone() returns text language sql volatile
    as $$ select set_config('timezone', 'Asia/Tokyo', false) || set_config('datestyle', 'German', false) $$;
create function public.leave_table() returns void language plpgsql volatile
    as $$ begin create temp table if not exists notes (id int); perform pg_advisory_lock(4711); end $$;
create function public.left_over() returns json language sql stable as $$ select json_build_object(
    'secret', nullif(current_setting('app.secret', true), ''), 'role', current_user,
    'claimed', current_setting('request.jwt.claims')::json ->> 'role', 'path', current_setting('search_path'),
    'locks', (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()),
    'temporary', to_regclass('pg_temp.notes'), 'timeout', current_setting('statement_timeout'),
    'zone', current_setting('timezone') || current_setting('datestyle')) $$;
create function public.wait(seconds float) returns void language sql volatile as $$ select pg_sleep(seconds) $$;
create function public.end_myself() returns void language sql volatile security definer
    as $$ select pg_terminate_backend(pg_backend_pid()) $$;
create function public.in_time() returns void language sql volatile set statement_timeout = '50ms'
    as $$ select pg_sleep(30) $$;
create table public.notes (id int primary key, body text);
grant all on public.notes to anon, authenticated, service_role;
create function storage.leave() returns trigger language plpgsql as $$ begin
    perform set_config('app.secret', 'mine', false); return new; end $$;
create trigger leave before insert or update on storage.objects for each row execute function storage.leave();
create function storage.secret() returns text language sql as $$ select current_setting('app.secret', true) $$;
"""
LEAVERS = [
    "leave_setting",
    "leave_path",
    "leave_role",
    "leave_role_by_set",
    "leave_timeout",
    "leave_zone",
    "leave_table",
]


@pytest.fixture(scope="module")
async def server(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """A server whose database has functions that misbehave, and no job of its own that comes and goes."""
    async with without_jobs(cluster) as address, running(address, settings_for(tmp_path_factory.mktemp("d"))) as it:
        await it.db.execute(SCHEMA)
        await it.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        yield it


async def left_over(server: Minato, token: str) -> dict[str, object]:
    async with server.client(token) as client:
        answer = await client.get("/rest/v1/rpc/left_over")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.mark.parametrize("leaver", LEAVERS)
async def test_what_a_function_leaves_in_its_session_is_gone(server: Minato, leaver: str) -> None:
    clean = await left_over(server, server.token())
    async with server.client(server.service_role_key) as client:
        for _ in range(3):
            answer = await client.post(f"/rest/v1/rpc/{leaver}")
            assert answer.status_code < 300, answer.text
            assert await left_over(server, server.token()) == clean
    assert (clean["role"], clean["claimed"], clean["secret"]) == ("authenticated", "authenticated", None)


async def test_callers_at_the_same_time_never_see_each_other(server: Minato) -> None:
    tokens = {"anon": server.anon_key, "authenticated": server.token(), "service_role": server.service_role_key}
    roles = list(tokens) * 20
    seen = await asyncio.gather(*(left_over(server, tokens[role]) for role in roles))
    assert [(one["role"], one["claimed"]) for one in seen] == [(role, role) for role in roles]


async def test_what_a_trigger_leaves_in_storages_session_is_gone(server: Minato) -> None:
    async with server.client(server.service_role_key) as client:
        await client.post("/storage/v1/bucket", json={"name": "left"})
        for number in range(8):
            await client.post(f"/storage/v1/object/left/{number}", content=b"x")
    for role in ("authenticator", "service_role"):
        engine = server.backend.database.engine(role)
        async with engine.connect() as session:
            secret = await session.exec_driver_sql("select nullif(current_setting('app.secret', true), '')")
            assert secret.scalar() is None, role


async def test_a_statement_that_takes_too_long_is_the_documented_error(server: Minato) -> None:
    await server.db.execute("alter function public.wait(float) set statement_timeout = '50ms'")
    await server.db.execute("alter role anon set statement_timeout = '50ms'")
    await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
    async with server.client() as client:
        answer = await client.post("/rest/v1/rpc/wait", json={"seconds": 30})
        assert (answer.status_code, answer.json()["code"]) == (500, "57014")
        assert answer.json()["message"] == "canceling statement due to statement timeout"
        assert (await client.get("/rest/v1/notes")).json() == []
    await server.db.execute("alter role anon reset statement_timeout")
    await server.db.execute("alter function public.wait(float) reset statement_timeout")
    await server.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]


async def test_a_backend_that_is_ended_is_503_and_the_next_request_works(server: Minato) -> None:
    async with server.client(server.token()) as client:
        for _ in range(3):
            answer = await client.post("/rest/v1/rpc/end_myself")
            assert answer.status_code == 503, answer.text
            assert answer.json()["code"] in ("57P01", "PGRST001")
            assert "retry-after" in answer.headers
            assert (await client.get("/rest/v1/notes")).status_code == 200


async def test_every_idle_session_may_be_ended_between_two_requests(server: Minato) -> None:
    # Each is waited for: one that is still ending would take a request with it.
    ended = "select pg_terminate_backend(pid, 30000) from pg_stat_activity"
    query = f"{ended} where datname = current_database() and pid <> $1"
    async with server.client(server.service_role_key) as client:
        for path in ("/rest/v1/notes", "/auth/v1/admin/users", "/storage/v1/bucket"):
            assert (await client.get(path)).status_code == 200
        await server.db.execute(query, server.db.get_server_pid())
        for path in ("/rest/v1/notes", "/auth/v1/admin/users", "/storage/v1/bucket"):
            answers = [await client.get(path) for _ in range(3)]
            assert answers[-1].status_code == 200, (path, answers[-1].text)
            assert {answer.status_code for answer in answers} <= {200, 503}, (path, answers)


async def test_without_a_database_every_service_says_so_and_comes_back(cluster: Cluster, tmp_path: Path) -> None:
    paths = ["/rest/v1/reviews", "/auth/v1/admin/users", "/storage/v1/bucket"]
    async with cluster.fresh_database() as address, running(address, settings_for(tmp_path)) as server:
        name = await server.db.fetchval("select current_database()")
        owner = await asyncpg.connect(cluster.address("postgres").admin)
        async with server.client(server.service_role_key) as client:
            await owner.execute(f"alter database {name} allow_connections false")
            await owner.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", name)
            for _ in range(2):
                down = {path: await client.get(path) for path in paths}
            await owner.execute(f"alter database {name} allow_connections true")
            up = {path: (await client.get(path)).status_code for path in paths}
        await owner.close()
        assert up == dict.fromkeys(paths, 200)
        assert {path: answer.status_code for path, answer in down.items()} == dict.fromkeys(paths, 503), down
        assert down["/rest/v1/reviews"].json()["code"] == "PGRST000"
        assert "retry-after" in down["/rest/v1/reviews"].headers


UPLOADS = [
    (b"POST", b"/rest/v1/notes", b"text/csv", b"id,body\r\n1,cut\r\n"),
    (b"POST", b"/rest/v1/notes", b"application/json", b'{"id":2,"body":"cut"}'),
    (b"POST", b"/auth/v1/signup", b"application/json", b'{"email":"cut@example.com","password":"a long one 1"}'),
    (b"POST", b"/storage/v1/bucket", b"application/json", b'{"name":"cut"}'),
    (b"POST", b"/storage/v1/object/kept/cut", b"text/plain", b"half of it"),
    (b"POST", b"/realtime/v1/api/broadcast", b"application/json", b'{"messages":[]}'),
]
LEFT = """select (select count(*) from public.notes), (select count(*) from auth.users),
    (select count(*) from storage.buckets), (select count(*) from storage.objects)"""


@pytest.mark.parametrize(("method", "path", "kind", "body"), UPLOADS, ids=lambda value: str(value)[:30])
async def test_a_client_that_leaves_in_its_upload_leaves_nothing(
    server: Minato, method: bytes, path: bytes, kind: bytes, body: bytes
) -> None:
    async with server.client(server.service_role_key) as client:
        await client.post("/storage/v1/bucket", json={"name": "kept"})
    before, files = await server.db.fetchrow(LEFT), files_of(server)
    tasks = len(asyncio.all_tasks())
    key = [(b"apikey", server.service_role_key.encode()), (b"content-type", kind)]
    for declared in (b"Content-Length: 5000", b"Transfer-Encoding: chunked"):
        head = request(method, path, key).replace(b"Connection: close", declared)
        sent = body if b"Length" in declared else b"%x\r\n%s\r\n" % (len(body), body)
        async with connection(server) as (_, writer):
            writer.write(head + sent)
            await writer.drain()
            writer.transport.abort()
    assert await settled(server, tasks)
    assert await server.db.fetchrow(LEFT) == before
    assert files_of(server) == files


async def test_a_client_that_does_not_wait_for_its_answer_takes_its_query_along(server: Minato) -> None:
    tasks = len(asyncio.all_tasks())
    key = [(b"apikey", server.anon_key.encode()), (b"content-type", b"application/json")]
    for _ in range(5):
        async with connection(server) as (_, writer):
            writer.write(request(b"POST", b"/rest/v1/rpc/wait", key, b'{"seconds": 600}'))
            await writer.drain()
            await sleeping(server)
            writer.transport.abort()
    assert await settled(server, tasks)
    async with server.client() as client:
        assert (await client.get("/rest/v1/notes")).status_code == 200


async def test_a_client_that_leaves_in_its_download_leaves_no_task(server: Minato) -> None:
    async with server.client(server.service_role_key) as client:
        await client.post("/storage/v1/bucket", json={"name": "kept"})
        await client.put("/storage/v1/object/kept/large", content=b"x" * 20_000_000)
    tasks = len(asyncio.all_tasks())
    key = [(b"apikey", server.service_role_key.encode())]
    for _ in range(5):
        async with connection(server) as (reader, writer):
            writer.write(request(b"GET", b"/storage/v1/object/kept/large", key))
            assert (await reader.read(100)).startswith(b"HTTP/1.1 200")
            writer.transport.abort()
    assert await settled(server, tasks)


async def test_a_client_that_closes_only_its_sending_half_is_answered_or_dropped(server: Minato) -> None:
    tasks = len(asyncio.all_tasks())
    async with connection(server) as (reader, writer):
        writer.write(request(b"GET", b"/rest/v1/notes", [(b"apikey", server.anon_key.encode())]))
        writer.write_eof()
        answer = await asyncio.wait_for(reader.read(-1), PATIENCE)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 200")
    assert await settled(server, tasks)


async def sleeping(server: Minato) -> None:
    """Until the request's query is at work."""
    query = "select count(*) from pg_stat_activity where usename = 'authenticator' and wait_event = 'PgSleep'"
    for _ in range(1000):
        if await server.db.fetchval(query):
            return
        await asyncio.sleep(0.01)
    raise AssertionError("the query never began")


def files_of(server: Minato) -> set[Path]:
    return {path for path in server.backend.settings.server.data_dir.rglob("*") if path.is_file()}
