"""A running marketplace with everybody in it, and every kind of caller there is.

Transactions can be rolled back on request (`Prefer: tx=rollback`), so that one scene serves many tests.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import asyncpg
import httpx
import pytest
from minato.config.rest import RestSettings
from minato.jobs.jobs import MailQueue
from minato.mail.mailer import Mailer
from minato.project.jobs import job_statement
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.integration.marketplace.cast import ADMIN_EMAIL, IDS, set_the_scene
from tests.support.postgres import MARKETPLACE, Cluster
from tests.support.server import Minato, running, settings_for

_SPACE = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")

# who else there is: account's metadata, whether it confirmed, whether it is anonymous
_OTHERS: dict[str, tuple[str | None, bool, bool]] = {
    "suspended_importer": ("importer", True, False),
    "unconfirmed_importer": ("importer", False, False),
    "unconfirmed_agent": ("agent", False, False),
    "anonymous": ("importer", False, True),
}
_ROWS = (
    "suspended_request",
    "suspended_invitation",
    "suspended_accepted",
    "suspended_ticket",
    "suspended_review",
    "suspended_deal",
    "suspended_dispute",
)
ALL_IDS = {
    **IDS,
    **{name: str(uuid5(_SPACE, name)) for name in (*_OTHERS, *_ROWS, "deleted")},
}

_MORE = """
update profiles set status = 'suspended' where user_id = {suspended_importer};
update profiles set verification_status = 'verified' where user_id = {unconfirmed_agent};
insert into car_requests (id, importer_id, car_make, car_model) values
    ({suspended_request}, {suspended_importer}, 'Mazda', 'RX-8');
insert into invitations (id, agent_id, importer_id, request_id) values
    ({suspended_invitation}, {agent}, {suspended_importer}, {suspended_request});
insert into invitations (id, agent_id, importer_id) values
    ({suspended_accepted}, {suspended}, {suspended_importer}),
    (gen_random_uuid(), {agent}, {suspended_importer}), (gen_random_uuid(), {suspended}, {importer});
update invitations set status = 'accepted' where request_id is null and status = 'sent';
insert into reviews (id, reviewer_id, reviewed_id, rating) values ({suspended_review}, {suspended}, {importer}, 3);
insert into reviews (reviewer_id, reviewed_id, rating) values ({suspended_importer}, {suspended}, 3);
insert into follows (follower_id, following_id) values ({suspended}, {importer}), ({suspended_importer}, {agent});
insert into saved_posts (user_id, post_id) values ({suspended}, {post}), ({suspended_importer}, {post});
insert into messages (sender_id, receiver_id, content) values
    ({importer}, {suspended}, 'Are you there?'), ({agent}, {suspended_importer}, 'Are you there?');
insert into support_tickets (id, user_id, subject, body) values ({suspended_ticket}, {suspended}, 'Why', 'Why me?');
update deals set id = {suspended_deal}
where agent_id = {suspended} and importer_id = {suspended_importer};
insert into disputes (id, deal_id, reason) values ({suspended_dispute}, {suspended_deal}, 'Broken');
insert into dispute_statements (dispute_id, author_id, body) values ({suspended_dispute}, {suspended}, 'It is broken.');
insert into storage.objects (bucket_id, name) values
    ('profiles', '{suspended/}avatar.png'), ('profiles', '{suspended_importer/}avatar.png'),
    ('car-images', '{suspended/}car.png'), ('verification-documents', '{suspended/}identity.pdf');
update profiles set phone = '+81 3 5550 0' || (n + 100)::text
from (select user_id as whose, row_number() over (order by user_id) as n from profiles) numbered where whose = user_id;
"""


def told(statement: str) -> str:
    """`{agent}` becomes that person's quoted id, `{agent/}` the folder of that id."""
    for name, identity in ALL_IDS.items():
        statement = statement.replace("{" + name + "}", f"'{identity}'::uuid").replace(
            "{" + name + "/}", f"{identity}/"
        )
    return statement


def _account(name: str) -> str:
    kind, confirmed, anonymous = _OTHERS[name]
    said = json.dumps({"full_name": name, "country": "JP", "role": kind})
    email = "null" if anonymous else f"'{name}@minato.example'"
    return (
        "insert into auth.users (id, aud, role, email, email_confirmed_at, is_anonymous, raw_user_meta_data,"
        f" raw_app_meta_data) values ('{ALL_IDS[name]}', 'authenticated', 'authenticated', {email},"
        f" {'now()' if confirmed else 'null'}, {anonymous}, '{said}', '{{}}');"
    )


async def fill(db: asyncpg.Connection) -> None:
    """Put everybody into an empty database."""
    await set_the_scene(db)
    await db.execute("\n".join(map(_account, _OTHERS)))
    await db.execute(told(_MORE))


@dataclass
class Market:
    """The running marketplace; `as_(who)` speaks to it as a person, or as anon, service_role, deleted."""

    server: Minato

    @property
    def db(self) -> asyncpg.Connection:
        return self.server.db

    def token(self, who: str) -> str:
        """The access token a person holds."""
        if who == "anon":
            return self.server.anon_key
        if who == "service_role":
            return self.server.service_role_key
        more: dict[str, Any] = {"email": f"{who}@minato.example", "app_metadata": {}}
        if who == "admin":
            more = {"email": ADMIN_EMAIL, "app_metadata": {"role": "admin"}}
        now = int(self.server.backend.clock.timestamp())
        signed_in = [{"method": "password", "timestamp": now}]
        return self.server.token(ALL_IDS[who], **more, is_anonymous=who == "anonymous", amr=signed_in)

    def as_(self, who: str, room: str = "/rest/v1", **headers: str) -> httpx.AsyncClient:
        """A client of one room. What it writes by the data API is rolled back, unless it prefers otherwise."""
        client = self.server.client(self.token(who), **{"prefer": "tx=rollback", **headers})
        client.base_url = httpx.URL(f"{self.server.url}{room}")
        return client

    async def run(self, statement: str) -> None:
        """A statement of the owner's; `{agent}` stands for that person's id."""
        await self.db.execute(told(statement))


@asynccontextmanager
async def opened(cluster: Cluster, folder: Path) -> AsyncIterator[Market]:
    """A server on a database with everybody in it."""
    settings = settings_for(folder, rest=RestSettings(db_tx_end="commit-allow-override"))
    async with cluster.fresh_database() as address, running(address, settings) as server:
        await fill(server.db)
        yield Market(server)


@pytest.fixture(scope="session")
async def market(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Market]:
    """A marketplace whose tests leave it as they found it."""
    async with opened(cluster, tmp_path_factory.mktemp("market")) as market:
        yield market


__all__ = ["ALL_IDS", "Market", "market", "opened", "told"]


def marketplace_mails(engine: AsyncEngine, mailer: Mailer, site_url: str) -> MailQueue:
    """The mails that the marketplace's SQL has queued."""
    next_mail, mail_done = (job_statement(MARKETPLACE.root, name) for name in ("mail.next", "mail.done"))
    assert next_mail is not None
    assert mail_done is not None
    return MailQueue(engine, mailer, site_url, next_mail=next_mail, mail_done=mail_done)
