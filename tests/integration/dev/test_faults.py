"""`/_dev/v1/faults`: what goes wrong on purpose, seen by clients as if it had gone wrong by itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets
from minato.database.address import DatabaseAddress
from websockets.asyncio.client import ClientConnection

from tests.support.postgres import Cluster
from tests.support.production import served
from tests.support.server import Minato, running, settings_for

ROOM = "realtime:room"


@pytest.fixture(scope="module")
async def minato(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Minato]:
    """One server on which every test leaves no rule."""
    folder = tmp_path_factory.mktemp("faults")
    async with cluster.fresh_database() as address, running(address, settings_for(folder)) as server:
        keeper = server.application.rooms["/rest/v1"].keeper  # type: ignore[attr-defined]
        await server.db.execute("create table public.cars (id int primary key); grant all on public.cars to anon")
        await keeper.refresh()
        yield server


@pytest.fixture
async def dev(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{minato.url}/_dev/v1", timeout=30) as client:
        yield client
        (await client.delete("/faults")).raise_for_status()


@pytest.fixture
async def anybody(minato: Minato) -> AsyncIterator[httpx.AsyncClient]:
    async with minato.client() as client:
        yield client


async def fault(dev: httpx.AsyncClient, where: str, do: dict[str, Any], **rule: Any) -> str:
    answer = await dev.post("/faults", json={"where": where, "do": do, **rule})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/rest/v1/cars", 503, {"code": "PGRST000", "details": None, "hint": None,
                                "message": "Database connection error. Retrying the connection."}),
        ("/auth/v1/health", 429, {"code": 429, "error_code": "over_request_rate_limit",
                                  "msg": "Request rate limit reached"}),
        ("/storage/v1/bucket", 500, {"statusCode": "500", "error": "Internal Server Error",
                                     "message": "Internal Server Error"}),
        ("/functions/v1/any", 502, {"message": "Bad Gateway"}),
    ],
)  # fmt: skip
async def test_a_status_comes_in_the_words_of_the_room_and_names_the_rule(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient, path: str, status: int, body: dict[str, Any]
) -> None:
    number = await fault(dev, "request", {"status": status}, times=1)
    answer = await anybody.get(path, headers={"origin": "http://localhost:5173"})
    assert (answer.status_code, answer.json()) == (status, body)
    assert answer.headers["x-minato-fault"] == number
    (event, *_) = (await dev.get("/events", params={"cause": answer.headers["x-request-id"], "kind": "fault"})).json()
    assert (event["title"], event["data"]["hit"]) == (f"fault {number} acts on a request", 1)
    assert "access-control-allow-origin" in answer.headers
    assert "x-minato-fault" not in (await anybody.get(path)).headers


async def test_a_body_of_one_s_own_is_sent_as_it_is(dev: httpx.AsyncClient, anybody: httpx.AsyncClient) -> None:
    await fault(dev, "request", {"status": 409, "body": {"code": "23505"}})
    assert (await anybody.get("/rest/v1/cars")).json() == {"code": "23505"}


@pytest.mark.parametrize(
    ("match", "struck"),
    [
        ({"table": "cars"}, [503, 200, 200]),
        ({"room": "rest", "method": "GET", "path": "/ca*"}, [503, 200, 200]),
        ({"role": "anon"}, [503, 503, 200]),
        ({"role": "service_role"}, [200, 200, 503]),
        ({"user": "anna@example.com"}, [200, 200, 200]),
        ({"path": "/c[a]rs"}, [200, 200, 200]),
        ({"bucket": "cars"}, [200, 200, 200]),
    ],
    ids=str,
)
async def test_a_rule_strikes_what_it_fits(
    dev: httpx.AsyncClient, minato: Minato, match: dict[str, str], struck: list[int]
) -> None:
    await fault(dev, "request", {"status": 503}, match=match)
    async with minato.client() as anybody, minato.client(minato.service_role_key) as service:
        answers = [
            await anybody.get("/rest/v1/cars"),
            await anybody.get("/auth/v1/settings"),
            await service.get("/auth/v1/settings"),
        ]
    assert [answer.status_code for answer in answers] == struck


async def test_a_rule_strikes_after_so_many_and_so_often(dev: httpx.AsyncClient, anybody: httpx.AsyncClient) -> None:
    await fault(dev, "request", {"status": 503}, after=1, times=2)
    assert [(await anybody.get("/rest/v1/cars")).status_code for _ in range(5)] == [200, 503, 503, 200, 200]
    (told,) = (await dev.get("/faults")).json()
    assert (told["met"], told["hit"]) == (5, 2)


async def test_a_share_of_requests_is_drawn_alike_by_the_same_seed(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient
) -> None:
    async def drawn(seed: int) -> list[int]:
        await fault(dev, "request", {"status": 503}, probability=0.5, seed=seed)
        answers = [(await anybody.get("/rest/v1/cars")).status_code for _ in range(20)]
        await dev.delete("/faults")
        return answers

    first = await drawn(7)
    assert set(first) == {200, 503}
    assert await drawn(7) == first
    assert await drawn(8) != first


@pytest.mark.parametrize(("drop", "rows"), [("before", 0), ("after", 1)])
async def test_a_line_is_cut_before_the_work_or_behind_it(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient, minato: Minato, drop: str, rows: int
) -> None:
    await fault(dev, "request", {"drop": drop}, match={"method": "POST"})
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        await anybody.post("/rest/v1/cars", json={"id": 1})
    assert await minato.db.fetchval("select count(*) from public.cars") == rows
    await minato.db.execute("delete from public.cars")


async def test_an_answer_ends_in_the_middle(dev: httpx.AsyncClient, anybody: httpx.AsyncClient) -> None:
    await fault(dev, "request", {"truncate": True})
    with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
        await anybody.get("/auth/v1/settings")


async def test_an_answer_never_comes(dev: httpx.AsyncClient, minato: Minato) -> None:
    await fault(dev, "request", {"stall": True})
    async with minato.client() as impatient:
        with pytest.raises(httpx.ReadTimeout):
            await impatient.get("/rest/v1/cars", timeout=0.3)


async def test_an_answer_takes_its_time(dev: httpx.AsyncClient, anybody: httpx.AsyncClient) -> None:
    await fault(dev, "request", {"delay_ms": 300, "jitter_ms": 10})
    with pytest.raises(httpx.ReadTimeout):
        await anybody.get("/rest/v1/cars", timeout=0.05)
    assert (await anybody.get("/rest/v1/cars")).status_code == 200


async def test_a_refused_mail_is_told_as_a_real_one_would_be(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient
) -> None:
    await fault(dev, "mail", {"refuse": "550 no such user"}, match={"to": "*@example.com"})
    signed_up = await anybody.post("/auth/v1/signup", json={"email": "a@example.com", "password": "correct horse"})
    assert signed_up.status_code == 500
    assert signed_up.json()["msg"] == "Error sending confirmation email"
    other = await anybody.post("/auth/v1/signup", json={"email": "a@example.org", "password": "correct horse"})
    assert other.status_code == 200


async def test_a_lost_mail_never_comes(dev: httpx.AsyncClient, anybody: httpx.AsyncClient) -> None:
    await fault(dev, "mail", {"lose": True}, times=1)
    body = {"email": "lost@example.com", "password": "correct horse"}
    assert (await anybody.post("/auth/v1/signup", json=body)).status_code == 200
    assert (await anybody.get("/_dev/outbox", params={"to": body["email"]})).json() == []


async def test_a_full_disk_is_told_as_a_real_one_would_be(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with minato.client(minato.service_role_key) as service:
        assert (await service.post("/storage/v1/bucket", json={"name": "papers"})).status_code == 200
        number = await fault(dev, "storage", {"full": True}, match={"bucket": "papers"})
        refused = await service.post("/storage/v1/object/papers/a.txt", content=b"a")
        assert (refused.status_code, refused.json()["message"]) == (507, "There is no space left to store the object")
        assert (await dev.delete(f"/faults/{number}")).status_code == 204
        assert (await service.post("/storage/v1/object/papers/a.txt", content=b"a")).status_code == 200
        await fault(dev, "storage", {"missing": True})
        assert (await service.get("/storage/v1/object/papers/a.txt")).status_code >= 400


async def test_a_file_that_is_spoiled_has_as_many_bytes_of_another_kind(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with minato.client(minato.service_role_key) as service:
        await service.post("/storage/v1/bucket", json={"name": "spoiled"})
        await service.post("/storage/v1/object/spoiled/a.txt", content=b"abc")
        await fault(dev, "storage", {"corrupt": True}, match={"bucket": "spoiled"}, times=1)
        answers = [(await service.get("/storage/v1/object/spoiled/a.txt")).content for _ in range(2)]
    assert answers[0] != answers[1] == b"abc"
    assert len(answers[0]) == 3


@pytest.mark.parametrize("bucket", ["public", "of. all kinds"])
async def test_a_file_is_met_by_its_bucket_and_by_its_path_in_it(
    dev: httpx.AsyncClient, minato: Minato, bucket: str
) -> None:
    async with minato.client(minato.service_role_key) as service:
        made = await service.post("/storage/v1/bucket", json={"name": bucket, "public": True})
        assert made.status_code == 200, made.text
        for key in ("public/a b.txt", "b.txt"):
            assert (await service.post(f"/storage/v1/object/{bucket}/{key}", content=b"a")).status_code == 200
        await fault(dev, "storage", {"missing": True}, match={"bucket": bucket, "path": "public/*.txt"})
        ways = ("object", "object/public", "object/authenticated")
        met = [await service.get(f"/storage/v1/{way}/{bucket}/public/a b.txt") for way in ways]
        passed = [await service.get(f"/storage/v1/{way}/{bucket}/b.txt") for way in ways]
    assert [answer.status_code >= 400 for answer in (*met, *passed)] == [True] * 3 + [False] * 3


AWAY, FULL = {"unreachable": True}, {"exhausted": True}
CONFLICT = {"sqlstate": "40001"}
NEW = {"email": "new@example.com", "password": "correct horse"}


@pytest.mark.parametrize(
    ("do", "path", "status", "said"),
    [
        (AWAY, "/rest/v1/cars", 503, {"code": "PGRST000", "message": "Database connection error."}),
        (FULL, "/rest/v1/cars", 504, {"code": "PGRST003",
                                      "message": "Timed out acquiring connection from connection pool."}),
        (CONFLICT, "/rest/v1/cars", 500, {"code": "40001",
                                          "message": "could not serialize access due to concurrent update"}),
        (AWAY, "/storage/v1/bucket", 503, {"statusCode": "503"}),
        (FULL, "/storage/v1/bucket", 429, {"code": "SlowDown"}),
    ],
    ids=str,
)  # fmt: skip
async def test_a_database_that_fails_is_told_as_the_room_tells_a_real_failure(
    dev: httpx.AsyncClient, minato: Minato, do: dict[str, Any], path: str, status: int, said: dict[str, Any]
) -> None:
    await fault(dev, "database", do, match={"role": "service_role"}, times=1)
    async with minato.client(minato.service_role_key) as service:
        answer = await service.get(path)
        assert (answer.status_code, {**answer.json(), **said}) == (status, answer.json()), answer.text
        assert (await service.get(path)).status_code == 200


@pytest.mark.parametrize(("do", "status"), [(AWAY, 503), (FULL, 504)], ids=str)
async def test_a_database_that_fails_is_told_by_auth(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient, minato: Minato, do: dict[str, Any], status: int
) -> None:
    await fault(dev, "database", do, times=1)
    answer = await anybody.post("/auth/v1/signup", json=NEW)
    assert answer.status_code == status, answer.text
    assert await minato.db.fetchval("select count(*) from auth.users where email = $1", NEW["email"]) == 0


async def test_a_statement_that_was_made_to_fail_leaves_nothing(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient, minato: Minato
) -> None:
    await fault(dev, "database", {"sqlstate": "40P01"})
    refused = await anybody.post("/rest/v1/cars", json={"id": 1})
    assert (refused.json()["code"], refused.json()["message"]) == ("40P01", "deadlock detected")
    assert await minato.db.fetchval("select count(*) from public.cars") == 0
    assert (await anybody.post("/rest/v1/cars", json={"id": 1})).status_code == 201
    await minato.db.execute("delete from public.cars")


async def test_the_developer_s_calls_and_health_have_a_database_while_it_is_away_for_requests(
    dev: httpx.AsyncClient, anybody: httpx.AsyncClient
) -> None:
    await fault(dev, "database", AWAY)
    assert (await anybody.get("/rest/v1/cars")).status_code == 503
    assert (await anybody.get("/readyz")).status_code == 200
    assert (await dev.post("/settle", json={"timeout": "5s"})).status_code == 200


@pytest.mark.parametrize(
    ("do", "status", "error"),
    [
        ({"status": 502}, 502, None),
        ({"refuse": True}, None, "Could not connect to server"),
        ({"timeout": True}, None, "Timeout of 50 ms reached"),
    ],
    ids=str,
)
async def test_a_webhook_fails_as_pg_net_tells_it(
    dev: httpx.AsyncClient, minato: Minato, do: dict[str, Any], status: int | None, error: str | None
) -> None:
    await minato.db.execute("create extension if not exists pg_net")
    await fault(dev, "webhook", do, match={"url": "*/_dev/sink/orders*"})
    url = f"{minato.url}/_dev/sink/orders"
    number = await minato.db.fetchval("select net.http_post($1, timeout_milliseconds => 50)", url)
    assert (await dev.post("/settle", json={"timeout": "20s"})).json()["settled"]
    kept = await minato.db.fetchrow("select status_code, error_msg from net._http_response where id = $1", number)
    assert kept["status_code"] == status
    assert (kept["error_msg"] or "").startswith(error or "")
    assert (await dev.get("/sinks/orders")).json() == []


def socket(minato: Minato) -> Any:
    address = minato.url.replace("http", "ws", 1)
    return websockets.connect(f"{address}/realtime/v1/websocket?apikey={minato.anon_key}&vsn=2.0.0")


async def join(line: ClientConnection) -> None:
    config = {"broadcast": {"self": True}, "presence": {"key": ""}, "postgres_changes": []}
    await line.send(json.dumps(["1", "1", ROOM, "phx_join", {"config": config}]))
    assert json.loads(await line.recv())[4]["status"] == "ok"


async def test_a_socket_is_refused(dev: httpx.AsyncClient, minato: Minato) -> None:
    await fault(dev, "socket", {"refuse": True}, times=1)
    with pytest.raises(websockets.InvalidStatus) as refusal:
        async with socket(minato):
            pass
    assert refusal.value.response.status_code == 503
    async with socket(minato) as line:
        await join(line)


async def test_an_open_socket_is_closed_at_once_and_may_come_again(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with socket(minato) as line:
        await join(line)
        await fault(dev, "socket", {"close": 1011}, times=1)
        await line.wait_closed()
        assert line.close_code == 1011
    async with socket(minato) as line:
        await join(line)


async def test_a_mute_socket_hears_nothing_until_the_rule_is_gone(dev: httpx.AsyncClient, minato: Minato) -> None:
    async with socket(minato) as line:
        await join(line)
        await fault(dev, "socket", {"mute": True})
        heartbeat = json.dumps([None, "9", "phoenix", "heartbeat", {}])
        await line.send(heartbeat)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await line.recv()
        await dev.delete("/faults")
        await line.send(heartbeat)
        while json.loads(await line.recv())[2] != "phoenix":
            pass


async def test_frames_of_one_event_are_lost(dev: httpx.AsyncClient, minato: Minato) -> None:
    await fault(dev, "socket", {"lose": True}, match={"topic": "room", "event": "broadcast"}, times=1)
    async with socket(minato) as line:
        await join(line)
        for n in (1, 2):
            said = {"type": "broadcast", "event": "x", "payload": {"n": n}}
            await line.send(json.dumps(["1", str(n), ROOM, "broadcast", said]))
        while (frame := json.loads(await line.recv()))[3] != "broadcast":
            pass
        assert frame[4]["payload"]["n"] == 2


async def said(minato: Minato, *, several: int = 3) -> list[int]:
    """The numbers that a client hears of what it says itself, up to a last one."""
    async with socket(minato) as line:
        await join(line)
        for n in range(several):
            body = {"type": "broadcast", "event": "x", "payload": {"n": n}}
            await line.send(json.dumps(["1", str(n), ROOM, "broadcast", body]))
        heard: list[int] = []
        while several - 1 not in heard:
            frame = json.loads(await line.recv())
            heard += [frame[4]["payload"]["n"]] if frame[3] == "broadcast" else []
        return heard


@pytest.mark.parametrize(
    ("do", "direction", "heard"),
    [
        ({"duplicate": True}, "out", [0, 0, 1, 2]),
        ({"duplicate": True}, "in", [0, 0, 1, 2]),
        ({"reorder": True}, "out", [1, 0, 2]),
        ({"reorder": True}, "in", [1, 0, 2]),
        ({"lose": True}, "in", [1, 2]),
    ],
    ids=str,
)
async def test_frames_come_twice_or_change_places_in_the_direction_that_is_named(
    dev: httpx.AsyncClient, minato: Minato, do: dict[str, Any], direction: str, heard: list[int]
) -> None:
    await fault(dev, "socket", do, match={"event": "broadcast", "direction": direction}, times=1)
    assert await said(minato) == heard


@pytest.mark.parametrize(
    "rule",
    [
        {"where": "request", "do": {}},
        {"where": "database", "do": {"sqlstate": "00000"}},
        {"where": "database", "do": {"sqlstate": "4000'"}},
        {"where": "changes", "do": {"lag_ms": 1, "lose_feed": 1}},
        {"where": "webhook", "do": {"drop": "before"}},
        {"where": "request", "do": {"status": 200}},
        {"where": "request", "do": {"status": 503, "drop": "before"}},
        {"where": "request", "do": {"full": True}},
        {"where": "mail", "do": {"status": 500}},
        {"where": "nowhere", "do": {"status": 500}},
        {"where": "request", "do": {"status": 503}, "match": {"tabel": "cars"}},
        {"where": "mail", "do": {"lose": True}, "match": {"user": "anna@example.com"}},
        {"where": "storage", "do": {"full": True}, "match": {"role": "anon"}},
        {"where": "socket", "do": {"close": 1011}, "match": {"topic": "room"}},
        {"where": "request", "do": {"status": 503}, "probability": 2},
        {"where": "request", "do": {"delay_ms": -1}},
        {"where": "request", "do": {"body": {"a": 1}}},
    ],
    ids=str,
)
async def test_a_rule_that_makes_no_sense_is_refused(dev: httpx.AsyncClient, rule: dict[str, Any]) -> None:
    answer = await dev.post("/faults", json=rule)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request"), answer.text
    assert (await dev.get("/faults")).json() == []


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/faults", rb'{"where": "request", "do": {"status": 500, "body": NaN}}'),
        ("POST", "/faults", rb'{"where": "request", "do": {"status": 500, "body": "\ud800"}}'),
        ("POST", "/faults", rb'{"where": "request", "match": {"path": "\ud800"}, "do": {"status": 500}}'),
        ("PUT", "/idp/next", rb'{"provider": "\ud800", "user": "anna"}'),
        ("POST", "/why", rb'{"path": "/cars", "token": "\ud800"}'),
        ("PUT", "/sinks/orders", rb'{"replies": [{"body": Infinity}]}'),
        ("PUT", "/messages/codes", rb'{"\ud800@": "123456"}'),
    ],
    ids=str,
)
async def test_what_is_no_json_is_refused_by_every_call_and_leaves_nothing(
    dev: httpx.AsyncClient, method: str, path: str, body: bytes
) -> None:
    refused = await dev.request(method, path, content=body, headers={"content-type": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad_request"), refused.text
    assert (await dev.get("/faults")).json() == []


async def test_a_rule_that_is_not_there_can_not_be_taken_back(dev: httpx.AsyncClient) -> None:
    answer = await dev.delete("/faults/f0")
    assert (answer.status_code, answer.json()["code"]) == (404, "fault_not_found")


async def test_the_developer_s_calls_never_go_wrong(dev: httpx.AsyncClient) -> None:
    await fault(dev, "request", {"status": 503})
    assert (await dev.get("/faults")).status_code == 200


async def test_a_foreign_page_sets_no_rule_and_production_has_none(
    dev: httpx.AsyncClient, address: DatabaseAddress, tmp_path: Path
) -> None:
    rule = {"where": "request", "do": {"status": 503}}
    assert (await dev.post("/faults", json=rule, headers={"origin": "https://evil.example"})).status_code == 403
    async with served(address, tmp_path) as minato, httpx.AsyncClient(base_url=minato.url) as client:
        assert (await client.post("/_dev/v1/faults", json=rule)).status_code in (404, 405)
        assert minato.backend.faults.rules == []
