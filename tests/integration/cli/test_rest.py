"""`minato rest` takes the place of PostgREST: a file, a port, a database of anybody's."""

from __future__ import annotations

import signal
import socket as sockets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from tests.support.command import ELSEWHERE, environment, run_minato
from tests.support.copies import Copy
from tests.support.postgres import Cluster
from tests.support.processes import wait_until

CONF = """
db-uri = "$(THE_DATABASE)"
db-anon-role = "anon"
server-host = "127.0.0.1"
server-port = {port}
server-unix-socket = "{socket}"
"""


@contextmanager
def rest(conf: Path, **settings: str) -> Iterator[tuple[str, Copy]]:
    """`minato rest --config conf`, listening: where, and its process."""
    command = ("rest", "--config", str(conf))
    process = Copy(command, stdout=subprocess.PIPE, text=True, cwd=ELSEWHERE, env=environment(**settings))
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith("Listening on "), line
        yield line.removeprefix("Listening on ").strip(), process
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


def get(url: str, socket: Path | None = None) -> httpx.Response:
    with httpx.Client(transport=httpx.HTTPTransport(uds=str(socket) if socket else None)) as client:
        return client.get(url)


def written(folder: Path, socket: str = "") -> Path:
    path = folder / "postgrest.conf"
    path.write_text(CONF.format(port=0, socket=socket))
    return path


@pytest.mark.parametrize("in_keywords", [False, True])
async def test_a_postgrest_conf_is_all_it_needs(cluster: Cluster, tmp_path: Path, in_keywords: bool) -> None:
    async with cluster.bare_database() as address:
        db = await asyncpg.connect(address.admin)
        await db.execute("create table public.things as select 1 as id; grant select on public.things to anon")
        uri = address.authenticator
        if in_keywords:
            parts = httpx.URL(uri)
            uri = f"host={parts.params['host']} port={parts.params['port']} dbname={parts.path[1:]} user=authenticator"
        with rest(written(tmp_path), THE_DATABASE=uri) as (url, process):
            assert get(f"{url}/things").json() == [{"id": 1}]
            await db.execute("create table public.more as select 2 as id; grant select on public.more to anon")
            process.send_signal(signal.SIGUSR1)
            wait_until(lambda: get(f"{url}/more").status_code == 200, "the new table is served")
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
        await db.close()


async def test_it_listens_on_a_unix_socket(cluster: Cluster, tmp_path: Path) -> None:
    socket = tmp_path / "api.sock"
    async with cluster.bare_database() as address:
        with rest(written(tmp_path, str(socket)), THE_DATABASE=address.authenticator) as (where, _):
            assert where == str(socket)
            assert oct(socket.stat().st_mode & 0o777) == "0o660"
            assert get("http://api/nothing", socket).json()["code"] == "PGRST205"


async def test_it_waits_for_a_database_that_is_not_there(cluster: Cluster, tmp_path: Path) -> None:
    uri = "postgresql://anon@127.0.0.1:1/nowhere"
    with rest(written(tmp_path), THE_DATABASE=uri) as (url, _):
        answer = get(f"{url}/things")
        assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "PGRST002", "1")


def test_a_broken_file_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "postgrest.conf"
    path.write_text("db-uri = ")
    done = run_minato("rest", "--config", str(path))
    assert (done.returncode, done.stderr.strip()) == (
        1,
        f"minato: Error in config {path}: expected a value for db-uri, found the end",
    )


async def test_the_admin_server_is_asked_for_health(cluster: Cluster, tmp_path: Path) -> None:
    port = unused_port()
    async with cluster.bare_database() as address:
        settings = {"THE_DATABASE": address.authenticator, "PGRST_ADMIN_SERVER_PORT": str(port)}
        with rest(written(tmp_path), **settings):
            admin = f"http://127.0.0.1:{port}"
            assert get(f"{admin}/live").status_code == 200
            wait_until(lambda: get(f"{admin}/ready").status_code == 200, "the schema is loaded")
            assert get(f"{admin}/things").status_code == 404


@pytest.mark.parametrize("over_a_unix_socket", [False, True])
def test_an_api_that_waits_for_its_database_lives_but_is_not_ready(tmp_path: Path, over_a_unix_socket: bool) -> None:
    port = unused_port()
    settings = {"THE_DATABASE": "postgresql://anon@127.0.0.1:1/nowhere", "PGRST_ADMIN_SERVER_PORT": str(port)}
    conf = written(tmp_path, str(tmp_path / "api.sock") if over_a_unix_socket else "")
    with rest(conf, **settings):
        answers = [get(f"http://127.0.0.1:{port}/{path}").status_code for path in ("live", "ready")]
        assert answers == [200, 503]


def unused_port() -> int:
    with sockets.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
