"""HTTP through a function's process as it is: redirects, bytes, methods, sockets, and who must not be trusted."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from minato.functions.headers import PASS
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.integration.functions.conftest import Project
from tests.support.waiting import PATIENCE

ECHO = """let left = 0;
Deno.serve(async (request) => {
  const url = new URL(request.url), kind = url.searchParams.get("kind");
  if (kind === "redirect") return new Response(null, { status: 307, headers: { location: "https://else.where/?b=1" } });
  if (kind === "left") return Response.json(left);
  if (kind === "endless") return new Response(new ReadableStream({
    pull: (out) => out.enqueue(new Uint8Array(65536)), cancel: () => { left++; },
  }));
  if (kind === "digest") {
    const digest = await crypto.subtle.digest("SHA-256", await request.arrayBuffer());
    return new Response(digest, { headers: { "content-type": "application/octet-stream" } });
  }
  if (kind === "bytes") return new Response(request.body, { headers: { "content-type": "application/octet-stream" } });
  return Response.json({
    method: request.method, url: request.url, headers: [...request.headers], body: await request.text(),
  }, { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-method", request.method]] });
});"""


@pytest.fixture(autouse=True)
def echo(project: Project) -> None:
    project.write("open/index.ts", ECHO)


async def raw(project: Project, request: bytes) -> bytes:
    """All that is answered to these bytes."""
    at = urlsplit(project.minato.url)
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        try:
            writer.write(request)
            return await reader.read()
        finally:
            writer.close()


async def test_a_redirect_is_the_callers_to_follow(project: Project) -> None:
    answer = await project.call("open?kind=redirect")
    assert (answer.status_code, answer.headers["location"]) == (307, "https://else.where/?b=1")


@pytest.mark.parametrize(
    "end", ["Deno.serve(handle);", "await 1; Deno.serve(handle);", "export default { fetch: handle };"]
)
async def test_a_function_is_the_main_module_of_its_process(project: Project, end: str) -> None:
    """What is tested elsewhere serves only where it is run, by import.meta.main."""
    project.write("tick/other.ts", "export const main = import.meta.main;")
    text = 'import { main } from "./other.ts"; let runs = 0; runs++;'
    text += "const handle = () => Response.json([runs, import.meta.main, main]);"
    project.write("tick/index.ts", text + (end if "default" in end else f"if (import.meta.main) {{ {end} }}"))
    assert (await project.call("tick")).json() == [1, True, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("const a: number = ;", "tick/index.ts:1:19"),
        ("import './none.ts';", "tick/none.ts"),
        ("interface A { b: string }\nthrow new Error('at once');", "tick/index.ts:2:7"),
        ("import './other.ts';", "other.ts:1:"),
    ],
)
async def test_a_main_module_that_does_not_boot_says_where(project: Project, text: str, said: str) -> None:
    project.write("tick/other.ts", "const b = ;")
    project.write("tick/index.ts", f"{text} if (import.meta.main) Deno.serve(() => new Response());")
    assert said in (await project.call("tick")).json()["trace"]


async def test_a_main_module_imports_nothing_that_it_may_not_read(project: Project) -> None:
    secret = project.supabase / "secret.json"
    secret.write_text("{}")
    text = f"import secret from {json.dumps(secret.as_uri())} with {{ type: 'json' }};"
    project.write("tick/index.ts", f"{text} if (import.meta.main) Deno.serve(() => Response.json(secret));")
    answer = await project.call("tick")
    assert (answer.status_code, answer.json()["code"]) == (503, "BOOT_ERROR")
    assert "Requires read access" in answer.json()["trace"]


async def test_ten_megabytes_of_any_bytes_go_up_and_down(project: Project) -> None:
    body = os.urandom(10_000_000)
    up = await project.call("open?kind=digest", content=body)
    assert up.content == hashlib.sha256(body).digest()
    down = await project.call("open?kind=bytes", content=body)
    assert down.content == body


async def test_an_endless_answer_waits_for_its_reader_and_ends_with_it(project: Project) -> None:
    """Were it not held back, the server would hold all that the function can say."""
    async with project.minato.client() as client, client.stream("POST", "/functions/v1/open?kind=endless") as answer:
        await anext(answer.aiter_raw())
    async with asyncio.timeout(PATIENCE):
        while (await project.call("open?kind=left")).json() != 1:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)


async def test_head_has_no_body_and_every_method_arrives(project: Project) -> None:
    head = await project.call("open", "HEAD")
    assert (head.status_code, head.content, head.headers["x-method"]) == (200, b"", "HEAD")
    for method in ("OPTIONS", "PUT", "PATCH", "DELETE", "PROPFIND"):
        assert (await project.call("open", method)).json()["method"] == method


async def test_each_cookie_of_an_answer_is_a_header_of_its_own(project: Project) -> None:
    assert (await project.call("open")).headers.get_list("set-cookie") == ["a=1", "b=2"]


async def test_no_caller_says_where_it_comes_from_or_speaks_as_the_server(project: Project) -> None:
    told = (
        await project.ask(
            "open",
            **{
                "x-forwarded-for": "6.6.6.6",
                "X-Forwarded-Host": "evil",
                "x-forwarded-proto": "https",
                "x-forwarded-prefix": "/evil",
                PASS.decode(): "guess",
                "X-Minato-Pulse": "1",
                "te": "trailers",
                "proxy-authorization": "Basic x",
                "connection": "x-secret",
                "x-secret": "hop",
                "expect": "100-continue",
            },
        )
    ).json()
    names = [name for name, _ in told["headers"]]
    headers = dict(told["headers"])
    at = urlsplit(project.minato.url)
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert (headers["x-forwarded-host"], headers["x-forwarded-port"]) == (at.hostname, str(at.port))
    assert (headers["x-forwarded-proto"], headers["x-forwarded-prefix"]) == ("http", "/functions/v1/")
    assert not {"te", "proxy-authorization", "x-secret", "expect"} & set(names)
    assert not [name for name in names if name.startswith("x-minato")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    "head",
    [
        b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /functions/v1/open?second HTTP/1.1\r\n",
        b"content-length: 3\r\ncontent-length: 5\r\n\r\nhello",
        b"transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        b"x-a: 1\r\n x-minato-pass: folded\r\n\r\n",
    ],
)
async def test_a_request_of_two_minds_about_its_length_is_one_at_most(project: Project, head: bytes) -> None:
    """What the server takes for one request must be one in the function too."""
    told = await raw(
        project,
        b"POST /functions/v1/open HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-request-id: smuggled\r\n" + head,
    )
    assert told.count(b"HTTP/1.1 ") == 1
    assert b"?second" not in told
    assert not told.startswith(b"HTTP/1.1 5")


@pytest.mark.parametrize("value", [b"mine ", b"mine\t", b"  mine"])
async def test_blanks_around_a_header_are_none_of_its_value(project: Project, value: bytes) -> None:
    told = await raw(
        project, b"GET /functions/v1/open HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-own:" + value + b"\r\n\r\n"
    )
    assert told.startswith(b"HTTP/1.1 200 ")
    assert b'["x-own","mine"]' in told


@pytest.mark.parametrize(
    "path", ["open/../spy", "./open", "open%2Fspy", "1open", "open%00", "op%65n", ";open", "-open"]
)
async def test_a_path_that_only_decoding_makes_a_name_reaches_no_function(project: Project, path: str) -> None:
    told = await raw(project, f"GET /functions/v1/{path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n".encode())
    status = told.split(b" ", 2)[1]
    if path == "open/../spy":
        # The name is read as it was sent, and the function is told the very same path.
        assert b"/open/../spy" in told or b"/spy" in told
    else:
        assert status in (b"404", b"400")


@pytest.mark.parametrize(("asked", "closed"), [("3000", 3000), ("4999", 4999), ("", 1005), ("throw", 1011)])
async def test_a_socket_closes_for_the_client_as_the_function_closed_it(
    project: Project, asked: str, closed: int
) -> None:
    project.write(
        "socket/index.ts",
        """Deno.serve((request) => {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) return socket.send(data);
    if (data === "throw") Deno.exit(1);
    data === "" ? socket.close() : socket.close(Number(data), "so");
  };
  return response;
});""",
    )
    url = f"{project.minato.url.replace('http', 'ws')}/functions/v1/socket"
    async with connect(url, proxy=None, max_size=None) as socket:
        await socket.send(bytes(range(256)) * 4000)
        assert await socket.recv() == bytes(range(256)) * 4000
        await socket.send(asked)
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code in (closed, 1000 if closed == 1005 else closed)


async def test_a_socket_that_a_client_closes_is_closed_in_the_function(project: Project) -> None:
    project.write(
        "socket/index.ts",
        """let code = 0;
