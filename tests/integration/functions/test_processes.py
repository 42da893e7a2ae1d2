"""A function's process: its rights and limits, its beginnings and ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from datetime import timedelta

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from tests.integration.functions.conftest import Project
from tests.support.waiting import until

LIMIT = {
    "code": "WORKER_LIMIT",
    "message": "Worker failed to respond due to a resource limit (please check logs)",
}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_function_reads_no_file_but_its_own_and_the_shared_and_starts_nothing(project: Project) -> None:
    secret = project.write("other/secret.json", '{"secret": 1}')
    project.write("spy/own.txt", "own")
    project.write("_shared/all.txt", "shared")
    tries = {
        "own": "Deno.readTextFile(new URL('./own.txt', import.meta.url))",
        "shared": "Deno.readTextFile(new URL('../_shared/all.txt', import.meta.url))",
        "other": f"Deno.readTextFile({json.dumps(str(secret))})",
        "imported": f"import({json.dumps(secret.as_uri())}, {{ with: {{ type: 'json' }} }})",
        "passwd": "Deno.readTextFile('/etc/passwd')",
        "proc": "Deno.readTextFile(`/proc/${Deno.ppid}/environ`)",
        "write": "Deno.writeTextFile(new URL('./own.txt', import.meta.url), 'x')",
        "run": "new Deno.Command('/bin/true').output()",
        "native": "(async () => Deno.dlopen('/lib/x.so', {}))()",
        "unix": "Deno.connect({ transport: 'unix', path: '/tmp/.s.PGSQL.5432' })",
    }
    lines = ",".join(f"{name}: () => {call}" for name, call in tries.items())
    project.write(
        "spy/index.ts",
        f"""const tries = {{ {lines} }};
Deno.serve(async () => {{
  const told: Record<string, unknown> = {{}};
  for (const [name, attempt] of Object.entries(tries)) {{
    const trying = (async () => attempt())();
    told[name] = await trying.then((value) => typeof value === "string" ? value : "done", () => "refused");
  }}
  return Response.json(told);
}});""",
    )
    told = (await project.call("spy")).json()
    assert told == {**dict.fromkeys(tries, "refused"), "own": "own", "shared": "shared"}


async def test_a_file_of_another_function_is_read_where_an_import_names_it_and_its_neighbours_are_not(
    project: Project,
) -> None:
    project.write("other/secret.txt", "secret")
    project.write("other/utils/sign.ts", "export const sign = '+';")
    phone = project.write("other/utils/phone.ts", "import { sign } from './sign.ts';\nexport const phone = sign + 1;")
    project.write(
        "spy/index.ts",
        """import { phone } from "../other/utils/phone.ts";
Deno.serve(async () => new Response(phone + await Deno.readTextFile(
  new URL("../other/secret.txt", import.meta.url)).catch(() => " refused")));""",
    )
    assert (await project.call("spy")).text == "+1 refused"
    phone.write_text("export const phone = 'edited';")
    assert (await project.call("spy")).text == "edited refused"


async def test_a_name_of_the_import_map_leads_to_a_file_of_another_function_and_to_none_of_its_neighbours(
    project: Project,
) -> None:
    project.write("other/secret.txt", "secret")
    phone = project.write("other/utils/phone.ts", "export const phone = 1;")
    deno_json = project.write("named/deno.json", '{ "imports": { "phone": "../other/utils/phone.ts" } }')
    source = """import { phone } from "phone";
