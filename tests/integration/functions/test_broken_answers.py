"""Answers that break, are too large or of two minds: what the caller is told, and when."""

from __future__ import annotations

import httpx
import pytest
from minato.functions import child

from tests.integration.functions.conftest import Project


@pytest.mark.parametrize(
    "body",
    [
        "start(out) { out.error(new Error('at once')); }",
        "pull() { throw new Error('at once'); }",
    ],
)
async def test_a_body_that_fails_at_once_is_answered_at_once(
    project: Project, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    """Its process goes on, so nobody waits for its end: here that would take an hour."""
    project.write("tick/index.ts", f"Deno.serve(() => new Response(new ReadableStream({{ {body} }})));")
    await project.call("tick")
    with monkeypatch.context() as patch:
        patch.setattr(child, "_ENDING_SECONDS", 3600)
        answer = await project.call("tick")
    assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")
    assert len([slot for slot in project.slots("tick") if not slot.retired]) == 1


@pytest.mark.parametrize("count", [250, 900])
async def test_the_head_of_an_answer_may_be_large(project: Project, count: int) -> None:
    """As large as the local gateway's buffers let it be."""
    project.write(
        "tick/index.ts",
        """Deno.serve((request) => {
  const headers = new Headers();
  const count = Number(new URL(request.url).searchParams.get("count"));
  for (let at = 0; at < count; at++) headers.append("set-cookie", `c${at}=${"v".repeat(80)}`);
  return new Response("cookies", { headers });
});""",
    )
    answer = await project.call(f"tick?count={count}")
    assert (answer.status_code, answer.text) == (200, "cookies")
    assert len(answer.headers.get_list("set-cookie")) == count


async def test_an_answer_has_one_date(project: Project) -> None:
    project.write("tick/index.ts", "Deno.serve(() => new Response(null, { status: 204 }));")
    project.write("py/main.py", "from starlette.responses import Response\nasync def handle(r): return Response('a')")
    for name in ("tick", "py"):
        assert len((await project.call(name)).headers.get_list("date")) == 1


@pytest.mark.parametrize("end", ["sys.exit('no more')", "raise asyncio.CancelledError"])
async def test_what_ends_more_than_a_request_is_answered_as_an_error_of_the_function(
    project: Project, end: str
) -> None:
    """The process has others to answer, so it goes on."""
    project.write("py/main.py", f"import asyncio, sys\nasync def handle(request):\n    {end}")
    answer = await project.call("py")
    assert (answer.status_code, answer.json()["code"]) == (500, "WORKER_ERROR")
    assert "py/main.py" in answer.json()["trace"]
    log = project.minato.backend.settings.server.data_dir / "functions" / "py.log"
    assert answer.headers["x-request-id"] in log.read_text()
    await project.call("py")
    assert len([slot for slot in project.slots("py") if not slot.retired]) == 1


@pytest.mark.parametrize("end", ["out.error(new Error('broken'))", "Deno.exit(3)"])
async def test_an_answer_that_breaks_off_is_told_of_with_its_request(project: Project, end: str) -> None:
    """Its status was sent long before."""
    project.write(
        "tick/index.ts",
        f"""Deno.serve(() => new Response(new ReadableStream({{ async start(out) {{
  out.enqueue(new TextEncoder().encode("begun"));
  await new Promise((end) => setTimeout(end, 100));
  {end};
}} }})));""",
    )
    async with project.minato.client() as client, client.stream("POST", "/functions/v1/tick") as answer:
        with pytest.raises(httpx.RemoteProtocolError):
            await answer.aread()
    led = project.minato.backend.journal.led_to(answer.headers["x-request-id"])
    assert "an answer of a function broke off" in [event.title for event in led if event.kind == "log"]
