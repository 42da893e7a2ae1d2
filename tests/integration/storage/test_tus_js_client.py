"""tus-js-client, which Supabase's guide uploads large files with, gets over a server that is killed and comes back."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import httpx
from minato.database.address import DatabaseAddress
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes

from tests.support.command import REPOSITORY, Served, served
from tests.support.processes import wait_until
from tests.support.server import JWT_SECRET

CLIENT = REPOSITORY / "web" / "tests" / "resumable" / "upload.mjs"
BUCKET, KEY = "videos", "drive/around the block.mp4"
PIECE = 6 * 1024 * 1024
CONTENT = bytes(range(251)) * 60_000
PATIENCE = 120


def test_tus_js_client_resumes_by_itself_when_the_killed_server_is_back(data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "drive.mp4"
    file.write_bytes(CONTENT)
    with served(data_dir) as server, storage(server) as service:
        service.post("/bucket", json={"name": BUCKET})
        with begin(server, file) as client:
            try:
                before = [hear(client) for _ in range(3)]
                kill(server, data_dir)
                say(client, "go on")
                refused = hear(client)
                with served(data_dir, "--port", server.info["url"].rpartition(":")[2]):
                    told, _ = client.communicate(timeout=PATIENCE)
                    stored = service.get(f"/object/{BUCKET}/{KEY}")
            finally:
                client.kill()
    answered = [one for one in map(json.loads, told.splitlines()) if one["status"]]
    assert before == [event("POST", 201, 0), event("PATCH", 204, 0), "held"]
    assert refused == event("PATCH", 0, PIECE)
    assert answered == [event("HEAD", 200, PIECE), event("PATCH", 204, PIECE), event("PATCH", 204, 2 * PIECE)]
    assert client.returncode == 0
    assert (stored.content, stored.headers["content-type"]) == (CONTENT, "video/mp4")


async def test_tus_js_client_goes_on_at_another_node_when_the_first_is_killed(
    address: DatabaseAddress, tmp_path: Path, s3_url: str
) -> None:
    shared = {"DATABASE_URL": address.admin, "STORAGE_URL": s3_url, "MINATO_JWT_SECRET": JWT_SECRET}
    await asyncio.to_thread(_go_on_at_another_node, tmp_path, shared)


def _go_on_at_another_node(tmp_path: Path, shared: dict[str, str]) -> None:
    """Two nodes have the database, the store of the files and the address in common, one after the other."""
    file = tmp_path / "drive.mp4"
    file.write_bytes(CONTENT)
    with served(tmp_path / "one", **shared) as first, storage(first) as service:
        service.post("/bucket", json={"name": BUCKET})
        with begin(first, file) as client:
            try:
                before = [hear(client) for _ in range(3)]
                first.process.send_signal(signal.SIGKILL)
                first.process.wait(30)
                say(client, "go on")
                refused = hear(client)
                with served(tmp_path / "two", "--port", first.info["url"].rpartition(":")[2], **shared):
                    told, _ = client.communicate(timeout=PATIENCE)
                    stored = service.get(f"/object/{BUCKET}/{KEY}")
            finally:
                client.kill()
    answered = [one for one in map(json.loads, told.splitlines()) if one["status"]]
    assert before == [event("POST", 201, 0), event("PATCH", 204, 0), "held"]
    assert refused == event("PATCH", 0, PIECE)
    assert answered == [event("HEAD", 200, PIECE), event("PATCH", 204, PIECE), event("PATCH", 204, 2 * PIECE)]
    assert client.returncode == 0
    assert stored.content == CONTENT


def storage(server: Served) -> httpx.Client:
    headers = {"authorization": f"Bearer {server.info['service_role_key']}"}
    return httpx.Client(base_url=f"{server.info['url']}/storage/v1", headers=headers, timeout=PATIENCE)


def begin(server: Served, file: Path) -> subprocess.Popen[str]:
    """The client at work; it waits for a line before it sends the second piece."""
    command = ["node", str(CLIENT), server.info["url"], server.info["service_role_key"], BUCKET, KEY, str(file)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def kill(server: Served, data_dir: Path) -> None:
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(30)
    wait_until(lambda: not cluster_processes(Layout(data_dir).tag), "the end of every PostgreSQL process")


def say(client: subprocess.Popen[str], line: str) -> None:
    assert client.stdin is not None
    client.stdin.write(f"{line}\n")
    client.stdin.flush()


def hear(client: subprocess.Popen[str]) -> Any:
    """The next thing the client tells."""
    assert client.stdout is not None
    line = client.stdout.readline()
    assert line, "the client ended early"
    return json.loads(line)


def event(method: str, status: int, offset: int) -> dict[str, Any]:
    """An answer (status 0: none came) and the offset that a PATCH began at or a HEAD found."""
    return {"method": method, "status": status, "offset": offset}