Deno.serve((request) => {
  if (request.headers.get("upgrade") !== "websocket") return Response.json(code);
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onclose = (event) => { code = event.code; };
  return response;
});""",
    )
    url = f"{project.minato.url.replace('http', 'ws')}/functions/v1/socket"
    async with connect(url, proxy=None) as socket:
        await socket.close(4321, "mine")
    async with asyncio.timeout(PATIENCE):
        while (await project.call("socket")).json() != 4321:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)


async def test_functions_that_call_one_another_in_a_ring_do_not_hold_the_server(project: Project) -> None:
    """Each waits for the other; what ends them is the time a request has, and everybody else is served."""
    for name, other in (("loops", "tick"), ("tick", "loops")):
        project.write(
            f"{name}/index.ts",
            f"""Deno.serve(async (request) => {{
  const depth = Number(new URL(request.url).searchParams.get("depth"));
  if (depth === 0) return new Response("end");
  const next = `${{Deno.env.get("SUPABASE_URL")}}/functions/v1/{other}?depth=${{depth - 1}}`;
  return new Response("x" + await (await fetch(next)).text());
}});""",
        )
    assert (await project.call("loops?depth=40")).text == "x" * 40 + "end"
    with project.limits(wall_clock_limit=1.5):
        ring = asyncio.create_task(project.call("loops?depth=-1"))
        assert (await project.call("open")).status_code == 200
        assert (await ring).status_code in (200, 500, 546)
    assert (await project.call("loops?depth=2")).text == "xxend"


async def test_what_a_client_sends_slowly_reaches_the_function_as_it_comes(project: Project) -> None:
    sent = asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        yield b"first"
        await sent.wait()
        yield b"last"

    project.write(
        "form/index.ts",
        """let got = "";
