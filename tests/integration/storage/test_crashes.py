"""The server is killed between the steps of a change: afterwards every row has its file and every file its row."""

from __future__ import annotations

import io
import signal
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psycopg2
import pytest
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes
from minato.storage.installation import MARKER
from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError

from tests.support.command import Served, served
from tests.support.processes import wait_until
from tests.support.waiting import PATIENCE

BUCKET = "crash"
OLD, NEW, LITTLE = b"old" * 500_000, b"new" * 500_000, b"new" * 500
REQUESTS: dict[str, tuple[str, str, Any]] = {
    "upload": ("POST", f"/object/{BUCKET}/fresh", NEW),
    "replace": ("PUT", f"/object/{BUCKET}/old", NEW),
    "replace by little": ("PUT", f"/object/{BUCKET}/old", LITTLE),
    "copy": ("POST", "/object/copy", {"bucketId": BUCKET, "sourceKey": "old", "destinationKey": "copy"}),
    "move": ("POST", "/object/move", {"bucketId": BUCKET, "sourceKey": "old", "destinationKey": "moved"}),
    "delete": ("DELETE", f"/object/{BUCKET}/old", b""),
}
# Where the server dies → the objects there are afterwards, with their content: one of these.
DEATHS: list[tuple[str, str, *tuple[dict[str, bytes], ...]]] = [
    ("upload", "before file", {"old": OLD}),
    ("upload", "after file", {"old": OLD}),
    ("replace", "after file", {"old": OLD}),
    ("replace by little", "within file", {"old": OLD}),
    ("replace by little", "after file", {"old": OLD}),
    ("replace by little", "within row", {"old": OLD}, {"old": LITTLE}),
    ("replace", "before delete", {"old": NEW}),
    ("copy", "after file", {"old": OLD}),
    ("move", "after file", {"old": OLD}),
    ("move", "before delete", {"moved": OLD}),
    ("delete", "before delete", {}),
]
# Nobody waits for a file that was replaced: the answer comes, and the server dies.
ANSWERED = {("replace", "before delete")}


def client(server: Served) -> httpx.Client:
    key = server.info["service_role_key"]
    headers = {"apikey": key, "authorization": f"Bearer {key}"}
    return httpx.Client(base_url=f"{server.info['url']}/storage/v1", headers=headers, timeout=PATIENCE)


def files_and_rows_agree(data_dir: Path, server: Served) -> bool:
    connection = psycopg2.connect(server.info["db_url"])
    try:
        with connection.cursor() as cursor:
            cursor.execute("select version from storage.objects")
            named = {version for (version,) in cursor.fetchall()}
    finally:
        connection.close()
    files = {path.name for path in (data_dir / "storage").rglob("*") if path.is_file()}
    return files - {MARKER} == named


def objects(service: httpx.Client) -> dict[str, bytes]:
    rows = service.post(f"/object/list/{BUCKET}", json={"prefix": ""}).json()
    return {row["name"]: service.get(f"/object/{BUCKET}/{row['name']}").content for row in rows}


def kill(data_dir: Path, server: Served) -> None:
    server.process.wait(30)
    wait_until(lambda: not cluster_processes(Layout(data_dir).tag), "the end of every PostgreSQL process")


def test_row_and_file_agree_wherever_the_server_died(data_dir: Path, tmp_path: Path) -> None:
    flag, swept = tmp_path / "die", tmp_path / "swept"
    settings = {"DIE_WHEN": str(flag), "SWEPT": str(swept), "STORAGE_ORPHAN_AGE": "0"}
    expected: tuple[dict[str, bytes], ...] = ({},)
    for action, step, *afterwards in [*DEATHS, ("", "")]:
        swept.unlink(missing_ok=True)
        with served(data_dir, module="tests.support.dying_server", **settings) as server, client(server) as service:
            service.post("/bucket", json={"name": BUCKET})
            wait_until(swept.exists, "the end of the sweep")
            wait_until(partial(files_and_rows_agree, data_dir, server), f"agreement before {action} {step}")
            found = objects(service)
            assert found in expected
            if not action:
                break
            for name in found:
                service.delete(f"/object/{BUCKET}/{name}")
            assert service.put(f"/object/{BUCKET}/old", content=OLD).status_code == 200
            method, path, body = REQUESTS[action]
            flag.write_text(step)
            with nullcontext() if (action, step) in ANSWERED else pytest.raises(httpx.TransportError):
                service.request(method, path, **({"json": body} if isinstance(body, dict) else {"content": body}))
            kill(data_dir, server)
            flag.unlink()
            expected = tuple(afterwards)


def test_a_resumable_upload_goes_on_where_the_killed_server_stopped(data_dir: Path) -> None:
    content = bytes(range(256)) * 40_000
    with served(data_dir) as server:
        with client(server) as service:
            service.post("/bucket", json={"name": BUCKET})
        url = server.info["url"]
        uploader = begin(server, content)
        uploader.upload_chunk()
        assert 0 < uploader.offset < len(content)
        server.process.send_signal(signal.SIGKILL)
        kill(data_dir, server)
    with pytest.raises(TusCommunicationError):
        uploader.upload_chunk()
    with served(data_dir, "--port", url.rpartition(":")[2]) as server, client(server) as service:
        again = begin(server, content, uploader.url)
        assert again.offset == 4_000_000
        again.upload()
        assert service.get(f"/object/{BUCKET}/big").content == content


def begin(server: Served, content: bytes, url: str | None = None) -> Any:
    """An upload of the reference client of the protocol, in pieces of 4 MB, checksums along."""
    key = server.info["service_role_key"]
    tus = TusClient(f"{server.info['url']}/storage/v1/upload/resumable", {"authorization": f"Bearer {key}"})
    metadata = {"bucketName": BUCKET, "objectName": "big"}
    return tus.uploader(
        file_stream=io.BytesIO(content), chunk_size=4_000_000, metadata=metadata, url=url, upload_checksum=True
    )
