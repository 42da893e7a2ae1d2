"""A function that listens by `node:http`, as express does, serves its own requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.integration.functions.conftest import Project
from tests.support.waiting import until

SERVER = """import http from "node:http";
import { createHash } from "node:crypto";
import { pipeline } from "node:stream";
let left = 0, heard = 0;
const server = http.createServer((req, res) => {
  const url = new URL(req.url, "http://a"), kind = url.pathname.split("/")[2];
  if (kind === "echo") { res.writeHead(201, { "x-own": "1" }); return pipeline(req, res, () => {}); }
  if (kind === "told") return res.end(JSON.stringify({
    method: req.method, url: req.url, headers: req.headers, raw: req.rawHeaders, distinct: req.headersDistinct,
    heard, left, port: server.address().port }));
  if (kind === "thrown") { res.setHeader("content-length", 1); throw new Error("thrown on purpose"); }
  if (kind === "rejected") return Promise.reject(new Error("rejected on purpose"));
  if (kind === "late") { res.write("begun"); return Promise.reject(new Error("too late")); }
  if (kind === "said") { console.warn("on the way"); return setTimeout(() => { console.log("later"); res.end(); }, 1); }
  if (kind === "cookies") { res.setHeader("set-cookie", ["a=1", "b=2"]); return res.end(); }
  if (kind === "events") {
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write("data: 1\\n\\n");
    return req.on("close", () => { left++; });
  }
  res.statusCode = 404;
  res.end("no such thing");
});
server.on("upgrade", (req, socket) => {
  const key = createHash("sha1").update(req.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
  socket.write("HTTP/1.1 101 Switching Protocols\\r\\nupgrade: websocket\\r\\nconnection: upgrade\\r\\n" +
    `sec-websocket-accept: ${key.digest("base64")}\\r\\n\\r\\n`);
  socket.write(new Uint8Array([0x81, 2, 0x68, 0x69]));
});
server.listen(8000, "0.0.0.0", () => { heard++; });
"""


@pytest.fixture(autouse=True)
def served(project: Project) -> None:
    project.write("open/index.ts", SERVER)


async def test_it_is_told_the_request_as_it_came_and_its_answer_goes_back(project: Project) -> None:
    answer = await project.call("open/told?a=1", json={"x": 1})
    told = answer.json()
    assert (answer.status_code, told["method"], told["url"], told["heard"]) == (200, "POST", "/open/told?a=1", 1)
    assert told["headers"]["x-request-id"] == answer.headers["x-request-id"]
    assert "x-minato" not in json.dumps(told)
    assert (await project.call("open/cookies")).headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert (await project.call("open/else")).text == "no such thing"
    head = await project.call("open/told", "HEAD")
    assert (head.status_code, head.content) == (200, b"")


async def test_bodies_stream_both_ways(project: Project) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield bytes(50_000)

    answer = await project.call("open/echo", content=pieces())
    assert (answer.status_code, answer.headers["x-own"], len(answer.content)) == (201, "1", 1_000_000)


async def test_events_come_as_they_are_sent_and_leaving_ends_the_request(project: Project) -> None:
    async with project.minato.client() as client, client.stream("GET", "/functions/v1/open/events") as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert await anext(answer.aiter_raw()) == b"data: 1\n\n"
    async with asyncio.timeout(60):
        while (await project.call("open/told")).json()["left"] != 1:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)


async def test_what_it_throws_or_rejects_is_answered_and_it_goes_on(project: Project) -> None:
    before = (await project.call("open/told")).json()["port"]
    for kind in ("thrown", "rejected"):
        answer = await project.call(f"open/{kind}")
        assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")
        assert answer.json()["trace"].startswith(f"Error: {kind} on purpose\n    at ")
        assert "node_http" not in answer.json()["trace"]
    with pytest.raises(httpx.RemoteProtocolError):
        await project.call("open/late")
    # One that has a socket of another test may be there, too.
    assert (await project.call("open/told")).json()["port"] == before


async def test_what_it_says_is_in_its_log_with_the_requests_id(project: Project) -> None:
    answer = await project.call("open/said")
    log = project.minato.backend.settings.server.data_dir / "functions" / "open.log"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["text"] for line in lines if line["request_id"] == answer.headers["x-request-id"]] == [
        "on the way",
        "later",
    ]


async def test_nobody_but_the_server_may_ask_it(project: Project) -> None:
    port = (await project.call("open/told")).json()["port"]
    async with httpx.AsyncClient() as client:
        for headers in ({}, {"x-minato-pass": "guess"}, {"x-minato-pulse": "1"}, {"expect": "100-continue"}):
            answer = await client.get(f"http://127.0.0.1:{port}/open/told", headers=headers)
            assert (answer.status_code, answer.text) == (403, "")
        upgrade = {"connection": "upgrade", "upgrade": "websocket", "sec-websocket-key": "a"}
        with pytest.raises(httpx.HTTPError):
            await client.get(f"http://127.0.0.1:{port}/open", headers=upgrade)


async def test_a_socket_is_upgraded_by_the_server_itself(project: Project) -> None:
    url = f"{project.minato.url.replace('http', 'ws')}/functions/v1/open"
    async with connect(url, proxy=None, close_timeout=0) as socket:
        assert await socket.recv() == "hi"


async def test_an_endless_loop_in_it_ends(project: Project) -> None:
    project.write(
        "loops/index.ts",
        'import { createServer } from "node:http"; createServer((req, res) => {'
        ' if (req.method === "POST") for (;;); res.end("fine"); }).listen();',
    )
    assert (await project.call("loops", "POST")).status_code == 546
    assert (await project.call("loops", "GET")).text == "fine"


async def test_of_several_servers_the_first_is_asked(project: Project) -> None:
    project.write(
        "edited/index.ts",
        """import http from "node:http";
const second = http.createServer((req, res) => res.end("second"));
http.createServer((req, res) => res.end("first")).listen({ port: 1 }, () => second.listen(2, () => {}));
""",
    )
    assert (await project.call("edited")).text == "first"
    await until(lambda: len(project.slots("edited")) == 1)
    assert (await project.call("edited")).text == "first"
