"""`/_dev/v1/clock`: time stands, passes and goes on, and whatever goes by the clock follows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from pydantic import SecretStr

from tests.support.postgres import Cluster
from tests.support.production import make_account, served
from tests.support.schema_cache import known
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

PASSWORD = "correct horse battery"
NOON = "2030-05-01T12:00:00.000Z"
TEXTS = """
    create table public.lots (id int primary key, until timestamptz not null, made timestamptz default now());
    alter table public.lots enable row level security;
    create policy open on public.lots for select to anon using (until > now());
    grant select on public.lots to anon;
    create view public.open_lots with (security_invoker) as select id from public.lots where until > now();
    grant select on public.open_lots to anon;
    create function public.told() returns timestamptz language plpgsql stable set search_path = '' as
        'begin return now(); end';
    insert into public.lots (id, until) values (1, now() + interval '1 day'), (2, now() + interval '30 days');
    notify pgrst, 'reload schema';
"""


@pytest.fixture(scope="module")
async def minato(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """One server whose clock every test sets back."""
    folder = tmp_path_factory.mktemp("clock")
    async with cluster.fresh_database() as address, running(address, settings_for(folder)) as server:
        await make_account(server, password=PASSWORD)
        await known(server, TEXTS)
        yield server


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as client:
        yield client
        (await client.put("/clock", json={"reset": True})).raise_for_status()


async def put(dev: httpx.AsyncClient, **move: Any) -> dict[str, Any]:
    answer = await dev.put("/clock", json=move)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def until_due(dev: httpx.AsyncClient, due: dict[str, str]) -> None:
    """Return as soon as that is what is due next."""
    async with asyncio.timeout(PATIENCE):
        while (await dev.get("/clock")).json()["next_due"] != [due]:
            pass


async def test_it_tells_the_real_time_until_it_is_moved(dev: httpx.AsyncClient) -> None:
    told = (await dev.get("/clock")).json()
    assert told["frozen"] is False
    assert abs(told["offset_s"]) < 1
    assert told["sql"] == "off"


async def test_a_token_expires_without_waiting(dev: httpx.AsyncClient, minato: Minato) -> None:
    signed_in = {"email": "anna@example.com", "password": PASSWORD}
    async with minato.client() as anybody:
        session = (await anybody.post("/auth/v1/token?grant_type=password", json=signed_in)).json()
    async with minato.client(session["access_token"]) as anna:
        assert (await anna.get("/auth/v1/user")).status_code == 200
        await put(dev, advance="1h5m")
        assert (await anna.get("/auth/v1/user")).status_code == 403
        refused = await anna.get("/rest/v1/lots")
        assert (refused.status_code, refused.json()["message"]) == (401, "JWT expired")


async def test_a_code_of_the_outbox_expires_with_it(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with minato.client() as anybody:
        (await anybody.post("/auth/v1/otp", json={"email": "anna@example.com"})).raise_for_status()
        (mail,) = (await anybody.get("/_dev/outbox", params={"to": "anna@example.com", "wait": 10})).json()
        await put(dev, advance="2h")
        code = {"type": "email", "email": "anna@example.com", "token": mail["token"]}
        answer = await anybody.post("/auth/v1/verify", json=code)
    assert answer.json()["error_code"] == "otp_expired"


async def test_it_stands_at_a_moment_until_it_is_let_go(dev: httpx.AsyncClient, minato: Minato) -> None:
    assert (await put(dev, freeze=NOON))["now"] == NOON
    assert minato.backend.clock.now() == datetime(2030, 5, 1, 12, tzinfo=UTC)
    assert (await put(dev, advance=90))["now"] == "2030-05-01T12:01:30.000Z"
    assert (await put(dev, freeze=False))["frozen"] is False
    assert minato.backend.clock.now().year == 2030
    assert (await put(dev, at="2029-01-01T00:00:00+09:00"))["now"].startswith("2028-12-31T15:00")


async def test_sql_follows_in_policies_views_defaults_and_functions(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with minato.client() as anybody:

        async def seen(table: str) -> list[int]:
            return [row["id"] for row in (await anybody.get(f"/rest/v1/{table}?order=id")).json()]

        assert await seen("lots") == await seen("open_lots") == [1, 2]
        assert (await put(dev, advance="2d", sql=True))["sql"] == "on"
        assert await seen("lots") == await seen("open_lots") == [2]
        await put(dev, freeze=NOON)
        assert await seen("lots") == []
        assert (await anybody.post("/rest/v1/rpc/told")).json() == "2030-05-01T12:00:00+00:00"
        await put(dev, at="2030-05-02T12:00:00Z")
        assert (await anybody.post("/rest/v1/rpc/told")).json().startswith("2030-05-02T12:0")
        assert (await put(dev, reset=True))["sql"] == "off"
        assert await seen("lots") == [1, 2]
    assert abs(await minato.db.fetchval("select now()") - datetime.now(UTC)) < timedelta(minutes=1)
    kept = await minato.db.fetchval("select prosrc from pg_proc where oid = 'pg_catalog.now()'::regprocedure")
    assert kept == "now"


async def test_a_default_of_a_row_written_meanwhile_is_of_that_time(dev: httpx.AsyncClient, minato: Minato) -> None:
    await put(dev, freeze=NOON, sql=True)
    row = {"id": 9, "until": NOON}
    async with minato.client(minato.service_role_key) as service:
        asked = {"prefer": "return=representation"}
        (made,) = (await service.post("/rest/v1/lots", json=row, headers=asked)).json()
        await service.delete("/rest/v1/lots?id=eq.9")
    assert made["made"] == "2030-05-01T12:00:00+00:00"


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"advance": "1h", "reset": True},
        {"advance": "yesterday"},
        {"advance": -5},
        {"advance": "1e999"},
        {"at": "2030-05-01T12:00:00"},
        {"at": "9999-12-31T23:59:59Z"},
        {"freeze": "0001-01-01T00:00:00Z"},
        {"advanse": 1},
        {"reset": False},
        {"freeze": 1},
    ],
    ids=str,
)
async def test_a_move_that_is_none_is_refused_and_nothing_moves(dev: httpx.AsyncClient, move: dict[str, Any]) -> None:
    answer = await dev.put("/clock", json=move)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text
    told = (await dev.get("/clock")).json()
    assert (told["frozen"], abs(told["offset_s"]) < 1) == (False, True)


async def test_a_time_after_all_is_too_far(dev: httpx.AsyncClient) -> None:
    answer = await dev.put("/clock", json={"advance": "9999999d"})
    assert (answer.status_code, answer.json()["code"]) == (409, "clock_too_far"), answer.text


async def test_jobs_of_cron_run_on_the_way_each_at_its_moment(cluster: Cluster, tmp_path: Path) -> None:
    async with cluster.bare_database() as address, running(address, settings_for(tmp_path)) as minato:
        await minato.db.execute("create extension pg_cron; create table ran (what text, at timestamptz default now())")
        await minato.db.execute("""
            select cron.schedule('nightly', '0 3 * * *', $$insert into ran values ('nightly')$$);
            select cron.schedule('hourly', '30 * * * *', $$insert into ran values ('hourly')$$);
        """)
        async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=60) as dev:
            await put(dev, freeze="2030-05-01T00:45:00Z", sql=True)
            await until_due(dev, {"what": "cron: hourly", "at": "2030-05-01T01:30:00.000Z"})
            told = await put(dev, advance="3h")
            assert told["ran"] == ["cron: hourly", "cron: hourly", "cron: nightly", "cron: hourly"]
            assert told["now"] == "2030-05-01T03:45:00.000Z"
            rows = await minato.db.fetch("select what || to_char(at at time zone 'utc', ' HH24:MI') from ran")
            assert [row[0] for row in rows] == ["hourly 01:30", "hourly 02:30", "nightly 03:00", "hourly 03:30"]
            await minato.db.execute("select cron.schedule('busy', '1 second', 'select 1')")
            await until_due(dev, {"what": "cron: busy", "at": "2030-05-01T03:45:01.000Z"})
            told = await put(dev, advance="1h")
            assert [told["ran"].count(f"cron: {job}") for job in ("hourly", "busy")] == [1, 100]


async def test_jobs_on_the_way_see_their_moment_in_sql_from_the_first_move_on_that_asks_for_it(
    cluster: Cluster, tmp_path: Path
) -> None:
    async with cluster.bare_database() as address, running(address, settings_for(tmp_path)) as minato:
        await minato.db.execute("create extension pg_cron; create table ran (at timestamptz default now())")
        await minato.db.execute("select cron.schedule('nightly', '0 3 * * *', 'insert into ran default values')")
        async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=60) as dev:
            await put(dev, freeze="2030-05-01T00:45:00Z")
            await until_due(dev, {"what": "cron: nightly", "at": "2030-05-01T03:00:00.000Z"})
            assert (await put(dev, advance="3h", sql=True))["ran"] == ["cron: nightly"]
            (at,) = await minato.db.fetchrow("select at from ran")
            assert at == datetime(2030, 5, 1, 3, tzinfo=UTC)
            assert (await put(dev, advance="24h", sql=False))["ran"] == ["cron: nightly"]
            real = await minato.db.fetchval("select min(at) from ran")
            assert abs(real - datetime.now(UTC)) < timedelta(minutes=1)


async def test_a_start_puts_the_time_of_sql_back(address: DatabaseAddress, tmp_path: Path) -> None:
    async with running(address, settings_for(tmp_path)) as minato:
        async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as dev:
            await put(dev, freeze=NOON, sql=True)
        assert (await minato.db.fetchval("select now()")).year == 2030
    async with running(address, settings_for(tmp_path)) as minato:
        assert (await minato.db.fetchval("select now()")).year != 2030


async def test_the_time_of_somebody_else_s_database_stays(address: DatabaseAddress, tmp_path: Path) -> None:
    theirs = DatabaseSettings(database_url=SecretStr(address.admin))
    async with running(address, settings_for(tmp_path, database=theirs)) as minato:
        async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as dev:
            assert (await dev.get("/clock")).json()["sql"] == "unavailable"
            refused = await dev.put("/clock", json={"advance": "1h", "sql": True})
            assert (refused.status_code, refused.json()["code"]) == (501, "sql_clock_unavailable")
            assert abs((await dev.get("/clock")).json()["offset_s"]) < 1
            assert (await put(dev, advance="1h"))["sql"] == "unavailable"


async def test_a_foreign_page_can_move_nothing(minato: Minato) -> None:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1") as page:
        answer = await page.put("/clock", json={"advance": "1h"}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert minato.backend.clock.offset == timedelta(0)


async def test_in_production_there_is_no_such_call(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path) as minato, httpx.AsyncClient(base_url=minato.url) as client:
        assert (await client.put("/_dev/v1/clock", json={"advance": "1h"})).status_code in (404, 405)
    assert minato.backend.clock.offset == timedelta(0)


async def test_each_move_is_an_event(dev: httpx.AsyncClient) -> None:
    moved = (await dev.put("/clock", json={"freeze": "2030-01-01T00:00:00Z"})).json()
    (event, *_) = (await dev.get("/events", params={"kind": "clock"})).json()
    assert (event["data"]["to"], event["data"]["frozen"]) == (moved["now"], True)
