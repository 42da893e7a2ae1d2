"""Any project's SQL sends mails and drops files by functions of its own: the text of docs/how-to/mail-from-sql.md."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import asyncpg
import httpx
import pytest
from minato.config.server import ServerSettings
from minato.jobs.jobs import MailQueue
from minato.mail.email import Email
from minato.mail.mailer import MailError
from minato.project.folder import Project
from minato.project.jobs import job_statement
from minato.project.migrate import migrate_project
from minato.storage.app import StorageRoom
from minato.tokens.caller import SERVICE_ROLE

from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE

TEXT = (Path(__file__).parents[3] / "docs" / "how-to" / "mail-from-sql.md").read_text()
QUEUE = "insert into private.mails (recipient, subject, body, path) values ($1, 'Sold', 'Your car is sold', '/cars/7')"
STATE = "select recipient, attempts, sent_at is not null, error from private.mails order by id"


def written(language: str) -> str:
    """All that the document says in that language."""
    return "\n".join(re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL))


@dataclass
class Post:
    """A mail server that refuses mails to some."""

    refuses: frozenset[str] = frozenset()
    got: list[Email] = field(default_factory=list)

    async def send(self, email: Email) -> None:
        if email.to in self.refuses:
            raise MailError("550 No such user")
        self.got.append(email)


@pytest.fixture
async def shop(cluster: Cluster, tmp_path: Path) -> AsyncIterator[Minato]:
    """A server of a project that has the document's files and nothing else."""
    project = Project(tmp_path / "shop")
    project.migrations_folder.mkdir(parents=True)
    (project.folder / "minato.toml").write_text(written("toml"))
    (project.migrations_folder / "20260101000000_mail.sql").write_text(written("sql"))
    settings = settings_for(tmp_path / "data")
    server = ServerSettings.model_validate({**settings.server.model_dump(by_alias=True), "project": project.root})
    async with cluster.platform_database() as address:
        await asyncio.to_thread(migrate_project, address.admin, project)
        async with running(address, replace(settings, server=server)) as minato:
            yield minato


def queue_of(server: Minato, post: Post) -> MailQueue:
    project = server.backend.settings.server.project
    following, done = (job_statement(project, job) for job in ("mail.next", "mail.done"))
    assert following is not None
    assert done is not None
    engine = server.backend.database.engine(SERVICE_ROLE)
    return MailQueue(engine, post, "https://shop.example", next_mail=following, mail_done=done)


@pytest.fixture
async def resting(shop: Minato) -> Minato:
    """The same, with mails sent by hand."""
    await shop.application.jobs.stop()
    return shop


async def test_what_a_transaction_queued_leaves_after_its_commit_and_not_without(shop: Minato) -> None:
    undone = shop.db.transaction()
    await undone.start()
    await shop.db.execute(QUEUE, "nobody@shop.example")
    await undone.rollback()
    await shop.db.execute(QUEUE, "ann@shop.example")
    async with shop.client() as client:
        found = (await client.get("/_dev/outbox?to=ann@shop.example&type=news&wait=20")).json()
        nothing = (await client.get("/_dev/outbox?to=nobody@shop.example")).json()
    assert [(mail["subject"], mail["link"]) for mail in found] == [("Sold", f"{shop.url}/cars/7")]
    assert nothing == []


async def test_workers_share_the_queue_and_a_refused_mail_is_due_again(resting: Minato) -> None:
    for name in ("ann", "bob", "eve", "joe"):
        await resting.db.execute(QUEUE, f"{name}@shop.example")
    posts = [Post(frozenset({"bob@shop.example"})) for _ in range(2)]
    tried = await asyncio.gather(*(queue_of(resting, post).drain() for post in posts))
    assert sum(tried) == 4
    assert sorted(mail.to for post in posts for mail in post.got) == [
        f"{n}@shop.example" for n in ("ann", "eve", "joe")
    ]
    refused = await resting.db.fetchrow("select * from private.mails where sent_at is null")
    assert (refused["recipient"], refused["attempts"], refused["error"]) == ("bob@shop.example", 1, "550 No such user")
    await resting.db.execute("update private.mails set due_at = now() where sent_at is null")
    last = Post()
    assert await queue_of(resting, last).drain() == 1
    assert await resting.db.fetchval("select bool_and(sent_at is not null and error is null) from private.mails")


