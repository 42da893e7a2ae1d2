"""Clients send the same headers again and again. What is remembered of them is never another's, nor of another time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import httpx
import minato.rest.prelude
import pytest
from minato.database.as_caller import Setting, caller_settings

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

FIRST, SECOND = "11111111-1111-1111-1111-111111111111", "22222222-2222-2222-2222-222222222222"
ALTER = "do $$ begin execute format('alter role authenticator in database %I {}', current_database()); end $$"
ALTER_USERS = ALTER.replace("role authenticator", "role authenticated")
ASKED = """
    create function public.asked(a int default 0) returns json language plpgsql stable as $$ begin
        perform set_config('response.headers', format('[{"X-Method": "%s"}]', current_setting('request.method')), true);
        return json_build_object('role', current_user, 'sub', current_setting('request.jwt.claims')::json->>'sub',
            'method', current_setting('request.method'), 'path', current_setting('request.path'),
            'headers', current_setting('request.headers')::json, 'cookies', current_setting('request.cookies')::json,
            'timeout', current_setting('statement_timeout'), 'zone', current_setting('timezone'));
    end $$;
    grant execute on function public.asked to anon, authenticated;
    create table public.numbers (id int primary key);
    insert into public.numbers select generate_series(1, 100);
    grant select on public.numbers to anon, authenticated;
    notify pgrst, 'reload schema';
