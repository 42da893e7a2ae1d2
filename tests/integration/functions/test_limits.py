"""What a request may take, what a process is given, and that nothing outlives the server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.integration.functions.conftest import Project
from tests.integration.functions.test_processes import LIMIT, is_running
from tests.support.copies import Copy
from tests.support.waiting import until

SLOW = """Deno.serve((request) => {
  if (request.method === "GET") return new Response("fine");
  if (request.method === "PUT") return new Response(new ReadableStream({
    start: (out) => { setInterval(() => out.enqueue(new Uint8Array(1)), 10); },
  }));
  return new Promise<Response>(() => {});
});"""


async def test_a_function_that_says_nothing_is_given_up(project: Project) -> None:
    project.write("open/index.ts", SLOW)
    await project.call("open", "GET")
    with project.limits(idle_timeout=0.2):
        answer = await project.call("open")
    assert (answer.status_code, answer.json()) == (504, {"message": "The upstream server is timing out"})
    assert (await project.call("open", "GET")).text == "fine"


async def test_a_request_has_its_time_however_much_is_said_meanwhile(project: Project) -> None:
    project.write("open/index.ts", SLOW)
    await project.call("open", "GET")
    with project.limits(wall_clock_limit=0.5):
        answer = await project.call("open")
        assert (answer.status_code, answer.json()) == (546, LIMIT)
        with pytest.raises(httpx.RemoteProtocolError):
            await project.call("open", "PUT")
    assert (await project.call("open", "GET")).text == "fine"


async def test_with_oneshot_each_request_has_a_process_of_its_own(project: Project) -> None:
    project.write("tick/index.ts", "let count = 0; Deno.serve(() => Response.json(++count))")
    with project.limits(policy="oneshot"):
        answers = [(await project.call("tick")).json() for _ in range(2)]
        answers += [answer.json() for answer in await asyncio.gather(*(project.call("tick") for _ in range(3)))]
    assert answers == [1, 1, 1, 1, 1]
    await until(lambda: project.slots("tick") == [])


async def test_static_files_are_read_and_their_neighbours_not(project: Project) -> None:
    for name in ("page.html", "secret.txt"):
        file = project.supabase / "assets" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(name)
    project.write(
        "static/index.ts",
        """Deno.serve(async () => Response.json(await Promise.all(["page.html", "secret.txt"].map((name) =>
  Deno.readTextFile(new URL(`../../assets/${name}`, import.meta.url)).catch(() => "refused")))));""",
    )
    assert (await project.call("static")).json() == ["page.html", "refused"]
    (project.supabase / "assets" / "page.html").write_text("edited")
    assert (await project.call("static")).json() == ["edited", "refused"]


@pytest.mark.parametrize("last", [signal.SIGKILL, signal.SIGTERM])
async def test_no_process_outlives_a_server_that_was_killed(tmp_path: Path, last: signal.Signals) -> None:
    """Also where its JavaScript is in an endless loop, and its port can be had again."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        supabase = Path(folder) / "supabase"
        (supabase / "functions" / "own").mkdir(parents=True)
        (supabase / "config.toml").write_text('project_id = "killed"\n[functions.own]\nverify_jwt = false\n')
        (supabase / "functions" / "own" / "index.ts").write_text(
            "Deno.serve((request) => { if (request.method === 'POST') for (;;); return Response.json(Deno.pid) })"
        )
        variables = {**os.environ, "MINATO_FUNCTIONS_CPU_LIMIT": "60"}
        command = ["start", "--json", "--port", "0", "--workdir", folder, "--data-dir", str(tmp_path / "data")]
        with Copy(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            assert server.stdout is not None
            url = json.loads(await asyncio.to_thread(server.stdout.readline))["url"]
            async with httpx.AsyncClient(base_url=url, timeout=90) as client:
                pid = (await client.get("/functions/v1/own")).json()
                looping = asyncio.create_task(client.post("/functions/v1/own"))
                server.send_signal(last)
                await asyncio.to_thread(server.wait)
                await asyncio.gather(looping, return_exceptions=True)
        await until(lambda: not is_running(pid))
