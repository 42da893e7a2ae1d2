"""Two installations on one PostgreSQL cluster, and servers that end while a digest goes out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import asyncpg
import pytest
from minato.jobs.jobs import Jobs, MailQueue, QueuedMail
from minato.mail.email import Email
from minato.mail.mailer import MailError
from minato.tokens.caller import SERVICE_ROLE
from sqlalchemy import text

from tests.integration.marketplace.cast import set_the_scene, sql
from tests.support.marketplace import marketplace_mails
from tests.support.postgres import Cluster
from tests.support.server import Minato, running, settings_for

# three agents who are told of several requests in one mail each
DIGESTS = """
update profiles set status = 'active', verification_status = 'verified' where user_type = 'agent';
delete from notification_outbox;
insert into notification_outbox (user_id, channel, kind, payload)
select p.user_id, 'email', 'requests', jsonb_build_object('facts', '[]'::jsonb, 'items', jsonb_build_array(
    jsonb_build_object('title', '%s', 'text', 'One'), jsonb_build_object('title', '%s', 'text', 'Two')))
from profiles p where p.user_type = 'agent'
"""
LEFT = "select count(*) from notification_outbox where sent_at is null"
NEXT_MAIL = text("select private.next_mail()")
LEASE_ENDS = "update notification_outbox set due_at = now() where sent_at is null"


@dataclass
class Post:
    """A mail server that may hold a mail back before it says that it has it."""

    got: list[Email] = field(default_factory=list)
    holds: int | None = None
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    release: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, email: Email) -> None:
        self.got.append(email)
        if len(self.got) == self.holds:
            self.arrived.set()
            await self.release.wait()

    @property
    def per_person(self) -> Counter[str]:
        return Counter(email.to for email in self.got)


class DeadLine:
    """A mail server that is down."""

    async def send(self, email: Email) -> None:
        raise MailError(f"nobody takes {email.to}")


def queue_of(server: Minato, post: Post | DeadLine) -> MailQueue:
    return marketplace_mails(server.backend.database.engine(SERVICE_ROLE), post, "https://minato.example")


async def digests(server: Minato, title: str = "Aqua") -> None:
    await set_the_scene(server.db)
    await server.db.execute(DIGESTS % (title, title))


@pytest.fixture
async def two(cluster: Cluster, tmp_path: Path) -> AsyncIterator[tuple[Minato, Minato]]:
    """Two installations with databases of their own, both with the same people."""
    async with (
        cluster.fresh_database() as one,
        cluster.fresh_database() as other,
        running(one, settings_for(tmp_path / "1")) as first,
        running(other, settings_for(tmp_path / "2")) as second,
    ):
        for server in (first, second):
            await server.application.jobs.stop()
        # the tests' databases are copies of one; an installation draws its own when it is made
        await second.db.execute("update private.mail_secret set inner_key = sha256(outer_key)")
        yield first, second


@pytest.fixture
async def server(own_minato: Minato) -> Minato:
    await own_minato.application.jobs.stop()
    await digests(own_minato)
    return own_minato


async def test_two_installations_send_each_of_their_mails_once_and_none_of_the_others(
    two: tuple[Minato, Minato],
) -> None:
    posts = (Post(), Post())
    for server, car in zip(two, ("Aqua", "Vitz"), strict=True):
        await digests(server, car)
    # two workers each, all at the same time
    await asyncio.gather(
        *(queue_of(server, post).drain() for server, post in zip(two, posts, strict=True) for _ in range(2))
    )
    for server, post, (own, foreign) in zip(two, posts, (("Aqua", "Vitz"), ("Vitz", "Aqua")), strict=True):
        assert sorted(post.per_person.values()) == [1, 1, 1]
        assert all(own in mail.text and foreign not in mail.text for mail in post.got)
        assert await server.db.fetchval(LEFT) == 0


async def test_a_link_of_one_installation_stops_nothing_at_the_other(two: tuple[Minato, Minato]) -> None:
    first, second = two
    for server in two:
        await set_the_scene(server.db)
    token = await first.db.fetchval(sql("select private.mail_token({agent}, 'requests')"))
    with pytest.raises(asyncpg.RaiseError, match="This link does not work"):
        await second.db.fetchval("select choose_mail($1)", token)
    assert (await first.db.fetchval("select choose_mail($1)", token)) is not None
    wants = sql("select new_request_alerts from notification_preferences where user_id = {agent}")
    assert [await server.db.fetchval(wants) for server in two] == [False, True]


async def test_one_installations_failure_leaves_the_other_alone(two: tuple[Minato, Minato]) -> None:
    first, second = two
    for server in two:
        await digests(server)
    post = Post()
    await asyncio.gather(queue_of(first, DeadLine()).drain(), queue_of(second, post).drain())
    assert sorted(post.per_person.values()) == [1, 1, 1]
    failed = "select count(*) from notification_outbox where error is not null"
    assert [await server.db.fetchval(failed) for server in two] == [3, 0]


async def test_a_server_that_is_told_to_stop_sees_the_mail_on_its_way_out(server: Minato) -> None:
    post = Post(holds=2)
    jobs = Jobs(replace(server.backend, mailer=post))
    await jobs.start()
    await post.arrived.wait()
    stopping = asyncio.create_task(jobs.stop())
    await asyncio.sleep(0)
    post.release.set()
    await stopping
    assert len(post.got) == 2, "no further mail is begun"
    assert await server.db.fetchval(LEFT) == 1
    await queue_of(server, post).drain()
    assert sorted(post.per_person.values()) == [1, 1, 1]
    assert await server.db.fetchval(LEFT) == 0


async def killed_after_handing_over(server: Minato, post: Post) -> None:
    """What a killed server leaves: a mail that is claimed and handed over, and nobody who notes it."""
    async with server.backend.database.engine(SERVICE_ROLE).begin() as connection:
        claimed = await connection.scalar(NEXT_MAIL)
    await post.send(QueuedMail(**claimed).letter("https://minato.example", "Minato"))


async def test_after_a_server_that_was_killed_nobody_is_left_out_and_a_mail_sent_twice_is_known_as_one(
    server: Minato,
) -> None:
    post = Post()
    await killed_after_handing_over(server, post)
    assert await server.db.fetchval(LEFT) == 3
    assert await queue_of(server, post).drain() == 2, "nobody else gets its mail before the lease is over"
    await server.db.execute(LEASE_ENDS)
    assert await queue_of(server, post).drain() == 1
    assert await server.db.fetchval(LEFT) == 0
    assert sorted(post.per_person.values()) == [1, 1, 2]
    assert len({mail.reference for mail in post.got}) == 3, "the same Message-ID: a mailbox shows it once"
