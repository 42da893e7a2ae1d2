"""`python -m bench.nodes`: three nodes behind HAProxy on one PostgreSQL, Redis and S3; one is killed under load.

Each node is a network namespace. A user signs in on the first, listens on the second and keeps a file on the third.
Then many write rows and files through the balancer, and some upload files in pieces, while a node is killed and begun
again: what was answered with success must be there, and no upload that was begun may be lost. Ends by itself after
about `--seconds` and a minute; run it as root, with Debian's haproxy and redis-server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import asyncpg
import boto3
import httpx
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from moto.server import ThreadedMotoServer

from bench.namespaces import HUB, Machine, begin_again_in_hub, require_programs
from bench.resumable import Uploads
from bench.sockets import connect

SECRET = "a-secret-of-these-nodes-with-forty-characters"
PASSWORD = "correct horse 9"
POSTGRES, REDIS, S3, BALANCER, NODE = 5432, 6379, 9000, 8000, 54321
BUCKET = "nodes"
UPLOADERS = 6
FIXTURE = """
create table public.orders (number text primary key, buyer uuid default auth.uid());
alter table public.orders enable row level security;
create policy own on public.orders to authenticated using (buyer = auth.uid()) with check (buyer = auth.uid());
grant all on public.orders to authenticated, service_role;
alter publication supabase_realtime add table public.orders;
notify pgrst, 'reload schema';
"""
HAPROXY = """
defaults
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
frontend postgres
  mode tcp
  bind {hub}:{postgres}
  default_backend database
backend database
  mode tcp
  server one 127.0.0.1:{port}
frontend http
  mode http
  bind {hub}:{balancer}
  option forwardfor
  default_backend nodes
backend nodes
  mode http
  balance roundrobin
  option httpchk GET /readyz
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response 503
  http-request disable-l7-retry unless METH_GET
  default-server check inter 500ms fall 1 rise 1 observe layer4 error-limit 1 on-error mark-down
{servers}
"""


@dataclass
class Node:
    """One `minato serve` on a machine of its own."""

    machine: Machine
    environment: dict[str, str]
    folder: Path
    process: asyncio.subprocess.Process | None = None
    keys: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{self.machine.address}:{NODE}"

    async def start(self) -> None:
        """Start and wait until it answers."""
        options = ("--host", self.machine.address, "--port", str(NODE), "--json", "--no-seed")
        with self._log() as log:
            self.process = await asyncio.create_subprocess_exec(
                *(*self.machine.inside, sys.executable, "-m", "minato", "serve", *options),
                *("--data-dir", str(self.folder)),
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env={**os.environ, **self.environment},
            )
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise SystemExit(self._said())
        self.keys = json.loads(line)

    def _log(self) -> BinaryIO:
        return self.folder.with_suffix(".log").open("ab")

    def _said(self) -> str:
        return self.folder.with_suffix(".log").read_text()[-3000:]

    async def end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(how)
            await self.process.wait()

    def client(self, token: str, url: str | None = None) -> httpx.AsyncClient:
        """To this node, or to the balancer."""
        headers = {"apikey": self.keys["anon_key"], "authorization": f"Bearer {token}"}
        return httpx.AsyncClient(base_url=url or self.url, headers=headers, timeout=20)


@asynccontextmanager
async def ended(command: list[str], ready: str) -> AsyncIterator[None]:
    """`command` runs until the block ends; what listens at `ready` (host:port) does so before it begins."""
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
    try:
        host, _, port = ready.partition(":")
        async with asyncio.timeout(20):
            while True:
                try:
                    _, writer = await asyncio.open_connection(host, int(port))
                except OSError:
                    await asyncio.sleep(0.05)
                    continue
                writer.close()
                break
        yield
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def store(folder: Path, minio: str | None) -> AsyncIterator[str]:
    """The address of the store of files: moto's, or that of the program `minio`."""
    key, secret = "a-key-of-the-nodes", "a-secret-of-the-nodes"
    os.environ |= {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret}
    if minio is not None:
        os.environ |= {"MINIO_ROOT_USER": key, "MINIO_ROOT_PASSWORD": secret}
        async with ended([minio, "server", "--quiet", "--address", f"{HUB}:{S3}", str(folder / "s3")], f"{HUB}:{S3}"):
            yield f"http://{HUB}:{S3}"
        return
    logging.getLogger("werkzeug").disabled = True
    files = ThreadedMotoServer(ip_address=HUB, port=S3, verbose=False)
    files.start()
    try:
        yield f"http://{HUB}:{S3}"
    finally:
        files.stop()