"""


@pytest.fixture(scope="module")
async def server(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    settings = settings_for(tmp_path_factory.mktemp("data"))
    async with cluster.fresh_database() as address, running(address, settings) as served:
        await served.db.execute(ASKED)
        async with served.client() as client, asyncio.timeout(PATIENCE):
            while (await client.get("/rest/v1/rpc/asked")).status_code != 200:
                pass
        yield served


async def asked(client: httpx.AsyncClient, **headers: str) -> dict[str, object]:
    answer = await client.get("/rest/v1/rpc/asked?a=1", headers=headers)
    assert answer.status_code == 200, answer.text
    seen: dict[str, object] = answer.json()
    return seen


async def until_asked(client: httpx.AsyncClient, is_so: Callable[[dict[str, object]], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so(await asked(client)):
            pass


async def test_callers_who_take_turns_are_each_themselves(server: Minato) -> None:
    async with server.client() as nobody, server.client(server.token(FIRST)) as first:
        for _ in range(3):
            assert ((seen := await asked(nobody))["role"], seen["sub"]) == ("anon", None)
            assert ((seen := await asked(first))["role"], seen["sub"]) == ("authenticated", FIRST)
            # On one connection, which a proxy would share between them.
            other = await asked(first, authorization=f"Bearer {server.token(SECOND)}")
            assert (other["role"], other["sub"]) == ("authenticated", SECOND)


async def test_each_request_has_an_id_of_its_own(server: Minato) -> None:
    async with server.client() as client:
        answers = [await client.get("/rest/v1/rpc/asked?a=2") for _ in range(4)]
        ids = [answer.json()["headers"]["x-request-id"] for answer in answers]
        assert len(set(ids)) == 4
        assert ids == [answer.headers["x-request-id"] for answer in answers]
        for own in ("mine", "also-mine", "mine"):
            seen = await asked(client, **{"x-request-id": own})
            assert seen["headers"]["x-request-id"] == own  # type: ignore[index]


async def test_other_headers_and_cookies_are_seen_by_their_own_request_alone(server: Minato) -> None:
    async with server.client() as client:
        for value in ("a", "b", "a", '"\\', "\\u0001id\\u0001", "é"):
            seen = (await client.get("/rest/v1/rpc/asked", headers=[(b"x-mine", value.encode("latin-1"))])).json()
            assert seen["headers"]["x-mine"] == value
            seen = await asked(client, cookie="c=1")
            assert (seen["cookies"], seen["headers"].get("x-mine")) == ({"c": "1"}, None)  # type: ignore[attr-defined]
            assert (await asked(client))["cookies"] == {}
            assert (await asked(client, prefer="timezone=Asia/Tokyo"))["zone"] == "Asia/Tokyo"
            assert (await asked(client))["zone"] != "Asia/Tokyo"


async def test_sql_sees_the_method_and_the_path_of_each_request(server: Minato) -> None:
    async with server.client(server.token(FIRST)) as client:
        for _ in range(3):
            for method in ("GET", "HEAD", "POST"):
                answer = await client.request(method, "/rest/v1/rpc/asked")
                assert answer.headers["x-method"] == method
            assert (await client.get("/rest/v1/rpc/%61sked")).json()["path"] == "/rpc/%61sked"
            assert (await client.get("/rest/v1/rpc/asked")).json()["path"] == "/rpc/asked"


async def test_a_token_that_expires_between_two_requests_is_refused(server: Minato) -> None:
    async with server.client(server.token(FIRST)) as client:
        assert [(await asked(client))["sub"] for _ in range(3)] == [FIRST] * 3
        server.backend.clock.advance(timedelta(seconds=3600 + 31))
        try:
            answer = await client.get("/rest/v1/rpc/asked?a=1")
            assert (answer.status_code, answer.json()["message"]) == (401, "JWT expired")
        finally:
            server.backend.clock.advance(-timedelta(seconds=3600 + 31))
        assert (await asked(client))["sub"] == FIRST


async def test_a_token_is_refused_before_its_time_as_after_it(server: Minato) -> None:
    begins = int(server.backend.clock.timestamp()) + 10
    async with server.client(server.token(FIRST, nbf=begins)) as client:
        # Within the skew.
        assert (await asked(client))["sub"] == FIRST
        server.backend.clock.advance(-timedelta(seconds=60))
        try:
            answer = await client.get("/rest/v1/rpc/asked?a=1")
            assert (answer.status_code, answer.json()["message"]) == (401, "JWT not yet valid")
        finally:
            server.backend.clock.advance(timedelta(seconds=60))


async def test_a_token_of_a_key_that_was_rotated_is_refused(server: Minato) -> None:
    async with server.client(server.token(FIRST)) as client:
        assert (await asked(client))["sub"] == FIRST
        await server.db.execute(ALTER.format(f"set pgrst.jwt_secret = ''{'other ' * 10}''"))
        try:
            await server.db.execute("notify pgrst, 'reload config'")
            async with asyncio.timeout(PATIENCE):
                while (await client.get("/rest/v1/rpc/asked?a=1")).status_code != 401:
                    pass
        finally:
            await server.db.execute(ALTER.format("reset pgrst.jwt_secret"))
            await server.db.execute("notify pgrst, 'reload config'")
        async with asyncio.timeout(PATIENCE):
            while (await client.get("/rest/v1/rpc/asked?a=1")).status_code != 200:
                pass


async def test_who_a_token_stands_for_follows_the_settings(server: Minato) -> None:
    async with server.client(server.token(FIRST, elsewhere="anon")) as client:
        assert (await asked(client))["role"] == "authenticated"
        await server.db.execute(ALTER.format("set pgrst.jwt_role_claim_key = ''.elsewhere''"))
        try:
            await server.db.execute("notify pgrst, 'reload config'")
            await until_asked(client, lambda seen: seen["role"] == "anon")
        finally:
            await server.db.execute(ALTER.format("reset pgrst.jwt_role_claim_key"))
            await server.db.execute("notify pgrst, 'reload config'")
        await until_asked(client, lambda seen: seen["role"] == "authenticated")


async def test_settings_of_a_role_are_made_as_they_are_after_a_reload(server: Minato) -> None:
    async with server.client(server.token(FIRST)) as client:
        assert (await asked(client))["timeout"] != "4321s"
        await server.db.execute(ALTER_USERS.format("set statement_timeout = ''4321s''"))
        try:
            await server.db.execute("notify pgrst, 'reload schema'; notify pgrst, 'reload config'")
            await until_asked(client, lambda seen: seen["timeout"] == "4321s")
        finally:
            await server.db.execute(ALTER_USERS.format("reset statement_timeout"))
            await server.db.execute("notify pgrst, 'reload schema'; notify pgrst, 'reload config'")
        await until_asked(client, lambda seen: seen["timeout"] != "4321s")


async def test_settings_are_made_once_for_requests_that_differ_in_their_values(
    server: Minato, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[Setting]] = []

    def counted(*given: object) -> list[Setting]:
        made.append(caller_settings(*given))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr(minato.rest.prelude, "caller_settings", counted)
    async with server.client(server.token(FIRST)) as client:
        for number in range(1, 31):
            answer = await client.get(f"/rest/v1/numbers?id=eq.{number}")
            assert answer.json() == [{"id": number}]
    # Some, and again after a reload that came meanwhile; not one for each request.
    assert 0 < len(made) < 10