Deno.serve(async () => new Response(phone + await Deno.readTextFile(
  new URL("../other/secret.txt", import.meta.url)).catch(() => " refused")));"""
    project.write("named/index.ts", source)
    assert (await project.call("named")).text == "1 refused"
    phone.write_text("export const phone = 'edited';")
    assert (await project.call("named")).text == "edited refused"
    deno_json.write_text('{ "imports": { "@other/": "../other/" } }')
    project.write("named/index.ts", source.replace('"phone"', '"@other/utils/phone.ts"'))
    assert (await project.call("named")).text == "edited refused"


async def test_nobody_but_the_server_may_ask_the_process(project: Project) -> None:
    project.write("open/index.ts", "Deno.serve(() => new Response('hello'))")
    assert (await project.call("open")).text == "hello"
    child = project.slots("open")[-1].child
    assert child is not None
    async with httpx.AsyncClient() as client:
        for headers in ({}, {"x-minato-pass": "guess"}, {"x-minato-pulse": "1"}):
            answer = await client.get(f"http://127.0.0.1:{child.port}/open", headers=headers)
            assert (answer.status_code, answer.text) == (403, "")


async def test_requests_share_a_process_and_its_start(project: Project) -> None:
    project.write(
        "tick/index.ts",
        "let count = 0; let go: () => void; const all = new Promise<void>((done) => { go = done; });\n"
        "Deno.serve(async () => { if (++count === 3) go(); await all; return Response.json(count) });",
    )
    answers = await asyncio.gather(*(project.call("tick") for _ in range(3)))
    assert [answer.json() for answer in answers] == [3, 3, 3]
    assert len([slot for slot in project.slots("tick") if not slot.retired]) == 1


async def test_an_edit_counts_at_the_next_request_and_the_one_at_work_ends_as_it_began(project: Project) -> None:
    project.write("_shared/word.ts", "export const word = 'old';")
    source = """import { word } from "../_shared/word.ts";
