"""What the workers of one server share without another service: row changes, broadcasts, presence, limits, figures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.crew import Crew
from tests.support.waiting import PATIENCE

BOARD = {"event": "*", "schema": "public", "table": "board"}
MOVE = {"type": "broadcast", "event": "move", "payload": {"x": 1}}
ANONYMOUS = 4


@asynccontextmanager
async def a_socket_on_each(crew: Crew) -> AsyncIterator[tuple[Phoenix, Phoenix]]:
    first, second = crew.workers()
    with crew.only(first):
        one = phoenix(crew)
        opened = await one.__aenter__()
    try:
        with crew.only(second):
            other = phoenix(crew)
            opened_too = await other.__aenter__()
        try:
            yield opened, opened_too
        finally:
            await other.__aexit__(None, None, None)
    finally:
        await one.__aexit__(None, None, None)


async def test_a_row_change_is_heard_once_by_subscribers_of_every_worker_and_decoded_once(crew: Crew) -> None:
    async with a_socket_on_each(crew) as sockets:
        for socket in sockets:
            await socket.follow("board", BOARD)
        slots = "select count(*) from pg_replication_slots where slot_type = 'logical'"
        assert crew.execute(slots) == 1
        crew.execute("insert into public.board (body) select 'heard ' || n from generate_series(1, 20) n")
        crew.execute(
            "alter table public.board add if not exists late text;"
            "insert into public.board (body, late) values ('x', 'y')"
        )
        for socket in sockets:
            heard = [await socket.change() for _ in range(21)]
            assert [change["record"]["body"] for change in heard] == [*(f"heard {n}" for n in range(1, 21)), "x"]
            assert heard[-1]["record"]["late"] == "y"
            assert not [more for more in await socket.settle() if more.event == "postgres_changes"]


async def test_a_broadcast_from_sql_is_heard_once_by_every_worker(crew: Crew) -> None:
    async with a_socket_on_each(crew) as sockets:
        for socket in sockets:
            await socket.follow_feed("news")
        crew.execute("select realtime.send('{\"n\": 1}', 'told', 'news', false)")
        for socket in sockets:
            assert (await socket.event("broadcast")).payload["payload"]["n"] == 1
            assert not [more for more in await socket.settle() if more.event == "broadcast"]


async def test_a_broadcast_reaches_the_sockets_of_the_other_worker(crew: Crew) -> None:
    async with a_socket_on_each(crew) as (one, other):
        await one.join("room")
        await other.join("room")
        await one.send("realtime:room", "broadcast", MOVE, None)
        assert (await other.event("broadcast")).payload == MOVE
        async with httpx.AsyncClient(base_url=crew.url, headers=crew.headers(), timeout=PATIENCE) as http:
            message = {"topic": "room", "event": "by http", "payload": {}}
            assert (await http.post("/realtime/v1/api/broadcast", json={"messages": [message]})).status_code == 202
        for socket in (one, other):
            assert (await socket.event("broadcast")).payload["event"] == "by http"


async def test_who_is_present_is_known_to_every_worker(crew: Crew) -> None:
    config = {"presence": {"key": "ann", "enabled": True}}
    async with a_socket_on_each(crew) as (one, other):
        await other.join("deck", {"presence": {"key": "bob", "enabled": True}})
        joined = await one.join("deck", config)
        await one.call("realtime:deck", "presence", {"type": "presence", "event": "track", "payload": {}}, joined.ref)
        assert list((await other.event("presence_diff")).payload["joins"]) == ["ann"]
        await one.call("realtime:deck", "phx_leave", {}, joined.ref)
        assert list((await other.event("presence_diff")).payload["leaves"]) == ["ann"]


async def test_a_limit_holds_for_all_workers_together(crew: Crew) -> None:
    answers = []
    for number in range(ANONYMOUS + 2):
        with crew.only(crew.workers()[number % 2]):
            async with httpx.AsyncClient(base_url=crew.url, headers=crew.headers(), timeout=PATIENCE) as http:
                answers.append((await http.post("/auth/v1/signup", json={})).status_code)
    assert answers == [200] * ANONYMOUS + [429] * 2


async def test_whichever_worker_is_asked_shows_the_figures_of_all(crew: Crew) -> None:
    async def asked(worker: int, path: str) -> str:
        with crew.only(worker):
            async with httpx.AsyncClient(base_url=crew.url, headers=crew.headers(), timeout=PATIENCE) as http:
                await http.get("/rest/v1/board")
                # The connection is this worker's from here on.
                crew.let_go_on()
                return (await http.get(path)).text

    for worker in crew.workers():
        await asked(worker, "/readyz")
    for worker in crew.workers():
        page = (await asked(worker, "/metrics")).splitlines()
        answered = [line for line in page if line.startswith("minato_http_requests_total{") and 'room="rest"' in line]
        assert {number for number in "12" for line in answered if f'worker="{number}"' in line} == {"1", "2"}
        assert page.count("# TYPE minato_http_requests_total counter") == 1


async def test_mail_that_one_worker_keeps_is_in_every_mailbox_and_forgotten_in_all(crew: Crew) -> None:
    first, second = crew.workers()
    async with httpx.AsyncClient(base_url=crew.url, headers=crew.headers(), timeout=PATIENCE) as one:
        with crew.only(first):
            account = {"email": "reader@example.com", "password": "a long password"}
            assert (await one.post("/auth/v1/signup", json=account)).status_code == 200
            kept = (await one.get("/_dev/outbox", params={"to": "reader@example.com"})).json()
        async with httpx.AsyncClient(base_url=crew.url, timeout=PATIENCE) as other:
            with crew.only(second):
                heard = await other.get("/_dev/outbox", params={"to": "reader@example.com", "wait": 30})
                assert heard.json() == kept
                assert len(kept) == 1
                await other.delete("/_dev/outbox")
        await until_empty(one)


async def until_empty(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await http.get("/_dev/outbox")).json():  # noqa: ASYNC110 - what is waited for rings no bell
            await asyncio.sleep(0.02)
