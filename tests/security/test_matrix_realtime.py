"""Every published table and every kind of channel by every kind of caller, over realtime.

matrix/realtime.txt: whether the caller hears the new row, joins, is heard.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.marketplace import Market, opened, told
from tests.support.matrix import CALLERS, Deed, compare, names
from tests.support.postgres import Cluster

# what happens, as SQL; each row is one event of its table
ROWS = {
    "agent_posts of an agent": "insert into agent_posts (agent_id, car_name, model) values ({agent}, 'a', 'b')",
    "agent_posts of a suspended agent": (
        "insert into agent_posts (agent_id, car_name, model) values ({suspended}, 'a', 'b')"
    ),
    "car_requests of an importer": (
        "insert into car_requests (importer_id, car_make, car_model) values ({importer}, 'a', 'b')"
    ),
    "car_requests of a suspended importer": (
        "insert into car_requests (importer_id, car_make, car_model) values ({suspended_importer}, 'a', 'b')"
    ),
    "car_requests that wait for approval": (
        "insert into car_requests (importer_id, car_make, car_model, status) values ({importer}, 'a', 'b', 'pending')"
    ),
    "invitations from verif to import": (
        "insert into invitations (agent_id, importer_id) values ({agent}, {importer})"
    ),
    "messages from import to verif": (
        "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'a')"
    ),
    "agent_verifications of an agent": (
        "delete from agent_verifications where agent_id = {agent};"
        " insert into agent_verifications (agent_id, status) values ({agent}, 'approved')"
    ),
    "support_tickets of an importer": (
        "insert into support_tickets (user_id, subject, body) values ({importer}, 'a', 'b')"
    ),
    "ticket_messages of an importer": (
        "insert into ticket_messages (ticket_id, author_id, body) values ({ticket}, {importer}, 'a')"
    ),
    "member_standing of an agent": (
        "delete from member_standing; insert into member_standing (user_id, is_suspended) values ({agent}, false)"
    ),
    "disputes from import to verif": (
        "delete from disputes; insert into disputes (deal_id, reason) select id, 'a' from deals"
        " where agent_id = {agent} and importer_id = {other_importer} limit 1"
    ),
    "dispute_statements from import to verif": (
        "insert into dispute_statements (dispute_id, body) select id, 'a' from disputes"
    ),
    "reviews of an agent": (
        "delete from reviews where reviewed_id = {agent};"
        " insert into reviews (reviewer_id, reviewed_id, rating) values ({other_importer}, {agent}, 5)"
    ),
    "conversation_reports of an importer": (
        "delete from conversation_reports;"
        " insert into conversation_reports (reporter_id, counterpart_id, reason) values ({importer}, {agent}, 'a')"
    ),
    "request_cases of an importer": (
        "insert into car_requests (importer_id, car_make, car_model) values ({importer}, 'a', 'b')"
    ),
    "admin_audit_log of the administrator": "insert into admin_audit_log (action, target_type) values ('a', 'agent')",
}
# published for the tests, readable by all: once its row was heard, all that there was to hear before it was heard
LAST = """
create table public.last_word (id int primary key);
alter table public.last_word enable row level security;
create policy "Everybody hears it" on public.last_word for select using (true);
grant select on public.last_word to anon, authenticated, service_role;
alter publication supabase_realtime add table public.last_word;
"""


@pytest.fixture(scope="module")
async def market(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Market]:
    async with opened(cluster, tmp_path_factory.mktemp("realtime")) as market:
        await market.db.execute(LAST)
        yield market


async def heard_tables(client: Phoenix) -> list[str]:
    """The tables of the rows heard until the last word."""
    heard = []
    while (table := (await client.change())["table"]) != "last_word":
        heard.append(table)
    return heard


async def test_every_caller_hears_the_rows_the_matrix_says(market: Market) -> None:
    entries: list[dict[str, Any]] = [{"event": "INSERT", "schema": "public", "table": "*"}]
    seen: dict[str, dict[str, bool]] = {name: {} for name in ROWS}
    number = 0
    for who in CALLERS.values():
        async with phoenix(market.server) as client:
            await client.follow("room", *entries, access_token=market.token(who))
            for name, statement in ROWS.items():
                number += 1
                # the invitation of the caller before is open still
                await market.db.execute("delete from invitations where status = 'sent' and request_id is null")
                await market.db.execute(told(statement))
                await market.db.execute("insert into last_word values ($1)", number)
                seen[name][who] = name.split()[0] in await heard_tables(client)

    def answer(name: str) -> Deed:
        async def said(who: str) -> object:
            return "hears" if seen[name][who] else "-"

        return said

    await compare("realtime", {name: answer(name) for name in ROWS})


async def test_every_caller_joins_the_channels_the_matrix_says(market: Market) -> None:
    async def joins(who: str, config: dict[str, Any]) -> object:
        async with phoenix(market.server) as client:
            joined = await client.join("lobby", config, access_token=market.token(who))
        return "joins" if joined.payload["status"] == "ok" else "-"

    async def is_heard(who: str, private: bool) -> object:
        message = {"topic": "lobby", "event": "said", "payload": {}, "private": private}
        async with (
            phoenix(market.server, market.server.service_role_key) as listener,
            market.as_(who, "/realtime/v1/api") as sender,
        ):
            await listener.join("lobby", {"private": private})
            sent = await sender.post("/broadcast", json={"messages": [message]})
            assert sent.status_code == 202, sent.text
            async with market.as_("service_role", "/realtime/v1/api") as service:
                await service.post("/broadcast", json={"messages": [{**message, "event": "last"}]})
            first = (await listener.event("broadcast")).payload["event"]
        return "heard" if first == "said" else "-"

    deeds: dict[str, Deed] = {
        "join a public channel": lambda who: joins(who, {}),
        "join a private channel": lambda who: joins(who, {"private": True}),
        "broadcast to a public channel": lambda who: is_heard(who, False),
        "broadcast to a private channel": lambda who: is_heard(who, True),
    }
    await compare("realtime", deeds)


async def test_the_matrix_knows_every_published_table(market: Market) -> None:
    published = "select tablename from pg_publication_tables where pubname = 'supabase_realtime'"
    tables = {row[0] for row in await market.db.fetch(published)} - {"last_word"}
    assert tables == {name.split()[0] for name in ROWS}
    assert set(ROWS) <= names("realtime")
