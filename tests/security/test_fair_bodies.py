"""Request bodies that wait to be whole are kept in memory: nobody fills it with them, nor keeps others from sending."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from minato.auth import app as auth
from minato.config.realtime import RealtimeSettings
from minato.config.rest import RestSettings
from minato.config.storage import StorageSettings
from minato.database.address import DatabaseAddress
from minato.http.body_memory import BodyMemory

from tests.support.server import Minato, running, settings_for
from tests.support.slow_client import SlowClient, request
from tests.support.waiting import until

MEBIBYTE = 1024 * 1024
PATH = "/rest/v1/rpc/nothing"
LARGE = b" " * 6 * MEBIBYTE + b"{}"
JSON = {"content-type": "application/json"}


@pytest.fixture
async def server(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Minato]:
    rest = RestSettings(body_limit=8 * MEBIBYTE, body_memory=16 * MEBIBYTE)
    async with running(address, settings_for(tmp_path, rest=rest)) as server:
        yield server


def kept(server: Minato, room: str = "/rest/v1") -> BodyMemory:
    """What the room keeps of bodies."""
    app: Any = server.application.rooms[room]
    memory: BodyMemory = app._bodies if room == "/rest/v1" else app._http._bodies
    return memory


@contextmanager
def begun(work: Coroutine[Any, Any, bytes]) -> Iterator[asyncio.Task[bytes]]:
    """As a task, until the block ends."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        task.cancel()


async def unfinished(server: Minato, stack: AsyncExitStack, token: str, size: int, path: str = PATH) -> SlowClient:
    """A body that goes on for ever, of which so much is there."""
    client = await SlowClient.connect(server.url)
    stack.callback(client.close)
    length = str(8 * MEBIBYTE)
    await client.send(request(path, token, "POST", content_length=length, content_type="application/json"))
    with suppress(OSError):
        await client.send(b" " * size)
    return client


async def test_one_callers_large_bodies_leave_memory_to_others(server: Minato) -> None:
    async with AsyncExitStack() as stack:
        first = await unfinished(server, stack, server.anon_key, 6 * MEBIBYTE)
        await until(lambda: kept(server).left <= 10 * MEBIBYTE)
        second = await unfinished(server, stack, server.anon_key, 6 * MEBIBYTE)
        assert b"503 Service Unavailable" in await second.receive()
        assert await first.received_at_once() is None
        async with server.client(server.token(str(uuid4()))) as client:
            assert (await client.post(PATH, content=LARGE, headers=JSON)).status_code == 404
    # Whoever left has left nothing behind.
    await until(lambda: kept(server).left == 16 * MEBIBYTE)
    async with server.client() as client:
        assert (await client.post(PATH, content=LARGE, headers=JSON)).status_code == 404


async def test_a_larger_limit_that_is_read_while_the_server_runs_has_its_memory(server: Minato) -> None:
    app: Any = server.application.rooms["/rest/v1"]
    app.keeper.settings = app.keeper.settings.model_copy(update={"body_limit": 32 * MEBIBYTE})
    async with server.client() as client:
        answer = await client.post(PATH, content=b" " * 20 * MEBIBYTE + b"{}", headers=JSON)
    assert answer.status_code == 404, answer.text


async def test_all_large_bodies_together_have_an_end(server: Minato) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await unfinished(server, stack, server.token(str(uuid4())), 7 * MEBIBYTE)
        await until(lambda: kept(server).left <= 2 * MEBIBYTE)
        async with server.client(server.token(str(uuid4()))) as client:
            answer = await client.post(PATH, content=LARGE, headers=JSON)
            assert (answer.status_code, answer.json()["code"]) == (503, "PGRSTX05")
            assert answer.headers["retry-after"] == "1"
            assert (await client.post(PATH, json={})).status_code == 404


async def test_one_callers_broadcasts_leave_memory_to_others(address: DatabaseAddress, tmp_path: Path) -> None:
    large = RealtimeSettings(max_body_bytes=8 * MEBIBYTE)
    path, half = "/realtime/v1/api/broadcast", 32 * MEBIBYTE
    async with running(address, settings_for(tmp_path, realtime=large)) as server, AsyncExitStack() as stack:
        for _ in range(4):
            await unfinished(server, stack, server.anon_key, 8 * MEBIBYTE - 1, path)
        await until(lambda: kept(server, "/realtime/v1").left <= half + 4)
        last = await unfinished(server, stack, server.anon_key, MEBIBYTE, path)
        assert b"503 Service Unavailable" in await last.receive()
        async with server.client(server.token(str(uuid4()))) as other:
            body = {"messages": [{"topic": "room", "event": "hello", "payload": {"text": "x" * 2 * MEBIBYTE}}]}
            assert (await other.post(path, json=body)).status_code == 202


async def test_one_addresss_bodies_of_auth_have_an_end(
    address: DatabaseAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "BODIES_AT_ONCE", 8)
    sign_up = {"email": "new@example.com", "password": "correct horse"}
    async with running(address, settings_for(tmp_path)) as server:
        async with AsyncExitStack() as stack:
            clients = [
                await unfinished(server, stack, server.anon_key, MEBIBYTE - 1, "/auth/v1/signup") for _ in range(5)
            ]
            waiting = [stack.enter_context(begun(client.receive())) for client in clients]
            first, others = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            assert [b"429 Too Many Requests" in one.result() for one in first] == [True]
            assert len(others) == 4
        async with server.client() as client:
            assert (await client.post("/auth/v1/signup", json=sign_up)).status_code == 200


async def test_one_callers_uploads_leave_memory_to_others(address: DatabaseAddress, tmp_path: Path) -> None:
    storage = StorageSettings(body_memory=64 * MEBIBYTE)
    async with running(address, settings_for(tmp_path, storage=storage)) as server:
        await server.db.execute(
            "insert into storage.buckets (id, name) values ('all', 'all');"
            'create policy "all" on storage.objects to authenticated using (true) with check (true)'
        )
        memory = server.application.rooms["/storage/v1"].services.bodies  # type: ignore[attr-defined]
        token, other = server.token(str(uuid4())), server.token(str(uuid4()))
        async with AsyncExitStack() as stack:
            for number in range(4):
                await unfinished(server, stack, token, 8 * MEBIBYTE - 1, f"/storage/v1/object/all/{number}")
            await until(lambda: memory.left <= 32 * MEBIBYTE + 4)
            for path in ("object/all/last", "object/list/all"):
                last = await unfinished(server, stack, token, 1000, f"/storage/v1/{path}")
                answer = await last.receive()
                assert b"503 Service Unavailable" in answer
                assert b"SlowDown" in answer
            async with server.client(other) as client:
                assert (await client.post("/storage/v1/object/all/other", content=LARGE)).status_code == 200
        await until(lambda: memory.left == 64 * MEBIBYTE)


async def test_an_upload_that_was_refused_keeps_nothing(address: DatabaseAddress, tmp_path: Path) -> None:
    async with running(address, settings_for(tmp_path)) as server, server.client(server.service_role_key) as client:
        memory = server.application.rooms["/storage/v1"].services.bodies  # type: ignore[attr-defined]
        await client.post("/storage/v1/bucket", json={"name": "small", "file_size_limit": 1000})
        for content in (b" " * MEBIBYTE, b" "):
            answer = await client.post("/storage/v1/object/small/k", content=chunks_of(content))
            assert answer.status_code == (400 if len(content) > 1000 else 200), answer.text
            await until(lambda: memory.left == server.backend.settings.storage.body_memory)


async def chunks_of(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 65536):
        yield content[start : start + 65536]
