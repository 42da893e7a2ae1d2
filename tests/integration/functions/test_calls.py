"""A function is called: who may, what it is told, and how its answer comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.integration.functions.conftest import Project

ECHO = """
import { shape } from "../_shared/shape.ts";
Deno.serve({ port: 1 }, async (request) => {
  if (new URL(request.url).searchParams.has("throw")) throw new Error("thrown on purpose");
  console.log("called", { deep: [1] });
  return Response.json({
    shape, method: request.method, url: request.url, body: await request.text(),
    headers: Object.fromEntries(request.headers),
  }, { status: 201, headers: { "x-own": "1", connection: "x-hop", "x-hop": "1" } });
});
"""


@pytest.fixture(scope="module", autouse=True)
def functions(project: Project) -> None:
    project.write("_shared/shape.ts", "export const shape = 'round';")
    for name in ("open", "closed", "off"):
        project.write(f"{name}/index.ts", ECHO)


async def test_a_function_is_told_the_request_and_its_answer_comes_back(project: Project) -> None:
    answer = await project.call("open/deep/er?a=1&b=%20", json={"x": 1}, headers={"x-forwarded-for": "6.6.6.6"})
    assert answer.status_code == 201
    assert answer.headers["x-own"] == "1"
    assert "x-hop" not in answer.headers
    told = answer.json()
    assert (told["shape"], told["method"], told["body"]) == ("round", "POST", '{"x":1}')
    assert told["url"] == f"{project.minato.url}/open/deep/er?a=1&b=%20"
    headers = told["headers"]
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert headers["x-forwarded-path"] == "/functions/v1/open/deep/er"
    assert headers["x-request-id"] == answer.headers["x-request-id"]
    assert not [name for name in headers if name.startswith("x-minato")]


async def test_an_unhandled_error_is_answered_with_the_line_of_the_source(project: Project) -> None:
    answer = await project.call("open?throw")
    assert answer.status_code == 500
    assert answer.json()["code"] == "WORKER_ERROR"
    assert answer.json()["message"] == "Function exited due to an error (please check logs)"
    index = (project.supabase / "functions" / "open" / "index.ts").resolve().as_uri()
    assert answer.json()["trace"] == f"Error: thrown on purpose\n    at {index}:4:61"


@pytest.mark.parametrize(
    ("header", "msg"),
    [
        (None, "Error: Missing authorization header"),
        ("Basic abc", "Error: Auth header is not 'Bearer {token}'"),
        ("Bearer", "TypeError: Invalid Token or Protected Header formatting"),
        ("Bearer junk", "TypeError: Invalid Token or Protected Header formatting"),
        ("Bearer eyJhbGciOiJub25lIn0.e30.", "Invalid JWT"),
        ("Bearer eyJhbGciOiJIUzI1NiJ9.e30.AAAA", "Invalid JWT"),
    ],
)
async def test_who_has_no_good_token_is_refused_before_anything_starts(
    project: Project, header: str | None, msg: str
) -> None:
    before = project.slots("closed")
    answer = await project.ask("closed", **({} if header is None else {"authorization": header}))
    assert (answer.status_code, answer.json()) == (401, {"msg": msg})
    assert project.slots("closed") == before


async def test_tokens_of_users_keys_and_publishable_keys_are_good(project: Project) -> None:
    keys = project.minato.backend.api_keys
    expired = project.minato.token("u", exp=1)
    given = [
        ({"authorization": f"Bearer {project.minato.token('11111111-1111-4111-8111-111111111111')}"}, 201),
        ({"authorization": f"Bearer {keys.anon}"}, 201),
        ({"apikey": keys.publishable}, 201),
        ({"apikey": keys.secret}, 201),
        ({"authorization": f"Bearer {expired}"}, 401),
    ]
    for headers, status in given:
        assert (await project.ask("closed", **headers)).status_code == status, headers
    assert (await project.ask("closed", "OPTIONS")).status_code == 201


async def test_a_jwt_that_is_the_key_alone_is_handed_on_as_it_is_and_is_no_bearer_token(project: Project) -> None:
    key = project.minato.backend.api_keys.anon
    refused = await project.ask("closed", apikey=key)
    assert (refused.status_code, refused.json()) == (401, {"msg": "Error: Auth header is not 'Bearer {token}'"})
    assert (await project.ask("open", apikey=key)).json()["headers"]["authorization"] == key
    assert (await project.ask("closed", apikey=key, authorization=f"Bearer {key}")).status_code == 201
    assert (await project.ask("closed", apikey=key, authorization="Bearer sb_publishable_x")).status_code == 401


async def test_a_key_in_the_query_is_the_functions_own_affair(project: Project) -> None:
    """The local gateway looks for one there for Realtime alone."""
    keys = project.minato.backend.api_keys
    for key in (keys.anon, keys.publishable, keys.service_role):
        refused = await project.ask(f"closed?apikey={key}&a=1")
        assert (refused.status_code, refused.json()) == (401, {"msg": "Error: Missing authorization header"})
        told = (await project.ask(f"open?apikey={key}&a=1")).json()
        assert told["url"].endswith(f"/open?apikey={key}&a=1")
        assert "authorization" not in told["headers"]


async def test_a_socket_is_let_in_by_headers_as_a_request_is(project: Project) -> None:
    source = """Deno.serve((request) => {
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onopen = () => socket.send(JSON.stringify([request.url, request.headers.get("authorization")]));
  return response;
});"""
    for name in ("socket", "sockets"):
        project.write(f"{name}/index.ts", source)
    url, keys = f"{project.minato.url.replace('http', 'ws')}/functions/v1", project.minato.backend.api_keys
    for query, headers in (
        (f"?apikey={keys.anon}", {}),
        (f"?apikey={keys.publishable}", {}),
        ("", {"apikey": keys.anon}),
    ):
        with pytest.raises(InvalidStatus) as refusal:
            await connect(f"{url}/sockets{query}", proxy=None, additional_headers=headers)
        assert refusal.value.response.status_code == 401
    for headers in ({"apikey": keys.publishable}, {"authorization": f"Bearer {keys.anon}"}):
        async with connect(f"{url}/sockets?a=1", proxy=None, additional_headers=headers) as socket:
            assert json.loads(await socket.recv()) == [f"{project.minato.url}/sockets?a=1", f"Bearer {keys.anon}"]
    async with connect(f"{url}/socket?apikey={keys.publishable}", proxy=None) as socket:
        assert json.loads(await socket.recv()) == [f"{project.minato.url}/socket?apikey={keys.publishable}", None]


async def test_a_redirect_passes_as_the_function_gave_it(project: Project) -> None:
    project.write(
        "tick/index.ts",
        """Deno.serve((request) => new Response("gone on", {
  status: Number(new URL(request.url).searchParams.get("status")), headers: { location: "/elsewhere?a=b#c" } }));""",
    )
    for status in (301, 302, 303, 307, 308):
        async with project.minato.client() as client:
            answer = await client.post(f"/functions/v1/tick?status={status}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (status, "/elsewhere?a=b#c")
        assert answer.text == "gone on"


@pytest.mark.parametrize(
    "path", ["none", "off", "_shared", "", "..%2fopen", "open%2f..", "OPEN", "%6fpen", "a.b", "../etc", "open\\x"]
)
async def test_what_is_no_function_is_not_found(project: Project, path: str) -> None:
    answer = await project.call(path)
    assert answer.status_code == 404
    if "../" not in path:
        assert (answer.text, answer.headers["content-type"]) == ("Function not found", "text/plain")


async def test_health_is_the_rooms_own(project: Project) -> None:
    assert (await project.call("_internal/health", "HEAD")).status_code == 200
    assert (await project.call("_internal/health", "GET")).json() == {"message": "ok"}


async def test_an_entrypoint_of_config_toml_counts(project: Project) -> None:
    other = project.supabase / "other"
    other.mkdir()
    (other / "main.ts").write_text("export default { fetch: () => new Response('from elsewhere') }")
    assert (await project.call("elsewhere")).text == "from elsewhere"


async def test_bodies_stream_both_ways(project: Project) -> None:
    project.write(
        "form/index.ts",
        """Deno.serve(async (request) => {
  if (request.headers.get("content-type")?.startsWith("multipart")) {
    const form = await request.formData();
    const file = form.get("file") as File;
    return Response.json({ note: form.get("note"), name: file.name, size: file.size });
  }
  return new Response(request.body, { headers: { "content-type": "application/octet-stream" } });
});""",
    )
    form = await project.call("form", data={"note": "a"}, files={"file": ("a.bin", bytes(300_000))})
    assert form.json() == {"note": "a", "name": "a.bin", "size": 300_000}

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield bytes(50_000)

    assert len((await project.call("form", content=pieces())).content) == 1_000_000


async def test_events_come_as_they_are_sent_and_leaving_ends_the_request(project: Project) -> None:
    project.write(
        "leaves/index.ts",
        """let left = 0;
