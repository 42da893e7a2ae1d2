"""Queues as docs/how-to/queues.md opens them to supabase-js, with the words of that page."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from minato.config.rest import RestSettings
from minato.database.address import DatabaseAddress

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "queues.md"
FIRST, EXPOSED, POLICY = re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.DOTALL)


@dataclass
class Queues:
    """Who asks for the functions of `pgmq_public`."""

    server: Minato
    owner: asyncpg.Connection

    async def rpc(self, function: str, role: str = "service_role", **arguments: Any) -> httpx.Response:
        key = self.server.service_role_key if role == "service_role" else self.server.token(role=role)
        if role == "anon":
            key = self.server.anon_key
        async with self.server.client(key, **{"content-profile": "pgmq_public"}) as client:
            return await client.post(f"/rest/v1/rpc/{function}", json=arguments)


@pytest.fixture
async def queues(cluster: Cluster, address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Queues]:
    """A server of a project with these migrations and two queues: `jobs` as the page makes it, and `tasks`."""
    owner = await asyncpg.connect(cluster.url(address, "postgres"))
    await owner.execute("create extension pgmq")
    await owner.execute(EXPOSED)
    await owner.execute("select pgmq.create('jobs'); select pgmq.create('tasks')")
    rest = RestSettings(db_schemas="public,graphql_public,pgmq_public")
    async with running(address, settings_for(tmp_path, rest=rest)) as server:
        try:
            yield Queues(server, owner)
        finally:
            await owner.close()


async def test_the_pages_first_lines_run(owner: asyncpg.Connection) -> None:
    await owner.execute(FIRST)
    assert await owner.fetchval("select message from pgmq.a_jobs") == '{"mail": 7}'


async def test_messages_are_sent_read_and_archived(queues: Queues) -> None:
    sent = await queues.rpc("send", queue_name="tasks", message={"mail": 7})
    assert (sent.status_code, sent.json()) == (200, [1]), sent.text
    batch = await queues.rpc("send_batch", queue_name="tasks", messages=[{"mail": 8}, {"mail": 9}], sleep_seconds=0)
    assert batch.json() == [2, 3]
    read = (await queues.rpc("read", queue_name="tasks", sleep_seconds=30, n=2)).json()
    assert [(row["msg_id"], row["read_ct"], row["message"]) for row in read] == [
        (1, 1, {"mail": 7}),
        (2, 1, {"mail": 8}),
    ]
    assert {"enqueued_at", "vt"} <= read[0].keys()
    assert (await queues.rpc("archive", queue_name="tasks", message_id=1)).json() is True
    assert (await queues.rpc("delete", queue_name="tasks", message_id=2)).json() is True
    assert (await queues.rpc("delete", queue_name="tasks", message_id=2)).json() is False
    popped = (await queues.rpc("pop", queue_name="tasks")).json()
    assert [row["message"] for row in popped] == [{"mail": 9}]
    assert (await queues.rpc("pop", queue_name="tasks")).json() == []
    assert await queues.owner.fetchval("select count(*) from pgmq.a_tasks") == 1


async def test_a_message_that_waits_is_not_read(queues: Queues) -> None:
    await queues.rpc("send", queue_name="tasks", message={}, sleep_seconds=3600)
    assert (await queues.rpc("read", queue_name="tasks", sleep_seconds=1, n=1)).json() == []


@pytest.mark.parametrize("role", ["anon", "authenticated"])
async def test_other_callers_are_refused(queues: Queues, role: str) -> None:
    for function, arguments in (
        ("send", {"message": {}}),
        ("read", {"sleep_seconds": 1, "n": 1}),
        ("pop", {}),
        ("archive", {"message_id": 1}),
    ):
        answer = await queues.rpc(function, role, queue_name="tasks", **arguments)
        assert (answer.status_code, answer.json()["code"]) == (403 if role == "authenticated" else 401, "42501")


async def test_a_policy_lets_the_signed_in_send_and_not_read(queues: Queues) -> None:
    await queues.owner.execute(POLICY)
    sent = await queues.rpc("send", "authenticated", queue_name="jobs", message={"a": 1})
    assert sent.status_code == 200, sent.text
    assert (await queues.rpc("read", "authenticated", queue_name="jobs", sleep_seconds=1, n=1)).status_code == 403


async def test_a_queue_that_is_not_there_is_an_error_of_the_database(queues: Queues) -> None:
    answer = await queues.rpc("send", queue_name="nothing", message={})
    assert (answer.status_code, answer.json()["code"]) == (404, "42P01")