Deno.serve((request) => {
  if (request.method !== "PUT") return new Response(word);
  return new Response(request.body!.pipeThrough(new TransformStream({ flush: (out) => out.enqueue(
    new TextEncoder().encode(word)) })));
});"""
    project.write("edited/index.ts", source)
    assert (await project.call("edited")).text == "old"
    edited = asyncio.Event()

    async def slowly() -> object:
        yield b"asked "
        await edited.wait()
        yield b"early: "

    async with asyncio.TaskGroup() as group:
        early = group.create_task(project.call("edited", "PUT", content=slowly()))
        await until(lambda: any(slot.users for slot in project.slots("edited")))
        project.write("_shared/word.ts", "export const word = 'newer';")
        assert (await project.call("edited")).text == "newer"
        edited.set()
    assert early.result().text == "asked early: old"
    await until(lambda: len(project.slots("edited")) == 1)


async def test_a_function_that_does_not_boot_says_where_and_is_not_tried_in_haste(project: Project) -> None:
    project.write("broken/index.ts", "import 'npm:a-package-that-was-never-fetched@1';")
    first = await project.call("broken")
    assert first.status_code == 503
    told = first.json()
    assert told.pop("trace").endswith("run minato functions cache.")
    assert told == {"code": "BOOT_ERROR", "message": "Worker failed to boot (please check logs)"}
    again = await project.call("broken")
    assert (again.status_code, project.slots("broken")) == (503, [])
    project.write("broken/index.ts", "const a: number = ;")
    assert "broken/index.ts:1:19" in (await project.call("broken")).json()["trace"]
    project.write("broken/index.ts", "export const nothing = 1;")
    assert "export default { fetch }" in (await project.call("broken")).json()["trace"]
    project.write("broken/index.ts", "const model = new Supabase.ai.Session('gte-small');")
    assert "Error: Supabase.ai.Session is a model of the hosted" in (await project.call("broken")).json()["trace"]
    project.write("broken/index.ts", "export default { fetch: () => new Response('whole again') }")
    assert (await project.call("broken")).text == "whole again"


async def test_an_endless_loop_and_a_glutton_end_by_themselves_alone(project: Project) -> None:
    project.write("open/index.ts", "Deno.serve(() => new Response('still here'))")
    project.write(
        "loops/index.ts",
        """Deno.serve(async (request) => {
  const kept: unknown[] = [];
  if (request.method === "POST") for (;;);
  if (request.method === "PUT") for (;;) kept.push(new Array(1e6).fill(Math.random()));
  if (request.method === "DELETE") Deno.exit(1);
  return new Response("fine");
});""",
    )
    for method, status in (("POST", 546), ("PUT", 546), ("DELETE", 500), ("GET", 200)):
        answer = await project.call("loops", method)
        assert answer.status_code == status, method
        if status == 546:
            assert answer.json() == LIMIT
    assert (await project.call("open")).text == "still here"


async def test_work_behind_the_answer_goes_on_and_an_idle_process_ends(project: Project) -> None:
    project.write(
        "behind/index.ts",
        """let done = 0; let finish: () => void = () => {};
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void };
Deno.serve((request) => {
  if (request.method === "GET") return Response.json(done);
  if (request.method === "PUT") { finish(); return new Response(null, { status: 204 }); }
  EdgeRuntime.waitUntil(new Promise<void>((end) => { finish = end; }).then(() => { done++; }));
  return new Response(null, { status: 202 });
});""",
    )
    assert (await project.call("behind")).status_code == 202
    (slot,) = project.slots("behind")
    child, clock = slot.child, project.minato.backend.clock
    assert child is not None
    await until(lambda: child.background == 1)
    assert project.room.pool is not None
    clock.advance(timedelta(seconds=300))
    await project.room.pool.sweep()
    assert not child.has_ended
    assert (await project.call("behind", "PUT")).status_code == 204
    await until(lambda: child.background == 0)
    clock.advance(timedelta(seconds=300))
    await project.room.pool.sweep()
    await until(lambda: child.has_ended)
    assert (await project.call("behind", "GET")).json() == 0


async def test_a_process_ends_with_whoever_holds_its_life(project: Project) -> None:
    """Also when its JavaScript never looks up: the shell beside it waits for the end of the pipe that we hold."""
    project.write("loops/index.ts", "Deno.serve(() => new Response('fine'))")
    await project.call("loops")
    child = project.slots("loops")[-1].child
    assert child is not None
    os.kill(child.pid, signal.SIGSTOP)
    assert child._watcher.stdin is not None
    child._watcher.stdin.close()
    await until(lambda: child.has_ended)
    assert not is_running(child.pid)
    assert (await project.call("loops")).text == "fine"


async def test_more_functions_than_processes_take_turns(project: Project) -> None:
    for number in range(6):
        project.write(f"many{number}/index.ts", f"Deno.serve(() => Response.json({number}))")
    answers = await asyncio.gather(*(project.call(f"many{number}") for number in range(6)))
    assert [answer.json() for answer in answers] == list(range(6))
    assert project.room.pool is not None
    assert len(project.room.pool.running) <= 4


async def test_a_socket_is_opened_by_the_function_or_refused(project: Project) -> None:
    project.write(
        "socket/index.ts",
        """Deno.serve((request) => {
  if (new URL(request.url).pathname.endsWith("/no")) return new Response("not here", { status: 418 });
  const { socket, response } = Deno.upgradeWebSocket(request, { protocol: "chat" });
  socket.onmessage = ({ data }) => data === "end" ? socket.close(4001, "as asked") : socket.send(`you said ${data}`);
  return response;
});""",
    )
    url = f"{project.minato.url.replace('http', 'ws')}/functions/v1"
    async with connect(f"{url}/socket?a=1", proxy=None, subprotocols=["chat"]) as socket:  # type: ignore[list-item]
        await socket.send("hello")
        assert (await socket.recv(), socket.subprotocol) == ("you said hello", "chat")
        await socket.send("end")
        await socket.wait_closed()
        assert (socket.close_code, socket.close_reason) == (4001, "as asked")
    project.write("closed/index.ts", "Deno.serve(() => new Response('never'))")
    refused = {"socket/no": 418, "closed": 401, "none": 404}
    for path, status in refused.items():
        with pytest.raises(InvalidStatus) as refusal:
            await connect(f"{url}/{path}", proxy=None)
        assert refusal.value.response.status_code == status, path


async def test_what_a_function_says_is_in_its_log_with_the_requests_id(project: Project) -> None:
    project.write("open/index.ts", "Deno.serve(() => { console.warn('said', { a: 1 }); return new Response('x') })")
    answer = await project.call("open")
    log = project.minato.backend.settings.server.data_dir / "functions" / "open.log"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    (found,) = [line for line in lines if line["request_id"] == answer.headers["x-request-id"]]
    assert (found["level"], found["text"]) == ("warning", "said { a: 1 }")
    assert log.stat().st_mode & 0o777 == 0o600
