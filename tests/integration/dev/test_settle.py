"""`/_dev/v1/settle`: it returns when all that was caused so far has been done, and says what that was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from minato.config import Settings
from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress

from tests.integration.realtime.phoenix import phoenix
from tests.support.loopback import Loopback, loopback
from tests.support.postgres import Cluster
from tests.support.production import make_account, served
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE, until_rows

NOTES = {"event": "*", "schema": "public", "table": "notes"}
TABLE = """
    create table public.notes (id int primary key, body text);
    grant all on public.notes to service_role, anon;
    alter publication supabase_realtime add table public.notes
"""
RUNNING = "select exists (select from cron.job_run_details where status = 'running')"


def _without_project(settings: Settings) -> Settings:
    """Settings for a database of the platform alone."""
    return replace(settings, server=settings.server.model_copy(update={"project": None}))


@pytest.fixture(scope="module", params=["logical", "triggers"])
async def minato(
    request: pytest.FixtureRequest, cluster: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Minato]:
    """A server that hears of changes in one way, and one that does in the other."""
    realtime = RealtimeSettings(change_feed=request.param)
    settings = _without_project(settings_for(tmp_path_factory.mktemp("settle"), realtime=realtime))
    async with cluster.platform_database() as address, running(address, settings) as server:
        keeper = server.application.rooms["/rest/v1"].keeper  # type: ignore[attr-defined]
        await server.db.execute(TABLE)
        await keeper.refresh()
        await make_account(server, password="correct horse battery")
        yield server


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=PATIENCE) as client:
        yield client
        (await client.delete("/faults")).raise_for_status()


@pytest.fixture
async def service(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with minato.client(minato.service_role_key) as client:
        yield client


@pytest.fixture
async def there() -> AsyncIterator[Loopback]:
    async with loopback() as there:
        yield there


async def settled(dev: httpx.AsyncClient, **wish: Any) -> dict[str, int]:
    """What was waited for."""
    answer = await dev.post("/settle", json={"timeout": "50s", **wish})
    assert answer.status_code == 200, answer.text
    assert answer.json()["settled"] is True
    did: dict[str, int] = answer.json()["did"]
    return did


async def events(dev: httpx.AsyncClient, kind: str) -> list[dict[str, Any]]:
    """What the journal has of a kind, newest first."""
    found: list[dict[str, Any]] = (await dev.get("/events", params={"kind": kind})).json()
    return found


async def fault(dev: httpx.AsyncClient, where: str, do: dict[str, Any], **rule: Any) -> None:
    (await dev.post("/faults", json={"where": where, "do": do, **rule})).raise_for_status()


async def met(dev: httpx.AsyncClient) -> None:
    """Return when the rule has met somebody."""
    async with asyncio.timeout(PATIENCE):
        while not (await dev.get("/faults")).json()[0]["hit"]:
            pass


async def test_a_server_at_rest_is_settled_at_once(dev: httpx.AsyncClient) -> None:
    assert await settled(dev) == {}
    answer = await dev.post("/settle")
    assert (answer.status_code, answer.json()["settled"], answer.json()["did"]) == (200, True, {})


async def test_changes_have_reached_every_socket_when_it_returns(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with phoenix(minato) as one, phoenix(minato) as other:
        for listening in (one, other):
            await listening.follow("room", NOTES)
        await minato.db.execute("insert into notes select n, 'x' from generate_series(1, 300) as n")
        did = await settled(dev)
        assert did["changes"] == 300
        assert did["frames"] >= 600
        for listening in (one, other):
            assert [(await listening.change())["record"]["id"] for _ in range(300)] == list(range(1, 301))
        await minato.db.execute("delete from notes")


async def test_a_request_under_way_is_waited_for(
    dev: httpx.AsyncClient, service: httpx.AsyncClient, minato: Minato
) -> None:
    await fault(dev, "request", {"delay_ms": 200}, match={"table": "notes"})
    asking = asyncio.create_task(service.post("/rest/v1/notes", json={"id": 1}))
    await met(dev)
    assert (await settled(dev))["requests"] == 1
    assert await minato.db.fetchval("delete from notes returning id") == 1
    assert (await asking).status_code == 201


async def test_a_mail_on_its_way_is_waited_for(dev: httpx.AsyncClient, minato: Minato) -> None:
    await fault(dev, "mail", {"delay_ms": 200}, match={"to": "anna@example.com"})
    async with minato.client() as anybody:
        asking = asyncio.create_task(anybody.post("/auth/v1/recover", json={"email": "anna@example.com"}))
        await met(dev)
        assert (await settled(dev))["mails"] == 1
        assert len(await minato.backend.outbox.wait("anna@example.com", None, 0)) == 1
        await asking


async def test_a_webhook_and_its_answer_are_there(
    dev: httpx.AsyncClient, minato: Minato, there: Loopback, service: httpx.AsyncClient
) -> None:
    await minato.db.execute("create extension pg_net with schema extensions")
    await minato.db.execute(f"""
        create trigger told after insert on public.notes for each row
        execute function supabase_functions.http_request('{there.url}', 'POST', '{{}}', '{{}}', '5000')
    """)
    # The row is written after the call has begun, so that the webhook is one of its own.
    await fault(dev, "request", {"delay_ms": 200}, match={"table": "notes"})
    asking = asyncio.create_task(service.post("/rest/v1/notes", json={"id": 7}))
    await met(dev)
    assert (await settled(dev))["webhooks"] == 1
    assert (await asking).status_code == 201
    assert [asked.json["record"]["id"] for asked in there.asked] == [7]
    assert await minato.db.fetchval("select status_code from net._http_response") == 200
    (event,) = await events(dev, "webhook")
    # The queue is emptied behind the answer: which request filled it nobody knows.
    assert (event["title"], event["cause"], event["data"]["status"]) == (f"POST {there.url}/ 200", None, 200)
    await minato.db.execute("drop trigger told on public.notes; delete from notes")


async def test_a_run_of_cron_under_way_is_waited_for(dev: httpx.AsyncClient, minato: Minato) -> None:
    await minato.db.execute("create extension pg_cron")
    await minato.db.execute("select cron.schedule('busy', '2 seconds', 'select pg_sleep(0.5)')")
    await until_rows(minato.db, RUNNING)
    assert (await settled(dev))["cron"] >= 1
    event = (await events(dev, "cron"))[0]
    assert (event["title"], event["data"]["name"], event["cause"]) == ("cron: busy: succeeded", "busy", None)
    assert event["ms"] > 0
    await minato.db.execute("select cron.unschedule('busy')")


async def test_what_is_not_done_in_time_is_named(dev: httpx.AsyncClient, service: httpx.AsyncClient) -> None:
    await fault(dev, "request", {"delay_ms": 2_000}, match={"table": "notes"})
    asking = asyncio.create_task(service.get("/rest/v1/notes?body=eq.secret"))
    await met(dev)
    answer = await dev.post("/settle", json={"timeout": "50ms"})
    told = answer.json()
    assert (answer.status_code, told["code"], told["settled"]) == (408, "not_settled", False)
    [pending] = told["pending"]
    assert (pending["what"], pending["count"], pending["detail"]) == ("requests", 1, "GET /rest/v1/notes")
    assert pending["oldest_ms"] >= 0
    assert await settled(dev, **{"except": ["requests"]}) == {}
    answer = await dev.post("/settle", json={"timeout": "50ms", "required": False})
    assert (answer.status_code, answer.json()["settled"]) == (200, False)
    asking.cancel()


async def test_a_request_that_stalls_on_purpose_is_not_at_work(
    dev: httpx.AsyncClient, service: httpx.AsyncClient
) -> None:
    await fault(dev, "request", {"stall": True}, match={"table": "notes"})
    asking = asyncio.create_task(service.get("/rest/v1/notes"))
    await met(dev)
    await settled(dev)
    asking.cancel()


@pytest.mark.parametrize(
    "wish", [{"except": ["mail"]}, {"timeout": "2m"}, {"timeout": 0}, {"timeout": "soon"}, {"timout": "1s"}], ids=str
)
async def test_a_wish_that_is_none_is_refused(dev: httpx.AsyncClient, wish: dict[str, Any]) -> None:
    answer = await dev.post("/settle", json=wish)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text


async def test_in_production_there_is_no_such_call(address: DatabaseAddress, tmp_path: Path) -> None:
    async with served(address, tmp_path) as minato, httpx.AsyncClient(base_url=minato.url) as client:
        assert (await client.post("/_dev/v1/settle")).status_code in (404, 405)


async def test_changes_that_wait_for_an_open_transaction_say_so(cluster: Cluster, tmp_path: Path) -> None:
    elsewhere = await asyncpg.connect(cluster.address("postgres").admin)
    writing = elsewhere.transaction()
    await writing.start()
    await elsewhere.execute("select pg_current_xact_id()")
    settings = _without_project(settings_for(tmp_path))
    async with cluster.platform_database() as address, running(address, settings) as minato:
        async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=PATIENCE) as dev, phoenix(minato):
            told = (await dev.post("/settle", json={"timeout": "500ms"})).json()
            assert [pending["what"] for pending in told["pending"]] == ["changes"]
            assert told["pending"][0]["detail"] == (
                "changes flow when each transaction has ended that writes anywhere on this PostgreSQL now"
            )
            await writing.rollback()
            await settled(dev)
    await elsewhere.close()