Deno.serve((request) => {
  if (request.method === "GET") return Response.json({ left });
  request.signal.addEventListener("abort", () => { left++; });
  const body = new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode("data: 1\\n\\n")) });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
});""",
    )
    async with project.minato.client() as client, client.stream("POST", "/functions/v1/leaves") as answer:
        assert answer.headers["content-type"] == "text/event-stream"
        assert await anext(answer.aiter_raw()) == b"data: 1\n\n"
    async with asyncio.timeout(60):
        while (await project.call("leaves", "GET")).json() != {"left": 1}:  # noqa: ASYNC110 - no bell rings
            await asyncio.sleep(0.02)


async def test_a_function_has_variables_of_its_own_over_the_projects(project: Project) -> None:
    project.write(".env", "GREETING=moin\nCOLOUR=blue\nSHAPE=flat\nOTHER=1\n")
    project.write("own/.env", "SHAPE=square\nSUPABASE_URL=mine\n")
    for name in ("own", "open"):
        project.write(f"{name}/index.ts", "Deno.serve(() => Response.json(Deno.env.toObject()));")
    own, other = (await project.call("own")).json(), (await project.call("open")).json()
    names = ("GREETING", "COLOUR", "SHAPE", "OTHER")
    assert [own[name] for name in names] == ["moin", "red", "square", "1"]
    assert [other[name] for name in names] == ["moin", "blue", "flat", "1"]
    assert own["SUPABASE_URL"] == project.minato.url


async def test_the_environment_is_the_projects_and_nothing_of_the_servers(project: Project) -> None:
    project.write(".env", "GREETING=moin\nOWN='1'\nSUPABASE_ANON_KEY=mine\n")
    project.write("spy/index.ts", "Deno.serve(() => Response.json(Deno.env.toObject()));")
    told = (await project.call("spy")).json()
    backend = project.minato.backend
    assert told.pop("SUPABASE_URL") == project.minato.url
    assert told.pop("SUPABASE_ANON_KEY") == backend.api_keys.anon
    assert told.pop("SUPABASE_SERVICE_ROLE_KEY") == backend.api_keys.service_role
    assert json.loads(told.pop("SUPABASE_PUBLISHABLE_KEYS")) == {"default": backend.api_keys.publishable}
    assert json.loads(told.pop("SUPABASE_SECRET_KEYS")) == {"default": backend.api_keys.secret}
    assert json.loads(told.pop("SUPABASE_JWKS")) == {"keys": backend.keys.public_jwks}
    assert told.pop("SUPABASE_DB_URL").endswith(":54322/postgres")
    assert UUID(told.pop("SB_EXECUTION_ID"))
    assert told == {"GREETING": "moin", "OWN": "1"}
