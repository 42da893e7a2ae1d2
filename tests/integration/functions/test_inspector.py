"""A debugger is let into functions while a developer asks for it, from this machine alone."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import httpx
import pytest
from minato.functions.attached import Attachment, attached
from minato.functions.folders import work_folder
from minato.functions.inspector import PortTaken, inspector_port
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.functions.conftest import Project
from tests.support.waiting import PATIENCE, until

SOURCE = "Deno.serve(() => Response.json(Deno.pid));"


@pytest.fixture
def port(project: Project) -> Iterator[int]:
    """The first inspector's; the next one is free as well."""
    settings = project.minato.backend.settings
    for name in ("open", "edited"):
        project.write(f"{name}/index.ts", SOURCE)
    port = _two_free_ports()
    functions = settings.functions.model_copy(update={"inspector_port": port})
    project.room.renew(replace(settings, functions=functions))
    yield port
    project.room.renew(settings)


def _two_free_ports() -> int:
    while True:
        with socket.create_server(("127.0.0.1", 0)) as first:
            port: int = first.getsockname()[1]
            try:
                socket.create_server(("127.0.0.1", port + 1)).close()
            except OSError:
                continue
        return port


@contextmanager
def inspecting(project: Project, mode: str) -> Iterator[None]:
    asked = Attachment(inspect=mode, since={"run": 1, "wait": 2, "brk": 3}[mode])
    with attached(work_folder(project.minato.backend.settings), asked):
        yield


def target(port: int) -> str:
    """Where the debugger of the process behind this port connects; empty while nobody listens."""
    try:
        found = httpx.get(f"http://127.0.0.1:{port}/json/list").json()
    except httpx.TransportError:
        return ""
    return str(found[0]["webSocketDebuggerUrl"]) if found else ""


async def paused(debugger: ClientConnection) -> None:
    """Deno forgets that it was told to run on before it has begun to wait: it is told until it does."""
    async with asyncio.timeout(PATIENCE):
        while True:
            await debugger.send(json.dumps({"id": 8, "method": "Runtime.runIfWaitingForDebugger"}))
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    while json.loads(await debugger.recv()).get("method") != "Debugger.paused":
                        pass
                    return


async def test_each_function_has_a_port_of_its_own_for_as_long_as_that_is_asked(project: Project, port: int) -> None:
    before = (await project.call("open")).json()
    with inspecting(project, "run"):
        inspected = (await project.call("open")).json()
        await project.call("edited")
        assert inspected != before
        assert target(port) != target(port + 1) != ""
        project.write("open/index.ts", f"{SOURCE} // edited")
        assert (await project.call("open")).json() != inspected
        assert target(port) != ""
    assert (await project.call("open")).json() != inspected
    await until(lambda: target(port) == "")


@pytest.mark.parametrize("mode", ["wait", "brk"])
async def test_a_function_waits_for_its_debugger(project: Project, port: int, mode: str) -> None:
    with inspecting(project, mode):
        calling = asyncio.create_task(project.call("open"))
        await until(lambda: target(port) != "")
        async with connect(target(port), proxy=None, close_timeout=0) as debugger:
            asked = ["Runtime.enable", "Debugger.enable", "Runtime.runIfWaitingForDebugger"]
            for number, method in enumerate(asked):
                await debugger.send(json.dumps({"id": number, "method": method}))
            if mode == "brk":
                await paused(debugger)
                await debugger.send(json.dumps({"id": 9, "method": "Debugger.resume"}))
            assert (await calling).status_code == 200


async def test_a_port_of_somebody_else_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} is in use: set inspector_port"):
            await inspector_port(port, (), patience=0)