async def test_a_mail_whose_server_was_killed_goes_again_under_the_same_name(resting: Minato) -> None:
    await resting.db.execute(QUEUE, "ann@shop.example")
    claimed = await resting.db.fetchval("select private.next_mail() ->> 'reference'")
    post = Post()
    assert await queue_of(resting, post).drain() == 0, "the killed one may have it still"
    await resting.db.execute("update private.mails set due_at = now()")
    assert await queue_of(resting, post).drain() == 1
    assert [mail.reference for mail in post.got] == [f"{claimed}@shop.example"]


async def test_a_mail_that_lacks_something_keeps_no_other_waiting(resting: Minato) -> None:
    await resting.db.execute("alter table private.mails alter recipient drop not null")
    for to in (None, "ann@shop.example"):
        await resting.db.execute(QUEUE, to)
    body = await resting.db.fetchval("select prosrc from pg_proc where oid = 'private.next_mail'::regproc")
    await resting.db.execute(
        "create or replace function private.next_mail() returns jsonb language sql security definer"
        f" set search_path = '' as $$ {body.replace('jsonb_build_object', 'jsonb_strip_nulls(jsonb_build_object')}) $$"
    )
    post = Post()
    assert await queue_of(resting, post).drain() == 2
    (broken, whole) = await resting.db.fetch(STATE)
    assert (broken["attempts"], whole["recipient"], whole["error"]) == (1, "ann@shop.example", None)
    assert "'to'" in broken["error"]
    assert [mail.to for mail in post.got] == ["ann@shop.example"]


@pytest.mark.parametrize("role", ["anon", "authenticated"])
async def test_the_document_lets_nobody_else_at_the_queue(resting: Minato, role: str) -> None:
    await resting.db.execute(f"set role {role}")
    for call in ("private.next_mail()", "private.mail_done(1, null)", "private.take_unused_objects(1)"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await resting.db.execute(f"select {call}")
    await resting.db.execute("reset role")


async def test_files_the_schema_calls_unused_go_with_their_rows(resting: Minato) -> None:
    await resting.db.execute("insert into storage.buckets (id, name) values ('drafts', 'drafts')")
    async with resting.client(resting.service_role_key) as client:
        for name in ("old.txt", "new.txt"):
            assert (await client.post(f"/storage/v1/object/drafts/{name}", content=b"a")).status_code == 200
    await resting.db.execute(
        "update storage.objects set created_at = now() - interval '31 days' where name = 'old.txt'"
    )
    room = resting.application.rooms["/storage/v1"]
    assert isinstance(room, StorageRoom)
    assert await room.house.clear_unused() == 1
    assert await resting.db.fetchval("select array_agg(name) from storage.objects") == ["new.txt"]
    assert sum([len([f for f in batch if "drafts/" in f.path]) async for batch in room.services.files.list()]) == 1


async def test_who_waits_for_all_that_was_caused_waits_for_no_beat(shop: Minato) -> None:
    async with httpx.AsyncClient(base_url=f"{shop.url}/_dev/v1", timeout=PATIENCE) as dev:
        await dev.post("/settle")
        await shop.db.execute(QUEUE, "anna@example.com")
        answer = await dev.post("/settle", json={"timeout": "50s"})
    assert answer.json()["did"] == {"mails": 1, "jobs": 1}, answer.text
    [row] = await shop.db.fetch(STATE)
    assert tuple(row) == ("anna@example.com", 1, True, None)