@asynccontextmanager
async def shared(folder: Path, machines: list[Machine], minio: str | None) -> AsyncIterator[dict[str, str]]:
    """What all nodes stand on, and their settings."""
    async with AsyncExitStack() as stack:
        postgres = EmbeddedPostgres(EmbeddedOptions(folder / "postgres"))
        address = await postgres.start()
        stack.push_async_callback(postgres.stop)
        servers = "\n".join(f"  server node{n} {each.address}:{NODE}" for n, each in enumerate(machines, 1))
        told = {"hub": HUB, "postgres": POSTGRES, "port": address.port, "balancer": BALANCER, "servers": servers}
        (folder / "haproxy.cfg").write_text(HAPROXY.format(**told))
        await stack.enter_async_context(
            ended(["haproxy", "-q", "-f", str(folder / "haproxy.cfg")], f"{HUB}:{BALANCER}")
        )
        redis = ["redis-server", "--bind", HUB, "--port", str(REDIS), "--save", "", "--protected-mode", "no"]
        await stack.enter_async_context(ended(redis, f"{HUB}:{REDIS}"))
        endpoint = await stack.enter_async_context(store(folder, minio))
        boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket=BUCKET)
        own = urlsplit(address.tcp_url("supabase_admin"))
        login = own.netloc.rpartition("@")[0]
        yield {
            "DATABASE_URL": own._replace(netloc=f"{login}@{HUB}:{POSTGRES}").geturl(),
            "REDIS_URL": f"redis://{HUB}:{REDIS}",
            "STORAGE_URL": f"s3://{BUCKET}/files?endpoint={endpoint}&region=us-east-1",
            "MINATO_JWT_SECRET": SECRET,
            "MINATO_ENVIRONMENT": "production",
            "MINATO_PUBLIC_URL": "https://nodes.example",
            "MINATO_TRUSTED_PROXIES": json.dumps([HUB]),
            "GOTRUE_MAILER_AUTOCONFIRM": "true",
        }


async def walk(nodes: list[Node], database: asyncpg.Connection) -> tuple[str, dict[str, Any]]:
    """Sign in on the first, listen on the second, keep a file on the third: the token, and what came of it."""
    first, second, third = nodes
    service = first.keys["service_role_key"]
    async with first.client(service) as client:
        account = {"email": "buyer@example.com", "password": PASSWORD, "email_confirm": True}
        (await client.post("/auth/v1/admin/users", json=account)).raise_for_status()
        (await client.post("/storage/v1/bucket", json={"id": "papers", "name": "papers"})).raise_for_status()
        signed = await client.post("/auth/v1/token?grant_type=password", json=account)
        token: str = signed.raise_for_status().json()["access_token"]
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    changes = [{"event": "*", "schema": "public", "table": "orders"}]
    key = second.keys["anon_key"]
    socket = await connect(second.url, key, "orders", {"postgres_changes": changes}, heard.put_nowait, token)
    await asyncio.wait_for(socket.ready, 60)
    async with first.client(token) as client, asyncio.timeout(60):
        (await client.post("/rest/v1/orders", json={"number": "walk"})).raise_for_status()
        while b'"walk"' not in await heard.get():
            pass
    async with third.client(service) as client:
        (await client.post("/storage/v1/object/papers/a.txt", content=b"kept")).raise_for_status()
    async with first.client(service) as client:
        kept = (await client.get("/storage/v1/object/papers/a.txt")).content
    socket.close()
    return token, {"heard on the second": True, "file of the third read on the first": kept == b"kept"}