Deno.serve(async (request) => {
  if (request.method === "GET") return new Response(got);
  for await (const piece of request.body!) got += new TextDecoder().decode(piece);
  return new Response(got);
});""",
    )
    asked = asyncio.create_task(project.call("form", content=pieces()))
    async with asyncio.timeout(PATIENCE):
        while (await project.call("form", "GET")).text != "first":  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)
    sent.set()
    assert (await asked).text == "firstlast"


async def test_a_body_that_breaks_off_breaks_off_in_the_function(project: Project) -> None:
    project.write(
        "form/index.ts",
        """let broken = 0;
Deno.serve(async (request) => {
  if (request.method === "GET") return Response.json(broken);
  try { return new Response(await request.text()); } catch { broken++; throw new Error("broken off"); }
});""",
    )
    await project.call("form", "GET")
    at = urlsplit(project.minato.url)
    _, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(b"POST /functions/v1/form HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nonly this")
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    async with asyncio.timeout(PATIENCE):
        while (await project.call("form", "GET")).json() != 1:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)


async def test_the_head_of_an_answer_comes_before_a_body_that_waits_for_the_client(project: Project) -> None:
    project.write(
        "behind/index.ts",
        """let go = () => {};
Deno.serve((request) => {
  if (request.method === "PUT") { go(); return new Response("told"); }
  const told = new Promise<void>((resolve) => go = resolve);
  const body = new ReadableStream({ async start(out) {
    await told;
    out.enqueue(new TextEncoder().encode("went on"));
    out.close();
  } });
  return new Response(body, { status: 202 });
});""",
    )
    async with asyncio.timeout(PATIENCE), project.minato.client() as client:
        async with client.stream("POST", "/functions/v1/behind") as answer:
            assert answer.status_code == 202
            assert (await project.call("behind", "PUT")).text == "told"
            assert await answer.aread() == b"went on"
