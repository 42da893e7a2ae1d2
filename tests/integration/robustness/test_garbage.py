"""Garbage in, a documented refusal out: on every service, never a 500, and nothing is left behind."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx
import pytest
import websockets

from tests.support.server import Minato
from tests.support.waiting import PATIENCE

OVERSIZE = b"x" * (70 * 1024 * 1024)

BAD_BODIES = [b"", b"{", b"[1,", b'{"a":NaN}', b'"text"', b"\xff\xfe", b'{"email":5}', b'{"a":"\\u0000"}', b"[" * 5000]

CALLS = [
    ("POST", "/auth/v1/signup"),
    ("POST", "/auth/v1/token?grant_type=password"),
    ("POST", "/auth/v1/verify"),
    ("POST", "/rest/v1/reviews"),
    ("POST", "/rest/v1/rpc/public_config"),
    ("PATCH", "/rest/v1/reviews?id=eq.1"),
    ("POST", "/storage/v1/bucket"),
    ("POST", "/storage/v1/object/list/nowhere"),
    ("POST", "/storage/v1/object/sign/nowhere/file"),
    ("POST", "/realtime/v1/api/broadcast"),
]

UNKNOWN = [
    ("GET", "/rest/v1/no_such_table", 404, "PGRST205"),
    ("GET", "/rest/v1/reviews?select=nothing", 400, "42703"),
    ("GET", "/rest/v1/reviews?rating=about.3", 400, "PGRST100"),
    ("GET", "/rest/v1/reviews?or=(rating.eq.1", 400, "PGRST100"),
    ("GET", "/rest/v1/reviews?select=*,storage(*)", 400, "PGRST200"),
    ("POST", "/rest/v1/rpc/no_such_function", 404, "PGRST202"),
    ("DELETE", "/rest/v1/", 405, "PGRST117"),
    ("GET", "/rest/v1/a/b/c", 404, "PGRST125"),
    ("GET", "/storage/v1/bucket/no-such-bucket", 400, "NoSuchBucket"),
    ("GET", "/storage/v1/object/public/no-such-bucket/file", 400, "NoSuchBucket"),
]

QUERIES = [
    "%",
    "%ff",
    "a=%00",
    "select=%F0%9F%92%A9",
    "select=(((((",
    "order=..",
    "limit=-1",
    "offset=99999999999999999999",
    "a.b.c=eq.1",
]


def refused(answer: httpx.Response) -> Any:
    """The JSON body of a refusal."""
    assert 400 <= answer.status_code < 500, f"{answer.request.method} {answer.request.url}: {answer.status_code}"
    return answer.json()


@pytest.mark.parametrize(("method", "path"), CALLS)
@pytest.mark.parametrize("body", BAD_BODIES, ids=lambda body: repr(body[:12]))
async def test_a_body_that_makes_no_sense_is_refused(minato: Minato, method: str, path: str, body: bytes) -> None:
    async with minato.client(**{"content-type": "application/json"}) as client:
        answer = await client.request(method, path, content=body)
    assert answer.status_code < 500, answer.text
    assert not answer.content or answer.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(("method", "path", "status", "code"), UNKNOWN)
async def test_what_does_not_exist_is_named(minato: Minato, method: str, path: str, status: int, code: str) -> None:
    async with minato.client(minato.service_role_key) as client:
        answer = await client.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize("query", QUERIES)
async def test_a_query_of_any_bytes_is_answered(minato: Minato, query: str) -> None:
    async with minato.client() as client:
        for path in ("/rest/v1/reviews", "/auth/v1/verify", "/storage/v1/bucket", "/auth/v1/admin/users"):
            answer = await client.get(f"{path}?{query}")
            assert answer.status_code < 500, f"{path}?{query}: {answer.text}"


@pytest.mark.parametrize("path", ["/rest/v1/reviews", "/auth/v1/user", "/storage/v1/bucket"])
@pytest.mark.parametrize(
    "token", ["x", "a.b", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsiYSJdfQ.e30.x"]
)
async def test_a_token_that_is_none_is_refused(minato: Minato, path: str, token: str) -> None:
    async with httpx.AsyncClient(base_url=minato.url, timeout=PATIENCE) as client:
        answer = await client.get(path, headers={"apikey": minato.anon_key, "authorization": f"Bearer {token}"})
    refused(answer)


@pytest.mark.parametrize(
    "role", ["postgres", "supabase_admin", "authenticator", "no_such_role", "anon; drop table x", 7]
)
async def test_a_signed_token_gives_no_role_that_authenticator_may_not_take(minato: Minato, role: Any) -> None:
    token = minato.backend.keys.sign({"role": role, "exp": int(minato.backend.clock.timestamp()) + 60})
    async with minato.client(token) as client:
        assert refused(await client.get("/rest/v1/reviews"))["code"] in ("22023", "42501")
        refused(await client.get("/auth/v1/admin/users")) if role != "supabase_admin" else None


async def test_a_body_beyond_every_limit_is_refused_and_leaves_nothing(minato: Minato) -> None:
    before = await minato.db.fetchval("select count(*) from auth.users")
    async with minato.client(minato.service_role_key, **{"content-type": "application/json"}) as client:
        for path in ("/auth/v1/signup", "/rest/v1/reviews", "/storage/v1/bucket", "/realtime/v1/api/broadcast"):
            assert (await client.post(path, content=OVERSIZE)).status_code in (413, 422), path
    assert await minato.db.fetchval("select count(*) from auth.users") == before


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "x",
        "{}",
        "[]",
        "[1,2]",
        "null",
        '["1","1","realtime:a","phx_join",5]',
        "[null,null,null,null,null]",
        b"",
        b"\x03",
        b"\xff" * 40,
    ],
)
async def test_a_frame_that_makes_no_sense_does_not_end_the_socket(minato: Minato, frame: str | bytes) -> None:
    address = minato.url.replace("http", "ws") + f"/realtime/v1/websocket?vsn=2.0.0&apikey={minato.anon_key}"
    async with websockets.connect(address) as socket:
        await socket.send(frame)
        await socket.send(json.dumps([None, "9", "phoenix", "heartbeat", {}]))
        while True:
            answer = json.loads(await socket.recv())
            if answer[1] == "9":
                break
    assert answer[4] == {"status": "ok", "response": {}}


@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_a_body_that_says_it_is_packed_is_not_unpacked(minato: Minato, method: str, path: str) -> None:
    packed = gzip.compress(b'{"name":"' + b" " * 5_000_000 + b'"}')
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    async with minato.client(minato.service_role_key, **headers) as client:
        refused(await client.request(method, path, content=packed))


@pytest.mark.parametrize("filter_", ["rating=eq.9", "or=(rating.eq.9)", "and=(or(rating.eq.9),rating.gt.0)"])
async def test_as_many_filters_as_an_address_holds_are_answered(minato: Minato, filter_: str) -> None:
    async with minato.client(minato.service_role_key) as client:
        answer = await client.get("/rest/v1/reviews?" + "&".join([filter_] * (30_000 // len(f"{filter_}&"))))
    assert (answer.status_code, answer.json()) == (200, [])