class Load:
    """Writers through the balancer; each row and file that was answered with success is remembered."""

    def __init__(self, node: Node, token: str) -> None:
        self.rows: set[str] = set()
        self.files: set[str] = set()
        self.answers: Counter[str] = Counter()
        self.stopping = False
        self._node = node
        self._token = token

    async def write(self, writer: int) -> None:
        """Rows, and each fourth time a file, until told to stop."""
        number = 0
        service = self._node.keys["service_role_key"]
        through = f"http://{HUB}:{BALANCER}"
        async with self._node.client(self._token, through) as caller, self._node.client(service, through) as server:
            while not self.stopping:
                number += 1
                name = f"{writer}-{number}"
                if number % 4:
                    if await self._said_yes(caller.post("/rest/v1/orders", json={"number": name})):
                        self.rows.add(name)
                    await self._said_yes(caller.get(f"/rest/v1/orders?number=eq.{name}"))
                elif await self._said_yes(server.post(f"/storage/v1/object/papers/{name}", content=name.encode())):
                    self.files.add(name)

    async def _said_yes(self, asking: Any) -> bool:
        try:
            answer: httpx.Response = await asking
        except httpx.HTTPError as error:
            self.answers[type(error).__name__] += 1
            return False
        self.answers[f"{answer.request.method} {answer.status_code}"] += 1
        return answer.is_success


async def lost(load: Load, node: Node, database: asyncpg.Connection) -> dict[str, int]:
    """What was acknowledged and is not there."""
    there = {row["number"] for row in await database.fetch("select number from public.orders")}
    missing = 0
    async with node.client(node.keys["service_role_key"]) as client:
        for name in load.files:
            answer = await client.get(f"/storage/v1/object/papers/{name}")
            missing += answer.content != name.encode()
    return {"rows lost": len(load.rows - there), "files lost": missing}


async def told(uploads: Uploads) -> dict[str, int]:
    """What came of the uploads in pieces, read through the balancer."""
    missing = await uploads.missing()
    await uploads.client.aclose()
    return {
        "resumable uploads acknowledged": len(uploads.whole),
        "gone on with after a break": uploads.resumed,
        "resumable uploads lost": uploads.lost + missing,
    }


async def story(folder: Path, seconds: float, writers: int, minio: str | None) -> dict[str, Any]:
    """The report."""
    machines = [Machine.begin(number) for number in (1, 2, 3)]
    nodes: list[Node] = []
    try:
        async with shared(folder, machines, minio) as environment:
            nodes = [Node(each, environment, folder / f"node{n}") for n, each in enumerate(machines, 1)]
            try:
                return await _story(nodes, environment, seconds, writers)
            finally:
                for node in nodes:
                    await node.end(signal.SIGTERM)
    finally:
        for machine in machines:
            machine.end()


async def _story(nodes: list[Node], environment: dict[str, str], seconds: float, writers: int) -> dict[str, Any]:
    for node in nodes:
        await node.start()
    database = await asyncpg.connect(environment["DATABASE_URL"])
    await database.execute(FIXTURE)
    token, walked = await walk(nodes, database)
    load = Load(nodes[0], token)
    uploads = Uploads(nodes[0].client(nodes[0].keys["service_role_key"], f"http://{HUB}:{BALANCER}"), "papers")
    began = time.monotonic()
    tasks = [asyncio.create_task(load.write(number)) for number in range(writers)]
    tasks += [asyncio.create_task(uploads.run(number)) for number in range(UPLOADERS)]
    await asyncio.sleep(seconds / 3)
    await nodes[1].end(signal.SIGKILL)
    await asyncio.sleep(seconds / 3)
    await nodes[1].start()
    await asyncio.sleep(seconds / 3)
    load.stopping = uploads.stopping = True
    await asyncio.gather(*tasks)
    took = time.monotonic() - began
    gone = await lost(load, nodes[2], database)
    pieces = await told(uploads)
    connections = await database.fetchval("select count(*) from pg_stat_activity where application_name like 'minato%'")
    await database.close()
    return {
        **walked,
        "seconds": round(took, 1),
        "rows acknowledged": len(load.rows),
        "files acknowledged": len(load.files),
        **gone,
        **pieces,
        "answers": dict(sorted(load.answers.items())),
        "connections of three nodes to PostgreSQL": connections,
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.nodes", description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="how long the load lasts")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--minio", help="MinIO's program, to keep the files in instead of moto")
    options = parser.parse_args()
    require_programs({"haproxy": "haproxy", "redis-server": "redis-server"})
    begin_again_in_hub()
    with tempfile.TemporaryDirectory() as folder:
        report = asyncio.run(story(Path(folder), min(options.seconds, 300), min(options.writers, 64), options.minio))
    print(json.dumps(report, indent=2))
    losses = ("rows lost", "files lost", "resumable uploads lost")
    if any(report[each] for each in losses) or not report["file of the third read on the first"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
