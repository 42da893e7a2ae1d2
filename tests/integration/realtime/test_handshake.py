"""Before the websocket: who is let in, and the HTTP answer of who is not."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import pytest
from jose import jwt
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.integration.realtime.phoenix import phoenix
from tests.support.server import JWT_SECRET, Minato

NEVER = 4_000_000_000


async def refused(minato: Minato, query: str, path: str = "/realtime/v1/websocket") -> tuple[int, bytes]:
    with pytest.raises(InvalidStatus) as error:
        async with connect(f"{minato.url.replace('http', 'ws', 1)}{path}?{query}"):
            pass
    return error.value.response.status_code, bytes(error.value.response.body or b"")


def signed(claims: dict[str, Any], secret: str = JWT_SECRET) -> str:
    return str(jwt.encode(claims, secret, algorithm="HS256"))


@pytest.mark.parametrize(
    ("query", "body"),
    [
        ("vsn=2.0.0", b'{"error":"API key is missing"}'),
        ("apikey=&vsn=2.0.0", b'{"error":"API key is missing"}'),
        ("apikey=garbage", b'{"error":"The token provided is not a valid JWT"}'),
        ("apikey=sb_publishable_wrong", b'{"error":"The token provided is not a valid JWT"}'),
        (f"apikey={signed({'exp': NEVER})}", b'{"error":"Fields `role` and `exp` are required in JWT"}'),
        (f"apikey={signed({'role': 'anon', 'exp': 1})}", b'{"error":"Token has expired"}'),
        (
            f"apikey={signed({'role': 'anon', 'exp': NEVER}, 'wrong')}",
            b'{"error":"Failed to validate JWT signature"}',
        ),
    ],
)
async def test_a_bad_key_is_refused_with_its_reason(minato: Minato, query: str, body: bytes) -> None:
    assert await refused(minato, query) == (401, body)


async def test_an_unknown_protocol_version_is_refused_without_a_body(minato: Minato) -> None:
    assert await refused(minato, f"apikey={minato.anon_key}&vsn=3.0.0") == (403, b"")


async def test_another_path_is_no_socket(minato: Minato) -> None:
    status, _ = await refused(minato, f"apikey={minato.anon_key}", "/realtime/v1/socket")
    assert status == 404


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_every_kind_of_key_opens_a_socket(minato: Minato, version: str) -> None:
    keys = minato.backend.api_keys
    for key in (keys.anon, keys.service_role, keys.publishable, keys.secret):
        async with phoenix(minato, key, version) as client:
            assert (await client.join("room")).payload["status"] == "ok"


async def test_the_header_wins_over_the_query(minato: Minato) -> None:
    async with phoenix(minato, "garbage", **{"x-api-key": minato.anon_key}) as client:
        assert (await client.join("room")).payload["status"] == "ok"


async def test_a_frame_over_the_limit_closes_the_socket(minato: Minato) -> None:
    async with phoenix(minato) as client:
        await client.socket.send("x" * 5_000_001)
        assert await client.closed() == 1009


async def test_a_fault_of_ours_is_answered_in_the_references_words(minato: Minato) -> None:
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    # No server makes such a scope, so it stands for whatever nobody thought of.
    scope = {"type": "websocket", "path": "/websocket", "headers": [], "extensions": {"websocket.http.response": {}}}
    await minato.application.rooms["/realtime/v1"].app(scope, receive, send)
    assert (sent[0]["status"], sent[1]["body"]) == (500, b'{"error":"Error connecting to Realtime"}')
