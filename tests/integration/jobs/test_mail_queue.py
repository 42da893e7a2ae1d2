"""What the schema queues is mailed once, to those who want it, and again when it failed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest
from minato.config.mail import MailSettings
from minato.database.address import DatabaseAddress
from minato.jobs.jobs import MailQueue
from minato.mail.email import Email
from minato.mail.mailer import OutboxMailer, SmtpMailer
from minato.mail.outbox import Outbox
from minato.tokens.caller import SERVICE_ROLE

from tests.integration.marketplace.cast import set_the_scene, sql
from tests.support.cron import scheduling
from tests.support.marketplace import marketplace_mails
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import until_rows

SITE = "https://minato.example"
WRITE = "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'Is it sold?')"


NOBODY_LISTENS = MailSettings(host="127.0.0.1", port=9, security="none", timeout=1)

# a new statement is a new snapshot, so the loop sees what the server commits
UNTIL_EXPIRED = """do $$ begin
    for beat in 1..200 loop
        exit when (select status = 'expired' from car_requests where id = {request});
        perform pg_sleep(0.1);
    end loop;
end $$"""


TIDIED_AT_START = """select exists (
    select from cron.job_run_details done join cron.job using (jobid)
    where jobname = 'tidy at start' and done.status in ('succeeded', 'failed'))"""


@pytest.fixture
async def queue(own_minato: Minato) -> asyncpg.Connection:
    """A server with the cast, its own jobs stopped and those of its start done, nothing waiting."""
    await own_minato.application.jobs.stop()
    await until_rows(own_minato.db, TIDIED_AT_START)
    await set_the_scene(own_minato.db)
    await own_minato.db.execute("delete from notification_outbox")
    return own_minato.db


@dataclass
class Worker:
    """A mail queue that delivers into an outbox of its own, or to a mail server that is down."""

    delivering: MailQueue
    failing: MailQueue
    outbox: Outbox[Email]

    @property
    def sent(self) -> list[Email]:
        return [entry.email for entry in self.outbox.find()]


def worker(server: Minato) -> Worker:
    backend = server.backend
    engine = backend.database.engine(SERVICE_ROLE)
    outbox: Outbox[Email] = Outbox(backend.clock, backend.entropy, 100)
    delivering = marketplace_mails(engine, OutboxMailer(outbox, MailSettings()), SITE)
    return Worker(delivering, marketplace_mails(engine, SmtpMailer(NOBODY_LISTENS), SITE), outbox)


@pytest.fixture
def mails(own_minato: Minato) -> Worker:
    return worker(own_minato)


async def test_a_message_is_told_to_its_receiver_with_a_link_to_the_conversation(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    await queue.execute(sql(WRITE))
    assert await mails.delivering.drain() == 1
    (mail,) = mails.sent
    assert (mail.to, mail.subject, mail.type) == ("agent@minato.example", "New message from importer", "message")
    assert mail.link == f"{SITE}/agent/messages?importer=" + sql("{importer}").split("'")[1]
    assert "Is it sold?" in mail.html
    assert "> Is it sold?" in mail.text
    assert await mails.delivering.drain() == 0


async def test_a_conversation_is_one_mail_an_hour(queue: asyncpg.Connection, mails: Worker) -> None:
    for _ in range(3):
        await queue.execute(sql(WRITE))
    await mails.delivering.drain()
    await queue.execute("update notification_outbox set created_at = now() - interval '61 minutes'")
    await queue.execute(sql(WRITE))
    await mails.delivering.drain()
    assert len(mails.sent) == 2


async def test_who_switched_mails_off_since_gets_none(queue: asyncpg.Connection, mails: Worker) -> None:
    await queue.execute(sql(WRITE))
    await queue.execute(sql("update notification_preferences set email = false where user_id = {agent}"))
    assert await mails.delivering.drain() == 0
    await queue.execute("select private.tidy()")
    assert await queue.fetchval("select count(*) from notification_outbox") == 0


async def test_two_workers_never_send_the_same_mail(own_minato: Minato, queue: asyncpg.Connection) -> None:
    await queue.execute(
        sql("select private.notify_member({agent}, 'account_active', '{}') from generate_series(1, 20)")
    )
    workers = [worker(own_minato), worker(own_minato)]
    tried = await asyncio.gather(*(each.delivering.drain() for each in workers))
    assert sum(tried) == sum(len(each.sent) for each in workers) == 20
    assert min(tried) > 0


async def test_a_mail_that_failed_waits_longer_each_time_and_is_given_up_after_the_eighth(
    queue: asyncpg.Connection, mails: Worker
) -> None:
    await queue.execute(sql(WRITE))
    waits = []
    for _ in range(8):
        assert await mails.failing.drain() == 1
        assert await mails.failing.drain() == 0, "not due again at once"
        waits.append(
            await queue.fetchval(
                "update notification_outbox o set due_at = case when due_at < 'infinity' then now() else due_at end"
                " from (select id, extract(epoch from nullif(due_at, 'infinity') - now()) / 60 as minutes"
                " from notification_outbox) w"
                " where w.id = o.id returning w.minutes"
            )
        )
    assert [round(wait) for wait in waits[:7]] == [1, 2, 4, 8, 16, 32, 64]
    assert await mails.delivering.drain() == 0
    row = await queue.fetchrow("select sent_at, attempts from notification_outbox where error is not null")
    assert row is not None
    assert tuple(row) == (None, 8)


async def test_a_mail_that_went_out_late_leaves_no_error(queue: asyncpg.Connection, mails: Worker) -> None:
    await queue.execute(sql(WRITE))
    await mails.failing.drain()
    await queue.execute("update notification_outbox set due_at = now()")
    assert await mails.delivering.drain() == 1
    assert await queue.fetchval("select error is null and sent_at is not null from notification_outbox")


async def test_what_a_member_is_called_is_text_in_a_mail_not_html(queue: asyncpg.Connection, mails: Worker) -> None:
    await queue.execute(
        sql("update profiles set full_name = E'<b>Eve</b>\\nBcc: all@example.com' where user_id = {importer}")
    )
    await queue.execute(sql(WRITE))
    await mails.delivering.drain()
    (mail,) = mails.sent
    assert "<b>Eve" not in mail.html
    assert "&lt;b&gt;Eve&lt;/b&gt;" in mail.html
    assert "\n" not in mail.subject


async def test_every_kind_of_notification_the_schema_queues_has_its_text(queue: asyncpg.Connection) -> None:
    texts = {row["kind"] for row in await queue.fetch("select kind from private.notification_texts")}
    steps = {row["action"] for row in await queue.fetch("select distinct action from private.case_steps")}
    queued = {f"request_{step}" for step in steps - {"assign_agent", "view_evidence"}}
    queued |= {f"verification_{decision}" for decision in ("approve", "reject", "more_info")}
    queued |= {f"account_{status}" for status in ("active", "inactive", "suspended")}
    queued |= {"message", "invitation", "invitation_accepted", "invitation_declined", "request", "ticket_answer"}
    queued |= {"requests", "assignment", "invitation_assigned"}
    queued |= {"verification_submitted", "payment_received", "payment_waived", "payment_missing"}
    queued |= {"dispute_raised", "dispute_answered", "dispute_settled"}
    queued |= {"verification_submitted", "payment_received", "payment_waived", "payment_missing"}
    assert texts == queued


@pytest.mark.parametrize("role", ["anon", "authenticated"])
async def test_members_cannot_read_or_settle_the_queue(queue: asyncpg.Connection, role: str) -> None:
    await queue.execute(f"set role {role}")
    for call in ("private.next_mail()", "private.mail_done(1, null)", "private.tidy()"):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await queue.execute(f"select {call}")
    await queue.execute("reset role")


async def test_the_running_server_delivers_by_itself(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    await own_minato.db.execute(sql(WRITE))
    async with own_minato.client() as client:
        found = (await client.get("/_dev/outbox?to=agent@minato.example&type=message&wait=20")).json()
    assert [mail["subject"] for mail in found] == ["New message from importer"]


async def an_old_request(db: asyncpg.Connection) -> None:
    await set_the_scene(db)
    await db.execute(OLD)


OLD = sql("update car_requests set status = 'active', created_at = now() - interval '91 days' where id = {request}")
STATUS = sql("select status from car_requests where id = {request}")


async def test_requests_nobody_took_up_close_at_the_next_start(address: DatabaseAddress, tmp_path: Path) -> None:
    db = await asyncpg.connect(address.admin)
    try:
        await an_old_request(db)
        async with running(address, settings_for(tmp_path)):
            await db.execute(sql(UNTIL_EXPIRED))
        assert await db.fetchval(STATUS) == "expired"
    finally:
        await db.close()


async def test_requests_nobody_took_up_close_by_the_hour(cluster: Cluster) -> None:
    async with cluster.fresh_database() as address, scheduling(address, cluster.url(address, "postgres")) as cron:
        await an_old_request(cron.admin)
        for _ in range(16):
            await cron.later(minutes=1)
        await cron.all_done()
        assert await cron.admin.fetchval(STATUS) == "active"
        await cron.later(minutes=1)
        await cron.all_done()
        assert await cron.admin.fetchval(STATUS) == "expired"


async def test_without_pg_cron_whoever_asks_for_mails_tidies_once_an_hour(queue: asyncpg.Connection) -> None:
    await queue.execute(OLD)
    # as where pg_cron is there
    await queue.execute("delete from private.tidied_without_cron")
    await queue.fetchval("select private.next_mail()")
    assert await queue.fetchval(STATUS) == "active"
    await queue.execute("insert into private.tidied_without_cron values (true, '-infinity')")
    await queue.fetchval("select private.next_mail()")
    assert await queue.fetchval(STATUS) == "expired"
    await queue.execute(OLD)
    await queue.fetchval("select private.next_mail()")
    assert await queue.fetchval(STATUS) == "active", "not again within the hour"
    await queue.execute("update private.tidied_without_cron set at = now() - interval '61 minutes'")
    await queue.fetchval("select private.next_mail()")
    assert await queue.fetchval(STATUS) == "expired"


async def test_a_server_that_has_no_pg_cron_runs_the_marketplace_all_the_same(cluster: Cluster) -> None:
    async with cluster.database_at("20261122000100") as address:
        db = await asyncpg.connect(address.admin)
        # create extension fails, as it does where the server knows none of that name
        await db.execute("create schema cron")
        await cluster.upgrade(address)
        await an_old_request(db)
        await db.fetchval("select private.next_mail()")
        assert await db.fetchval(STATUS) == "expired"
        await db.close()
