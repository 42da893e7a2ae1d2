"""How a function comes to serve and ends it, what its handlers give back, and what its console says."""

from __future__ import annotations

import json
from uuid import UUID

import httpx
import pytest

from tests.integration.functions.conftest import Project
from tests.support.waiting import until


def said(project: Project, name: str, answer: httpx.Response | None = None) -> list[tuple[str, str]]:
    """The level and text of each line, of one request or of all."""
    log = project.minato.backend.settings.server.data_dir / "functions" / f"{name}.log"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    wanted = answer.headers["x-request-id"] if answer else None
    return [(line["level"], line["text"]) for line in lines if wanted in (None, line["request_id"])]


@pytest.mark.parametrize(
    "text",
    [
        "setTimeout(() => Deno.serve(() => new Response('late')), 100);",
        """import http from "node:http";
const rest = () => new Promise((end) => setTimeout(end, 100));
async function main() { await rest(); http.createServer((_, answer) => answer.end("late")).listen(8000); }
main();""",
    ],
)
async def test_a_function_may_begin_to_serve_a_while_after_its_module_was_read(project: Project, text: str) -> None:
    """As one does that opens its connections first, in a function of its own."""
    project.write("tick/index.ts", text)
    assert (await project.call("tick")).text == "late"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("setTimeout(() => console.log('nothing'), 100);", "The function serves nothing"),
        ("(async () => { throw new Error('no database'); })();", "no database"),
    ],
)
async def test_a_function_that_will_never_serve_says_why(project: Project, text: str, reason: str) -> None:
    project.write("tick/index.ts", text)
    answer = await project.call("tick")
    assert (answer.status_code, answer.json()["code"]) == (503, "BOOT_ERROR")
    assert reason in answer.json()["trace"]


@pytest.mark.parametrize(
    "text",
    [
        """const server = Deno.serve((request) => {
  if (request.method === "DELETE") server.shutdown();
  return Response.json(performance.timeOrigin);
});""",
        """import http from "node:http";
const server = http.createServer((request, answer) => {
  if (request.method === "DELETE") server.close();
  answer.end(JSON.stringify(performance.timeOrigin));
}).listen(8000);""",
    ],
)
async def test_a_server_that_was_shut_down_is_begun_anew_by_the_next_request(project: Project, text: str) -> None:
    project.write("tick/index.ts", text)
    first = (await project.call("tick", "DELETE")).json()
    await until(lambda: all(slot.is_over for slot in project.slots("tick")))
    second = await project.call("tick")
    assert (second.status_code, second.json() > first) == (200, True)


@pytest.mark.parametrize(
    "text",
    [
        "Deno.serve(() => new Response('on')).unref();",
        'import http from "node:http"; http.createServer((_, answer) => answer.end("on")).listen(8000).unref();',
    ],
)
async def test_a_server_serves_on_that_was_told_to_hold_no_process(project: Project, text: str) -> None:
    project.write("tick/index.ts", text)
    for _ in range(2):
        assert (await project.call("tick")).text == "on"
    assert len([slot for slot in project.slots("tick") if not slot.retired]) == 1


async def test_who_listens_is_told_where(project: Project) -> None:
    project.write(
        "tick/index.ts",
        "let at; Deno.serve({ port: 8000, onListen: (given) => { at = given; } }, () => Response.json(at));",
    )
    assert (await project.call("tick")).json()["transport"] == "tcp"


async def test_an_error_handler_that_throws_is_asked_once(project: Project) -> None:
    project.write(
        "tick/index.ts",
        """let asked = 0;
const onError = () => { throw new Error(`asked ${++asked}`); };
Deno.serve({ onError }, () => { throw new Error("first"); });""",
    )
    answer = await project.call("tick")
    assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")
    assert answer.json()["trace"].startswith("Error: asked 1\n")
    assert [text.partition("\n")[0] for _, text in said(project, "tick", answer)] == ["Error: asked 1"]


async def test_what_is_returned_instead_of_a_response_is_told_with_its_request(project: Project) -> None:
    project.write("tick/index.ts", "Deno.serve(() => ({ a: 1 }));")
    answer = await project.call("tick")
    reason = "TypeError: A handler must return a Response, or a promise of one, not object."
    assert (answer.status_code, answer.json()["trace"]) == (500, reason)
    assert said(project, "tick", answer) == [("error", reason)]


async def test_each_way_to_say_something_is_in_the_log_as_it_was_meant(project: Project) -> None:
    project.write(
        "tick/index.ts",
        """Deno.serve(() => {
  console.log("%s has %d cars %o", "Ann", 3, { a: 1 });
  console.log("100%", "sure");
  console.group("cars");
  console.info("one");
  console.groupEnd();
  console.dir({ x: 1 });
  console.count("times");
  console.assert(false, "never");
  console.table([{ a: 1 }]);
  console.trace("here");
  return new Response();
});""",
    )
    answer = await project.call("tick")
    *lines, (_, table), (level, trace) = said(project, "tick", answer)
    assert lines == [
        ("info", "Ann has 3 cars { a: 1 }"),
        ("info", "100% sure"),
        ("info", "cars"),
        ("info", "  one"),
        ("info", "{ x: 1 }"),
        ("info", "times: 1"),
        ("error", "Assertion failed: never"),
    ]
    assert table.count("\n") == 4
    assert (level, trace.startswith("Trace: here\n"), trace.count("\n")) == ("error", True, 1)


async def test_each_process_has_an_id_that_its_functions_know(project: Project) -> None:
    project.write("tick/index.ts", "Deno.serve(() => new Response(Deno.env.get('SB_EXECUTION_ID')));")
    project.write(
        "py/main.py",
        "import os\nfrom starlette.responses import Response\n"
        "async def handle(request): return Response(os.environ['SB_EXECUTION_ID'])",
    )
    first, again, other = [UUID((await project.call(name)).text) for name in ("tick", "tick", "py")]
    assert first == again != other
