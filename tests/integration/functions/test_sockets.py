"""WebSockets through a function: what its answer says, and how each side learns that the other one has gone."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.integration.functions.conftest import Project
from tests.support.waiting import PATIENCE

SOCKET = """let gone: unknown = null;
Deno.serve((request) => {
  if (request.headers.get("upgrade") !== "websocket") return Response.json(gone);
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onmessage = ({ data }) => socket.send("x".repeat(Number(data)));
  socket.onclose = ({ wasClean }) => { gone = { wasClean }; };
  response.headers.append("set-cookie", "a=1");
  response.headers.append("set-cookie", "b=2");
  return response;
});"""


@pytest.fixture(autouse=True)
def written(project: Project) -> None:
    project.write("socket/index.ts", SOCKET)


def address(project: Project) -> str:
    return f"{project.minato.url.replace('http', 'ws')}/functions/v1/socket"


async def test_the_answer_that_opens_a_socket_has_the_functions_headers(project: Project) -> None:
    async with connect(address(project), proxy=None) as socket:
        assert socket.response is not None
        assert socket.response.headers.get_all("set-cookie") == ["a=1", "b=2"]
        assert len(socket.response.headers.get_all("date")) == 1
        assert len(socket.response.headers.get_all("sec-websocket-accept")) == 1


async def test_a_client_that_is_gone_without_a_word_did_not_close_its_socket(project: Project) -> None:
    async with connect(address(project), proxy=None) as socket:
        await socket.send("1")
        await socket.recv()
        socket.transport.abort()
    async with asyncio.timeout(PATIENCE):
        while (told := (await project.call("socket")).json()) is None:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)
    assert told == {"wasClean": False}


async def test_a_message_that_is_too_large_for_us_is_told_to_both(project: Project) -> None:
    async with connect(address(project), proxy=None, max_size=None) as socket:
        await socket.send(str(17 * 1024 * 1024))
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 1009


@pytest.mark.parametrize("host", ["shop.test:99999", "[::::]"])
async def test_a_host_that_no_address_can_have_is_not_told_to_a_function(project: Project, host: str) -> None:
    project.write("open/index.ts", "Deno.serve((request) => new Response(new URL(request.url).host));")
    assert (await project.ask("open", host=host)).text == "localhost"
    socket = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-version": "13"}
    headers = {"host": host, **socket, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}
    client = httpx.AsyncClient(base_url=project.minato.url, headers=headers)
    async with client, client.stream("GET", "/functions/v1/socket") as answer:
        assert answer.status_code == 101
