"""A queued mail holds no connection while it is on the way, and survives the death of who sends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import asyncpg
import pytest
from minato.config.mail import MailSettings
from minato.jobs.jobs import MailQueue
from minato.mail.email import Email
from minato.mail.mailer import Mailer, OutboxMailer
from minato.mail.outbox import Outbox
from minato.tokens.caller import SERVICE_ROLE

from tests.integration.marketplace.cast import set_the_scene, sql
from tests.support.marketplace import marketplace_mails
from tests.support.server import Minato

SITE = "https://minato.example"
WRITE = "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'Is it sold?')"
IN_TRANSACTION = """
select count(*) from pg_stat_activity
where datname = current_database() and application_name = 'minato service_role' and xact_start is not null
"""


class Death(BaseException):
    """The process ends here."""


class Watched:
    """Delivers; `meanwhile` happens when the mail is out and nobody knows it yet."""

    def __init__(self, mailer: Mailer, meanwhile: Callable[[], Awaitable[None]]) -> None:
        self._mailer = mailer
        self._meanwhile = meanwhile

    async def send(self, email: Email) -> None:
        await self._mailer.send(email)
        await self._meanwhile()


@pytest.fixture
async def waiting(own_minato: Minato) -> asyncpg.Connection:
    """A database with one mail in the queue, and no job at work."""
    await own_minato.application.jobs.stop()
    await set_the_scene(own_minato.db)
    await own_minato.db.execute("delete from notification_outbox")
    await own_minato.db.execute(sql(WRITE))
    return own_minato.db


@pytest.fixture
def outbox(own_minato: Minato) -> Outbox[Email]:
    return Outbox(own_minato.backend.clock, own_minato.backend.entropy, 100)


def queue(minato: Minato, outbox: Outbox[Email], meanwhile: Callable[[], Awaitable[None]]) -> MailQueue:
    engine = minato.backend.database.engine(SERVICE_ROLE)
    return marketplace_mails(engine, Watched(OutboxMailer(outbox, MailSettings()), meanwhile), SITE)


async def test_no_transaction_is_open_while_a_mail_is_on_the_way(
    own_minato: Minato, waiting: asyncpg.Connection, outbox: Outbox[Email]
) -> None:
    seen: list[int] = []

    async def look() -> None:
        seen.append(await waiting.fetchval(IN_TRANSACTION))

    assert await queue(own_minato, outbox, look).drain() == 1
    assert seen == [0]


async def test_a_mail_whose_sender_died_is_sent_again_when_its_lease_is_over(
    own_minato: Minato, waiting: asyncpg.Connection, outbox: Outbox[Email]
) -> None:
    async def die() -> None:
        raise Death

    async def live() -> None:
        pass

    with pytest.raises(Death):
        await queue(own_minato, outbox, die).drain()
    survivor = queue(own_minato, outbox, live)
    assert await survivor.drain() == 0, "still with who may be sending it"
    await waiting.execute("update notification_outbox set due_at = due_at - private.mail_lease()")
    assert await survivor.drain() == 1
    assert len(outbox.find()) == 2, "twice rather than not at all"
    assert await survivor.drain() == 0
