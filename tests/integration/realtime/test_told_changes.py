"""Row changes in the journal: each names the request whose transaction made it, and how many heard of it."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import httpx

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.support.accounts import post
from tests.support.schema_cache import known
from tests.support.server import Minato

pytestmark = both_feeds


async def led_to(minato: Minato, answer: httpx.Response) -> list[dict[str, Any]]:
    """The changes that the request with this answer led to."""
    id_ = answer.headers["x-request-id"]
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as dev:
        assert (await dev.post("/settle", json={"except": ["cron", "jobs"]})).status_code == 200
        led: list[dict[str, Any]] = (await dev.get(f"/requests/{id_}")).json()["led_to"]
        listed = (await dev.get("/events", params={"cause": id_, "kind": "change"})).json()
    changes = [event for event in led if event["kind"] == "change"]
    assert listed == changes[::-1]
    return changes


def shown(change: dict[str, Any]) -> list[Any]:
    return [change["data"][name] for name in ("action", "key", "delivered", "subscribed")]


async def test_a_write_leads_to_its_changes_and_says_who_heard_of_them(minato: Minato, notes: Table) -> None:
    owner = str(uuid4())
    path = f"/rest/v1/{notes.name}"
    async with phoenix(minato) as mine, phoenix(minato) as other, minato.client(minato.service_role_key) as client:
        await mine.follow("room", notes.entry(), access_token=minato.token(owner))
        await other.follow("room", notes.entry(), access_token=minato.token(str(uuid4())))
        rows = [{"id": number, "owner": owner, "body": "a"} for number in (1, 2)]
        inserted = await led_to(minato, await client.post(path, json=rows))
        one = {"accept": "application/vnd.pgrst.object+json", "prefer": "return=representation"}
        updated = await led_to(minato, await client.patch(f"{path}?id=eq.1", json={"body": "b"}, headers=one))
        deleted = await led_to(minato, await client.delete(f"{path}?id=eq.2"))
        nothing = await led_to(minato, await client.patch(f"{path}?id=eq.9", json={"body": "b"}))
        undone = await client.patch(path, json={"body": "c"}, headers={"prefer": "tx=rollback, max-affected=1"})
    assert [shown(change) for change in inserted] == [["INSERT", {"id": "1"}, 1, 2], ["INSERT", {"id": "2"}, 1, 2]]
    assert [shown(change) for change in updated] == [["UPDATE", {"id": "1"}, 1, 2]]
    # What was deleted has no row to ask about: its key goes to everybody.
    assert [shown(change) for change in deleted] == [["DELETE", {"id": "2"}, 2, 2]]
    assert nothing == []
    assert undone.status_code < 500
    assert inserted[0]["title"] == f"INSERT public.{notes.name}, 1 of 2 heard"
    feed = inserted[0]["data"]
    if feed["feed"] == "log":
        assert feed["lag_ms"] >= 0
        assert "/" in feed["lsn"]
    else:
        assert (feed["lag_ms"], feed["lsn"]) == (None, None)


async def test_writes_at_once_are_told_apart(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as listener, minato.client() as client:
        # Triggers come to a table when somebody first asks for its changes.
        await listener.follow("room", board.entry())
        path = f"/rest/v1/{board.name}"
        answers = await asyncio.gather(*(client.post(path, json={"id": number}) for number in range(20)))
        assert [answer.text for answer in answers if answer.status_code != 201] == []
        led = [await led_to(minato, answer) for answer in answers]
    assert [[change["data"]["key"] for change in each] for each in led] == [[{"id": str(n)}] for n in range(20)]


async def test_a_change_that_no_request_made_has_no_cause(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as listener:
        await listener.follow("room", board.entry())
        await board.run("insert into {t} (id) values (7)")
        await listener.change()
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as dev:
        await dev.post("/settle", json={"except": ["cron", "jobs"]})
        (event,) = (await dev.get("/events", params={"kind": "change", "q": board.name})).json()
    assert (event["cause"], event["data"]["key"]) == (None, {"id": "7"})


async def test_a_function_and_what_auth_writes_are_causes_too(minato: Minato, board: Table) -> None:
    await known(
        minato,
        """create function public.put_{t}(n int) returns void language sql as 'insert into {t} (id) values (n)';
           create function public.on_{t}() returns trigger language plpgsql security definer as
             $$ begin insert into public.{t} (id) values (100); return new; end $$;
           create trigger told after insert on auth.users for each row execute function public.on_{t}();
           notify pgrst""".replace("into {t}", "into public.{t}").replace("{t}", board.name),
    )
    try:
        async with phoenix(minato) as listener, minato.client() as client:
            await listener.follow("room", board.entry())
            answer = await client.post(f"/rest/v1/rpc/put_{board.name}", json={"n": 5})
            assert answer.status_code == 204, answer.text
            called = await led_to(minato, answer)
            user = {"email": f"{board.name}@example.com", "password": "very-Secret-77"}
            answer = await post(client, "/signup", user)
            assert answer.status_code == 200, answer.text
            signed_up = await led_to(minato, answer)
    finally:
        await board.run(f"drop trigger told on auth.users; drop function public.on_{board.name}")
    assert [change["data"]["key"] for change in called] == [{"id": "5"}]
    assert {"id": "100"} in [change["data"]["key"] for change in signed_up]
