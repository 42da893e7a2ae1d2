"""What the back office's lists are ordered by stays what the tables tell, whatever is written; changes are told."""

from __future__ import annotations

import random
from typing import Any

import asyncpg
import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

LISTS = {
    "agents": "agent_entries",
    "importers": "importer_entries",
    "requests": "request_entries",
    "tickets": "ticket_entries",
    "conversations": "conversation_entries",
    "mails": "mail_entries",
    "audit": "audit_entries",
}
MEMBERS = ("agent", "other_agent", "importer", "other_importer", "closed_importer")
# {a} is an agent, {i} an importer, {m} any of them, {n} a number; each is written as the service or the team writes it.
WRITES = (
    "update profiles set full_name = 'Name {n}', city = 'City {n}' where user_id = {m}",
    "update profiles set country = 'KE', company_name = 'Company {n}' where user_id = {m}",
    "update profiles set status = case when {n} % 2 = 0 then 'active' else 'suspended' end where user_id = {a}",
    "update profiles set account_type = 'premium' where user_id = {i}",
    "update auth.users set email = 'mail{n}@minato.example' where id = {m}",
    "update auth.users set last_sign_in_at = now() - {n} * interval '1 day' where id = {i}",
    "insert into agent_verifications (agent_id, payment_status, status) values ({a}, 'claimed', 'rejected')",
    "update agent_verifications set payment_status = 'received' where agent_id = {a}",
    "delete from agent_verifications where agent_id = {a}",
    "insert into reviews (reviewer_id, reviewed_id, rating) values ({i}, {a}, 1 + {n} % 5) on conflict do nothing",
    "update reviews set rating = 1 + {n} % 5 where reviewed_id = {a}",
    "delete from reviews where reviewer_id = {i}",
    "insert into car_requests (importer_id, car_make, car_model) values ({i}, 'Make', 'Model {n}')",
    "update car_requests set budget_min = {n}, budget_max = 2 * {n} where importer_id = {i}",
    "update car_requests set status = 'completed' where importer_id = {i} and status = 'active'",
    "update request_cases set priority = 'urgent', progress = {n} % 100, assigned_agent_id = {a} where progress < {n}",
    "delete from car_requests where importer_id = {i} and car_model = 'Model {n}'",
    "insert into deals (agent_id, importer_id, value_usd, status) values ({a}, {i}, {n}, 'completed')",
    "update deals set status = 'completed', value_usd = {n} where importer_id = {i}",
    "update deals set importer_id = {i} where agent_id = {a}",
    "delete from deals where value_usd < {n}",
    "insert into support_tickets (user_id, subject, body, tags) values ({m}, 'Subject {n}', 'Body', '{dispute}')",
    "update support_tickets set status = 'resolved' where user_id = {m}",
    "delete from support_tickets where user_id = {m} and status = 'resolved'",
    "insert into messages (sender_id, receiver_id, content, is_read)"
    " values ({a}, {i}, 'Yes', {n} % 2 = 0), ({i}, {a}, 'No', false)",
    "insert into messages (sender_id, receiver_id, content, created_at) values ({a}, {i}, 'Old', '2026-01-01')",
    "update messages set is_read = {n} % 2 = 0 where receiver_id = {m}",
    "delete from messages where sender_id = {a} and is_read",
    "insert into conversation_reports (reporter_id, counterpart_id, reason)"
    " values ({i}, {a}, 'R {n}') on conflict do nothing",
    "update conversation_reports set status = case when {n} % 2 = 0 then 'open' else 'closed' end"
    " where reporter_id = {i}",
    "insert into notification_outbox (user_id, channel, kind, error) values ({m}, 'email', 'account_active', 'No {n}')",
    "update notification_outbox set error = 'Late', attempts = {n}, tried_at = now()"
    " where user_id = {m} and channel = 'email'",
    "update notification_outbox set due_at = 'infinity' where error is not null",
    "update notification_outbox set sent_at = now() where user_id = {m}",
    "delete from notification_outbox where user_id = {m}",
    "insert into admin_audit_log (action, target_type, target_id) values ('act', 'member', {m})",
)  # fmt: skip


def filled(write: str, draw: random.Random) -> str:
    people = {
        "{a}": draw.choice(MEMBERS[:2]),
        "{i}": draw.choice(MEMBERS[2:]),
        "{m}": draw.choice(MEMBERS),
    }
    for key, name in people.items():
        write = write.replace(key, "{" + name + "}")
    return sql(write.replace("{n}", str(draw.randrange(1, 200))))


async def differences(db: asyncpg.Connection, entries: str) -> list[asyncpg.Record]:
    columns = await db.fetchval(
        "select string_agg(quote_ident(attname), ', ') from pg_attribute"
        " where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'changed_at'",
        f"private.{entries}",
    )
    kept, told = (f"select {columns} from private.{of}" for of in (entries, f"{entries}_now()"))
    found: list[asyncpg.Record] = await db.fetch(f"({kept} except {told}) union all ({told} except {kept})")
    return found


@pytest.mark.parametrize("seed", range(12))
async def test_after_any_writes_the_entries_are_a_full_recount(stage: Stage, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(60):
        await stage.db.execute(filled(draw.choice(WRITES), draw))
    for entries in LISTS.values():
        assert await differences(stage.db, entries) == [], entries


async def test_every_write_here_is_one_the_entries_follow(stage: Stage) -> None:
    for write in WRITES:
        await stage.db.execute(filled(write, random.Random(1)))
        for entries in LISTS.values():
            assert await differences(stage.db, entries) == [], write


async def test_whoever_leaves_is_in_no_list(stage: Stage) -> None:
    await stage.db.execute(sql("delete from auth.users where id = {importer}"))
    for entries in LISTS.values():
        assert await differences(stage.db, entries) == [], entries
    assert await stage.db.fetchval("select count(*) from private.conversation_entries") == 0


async def test_figures_are_those_that_are_counted_by_hand(stage: Stage) -> None:
    await stage.db.execute(
        sql(
            "insert into messages (sender_id, receiver_id, content)"
            " values ({importer}, {agent}, 'One'), ({agent}, {importer}, 'Two');"
            "insert into deals (importer_id, value_usd, status)"
            " values ({importer}, 700, 'completed'), ({importer}, 50, 'open');"
            "update messages set is_read = true where content = 'Two'"
        )
    )
    conversation = await stage.db.fetchrow("select messages, unread from private.conversation_entries")
    assert tuple(conversation) == (3, 2)
    importer = "select spent, requests, success from private.importer_entries where id = {importer}::text"
    assert tuple(await stage.db.fetchrow(sql(importer))) == (700, 2, 0)


async def test_a_rebuild_makes_right_what_came_without_triggers(stage: Stage) -> None:
    for entries in LISTS.values():
        await stage.db.execute(f"delete from private.{entries}")
    await stage.db.execute("select private.rebuild_entries()")
    for entries in LISTS.values():
        assert await differences(stage.db, entries) == [], entries


async def missed(stage: Stage, name: str, asked: str = "{}", shown: tuple[str, ...] = ()) -> dict[str, Any]:
    ids = ",".join(f"'{identity}'" for identity in shown)
    answer: dict[str, Any] = await stage.value(
        "admin", f"select admin_changes('{name}', '{asked}', 0, array[{ids}]::text[])"
    )
    return answer


async def settle(stage: Stage) -> None:
    """As if all had been written long ago."""
    for entries in LISTS.values():
        await stage.db.execute(f"update private.{entries} set changed_at = now() - interval '1 hour'")


async def test_what_changed_is_told_with_the_counts_and_the_rest_is_not(stage: Stage) -> None:
    await settle(stage)
    await stage.db.execute(sql("update request_cases set priority = 'urgent' where request_id = {request}"))
    told = await missed(stage, "requests", shown=(IDS["request"], IDS["pending_request"]))
    assert [(row["id"], row["priority"]) for row in told["rows"]] == [(IDS["request"], "urgent")]
    assert (told["gone"], told["is_more"], told["total"]) == ([], False, 2)
    assert told["counts"]["all"] == 2
    assert (await missed(stage, "tickets"))["rows"] == []


async def test_what_fits_no_longer_or_is_gone_is_told_of_the_rows_that_are_shown(stage: Stage) -> None:
    await settle(stage)
    await stage.db.execute(sql("update support_tickets set status = 'resolved' where id = {ticket}"))
    told = await missed(stage, "tickets", '{"status": "open"}', (IDS["ticket"], IDS["nobody"]))
    assert (told["rows"], sorted(told["gone"])) == ([], sorted((IDS["ticket"], IDS["nobody"])))
    told = await missed(stage, "tickets", '{"status": "resolved", "search": "help"}')
    assert ([row["id"] for row in told["rows"]], told["total"]) == ([IDS["ticket"]], 1)


@pytest.mark.parametrize("order", ["", ', "order": "budget"', ', "order": "agent", "descending": true'])
async def test_a_change_behind_what_was_read_is_not_told(stage: Stage, order: str) -> None:
    arguments = {
        "": "",
        ', "order": "budget"': "p_order => 'budget', ",
        ', "order": "agent", "descending": true': "p_order => 'agent', p_descending => true, ",
    }
    await stage.db.execute("update private.request_entries set changed_at = now()")
    page = await stage.value("admin", f"select admin_requests({arguments[order]}p_limit => 1)")
    asked = f'{{"until": "{page["next"]}"{order}}}'
    told = await missed(stage, "requests", asked)
    assert [row["id"] for row in told["rows"]] == [page["rows"][0]["id"]]
    others = await missed(stage, "requests", asked, (IDS["request"], IDS["pending_request"]))
    assert len(others["rows"]) == 2


async def test_too_much_to_tell_is_said(stage: Stage) -> None:
    await stage.db.execute(
        sql(
            "insert into support_tickets (user_id, subject, body)"
            " select {importer}, 'Ticket ' || n, 'B' from generate_series(1, 80) n"
        )
    )
    told = await missed(stage, "tickets")
    assert (told["is_more"], len(told["rows"]), told["total"]) == (True, 60, 81)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("cars", "{}"),
        ("agents", '{"order": "shoe_size"}'),
        ("agents", '{"until": "x"}'),
        ("agents", '{"until": "WyJhIl0"}'),
    ],
)
async def test_what_can_not_be_read_is_refused(stage: Stage, name: str, asked: str) -> None:
    assert await stage.outcome("admin", f"select admin_changes('{name}', '{asked}', 0)") == "22023"


async def test_a_cursor_of_another_order_or_list_is_refused(stage: Stage) -> None:
    page = await stage.value("admin", "select admin_requests(p_limit => 1)")
    for call in ("admin_requests(p_order => 'budget', ", "admin_importers("):
        assert await stage.outcome("admin", f"select {call}p_after => '{page['next']}')") == "22023"


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("who", ["anon", "agent", "importer", "suspended", "newcomer", "service_role"])
async def test_nobody_but_the_administrator_is_told(stage: Stage, name: str, who: str) -> None:
    assert await stage.outcome(who, f"select admin_changes('{name}', '{{}}', 5)") == "42501"
    assert isinstance(await stage.outcome("admin", f"select admin_changes('{name}', '{{}}', 5)"), int)


@pytest.mark.parametrize("who", ["anon", "agent", "importer"])
async def test_nobody_reads_the_entries_themselves_or_what_makes_them(stage: Stage, who: str) -> None:
    for entries in LISTS.values():
        assert await stage.outcome(who, f"select * from private.{entries}") == "42501"
        assert await stage.outcome(who, f"select private.{entries}_now()") == "42501"
    for call in ("rebuild_entries()", "keep_entries('agent_entries', '{x}')", "office_page('agents', '{}')"):
        assert await stage.outcome(who, f"select private.{call}") == "42501"


async def test_a_brief_page_leaves_out_what_only_an_opened_entry_shows(stage: Stage) -> None:
    brief = (await stage.value("admin", "select admin_tickets(p_brief => true)"))["rows"][0]
    whole = (await stage.value("admin", f"select admin_tickets(p_id => '{IDS['ticket']}')"))["rows"][0]
    assert set(whole) - set(brief) == {"body", "messages", "evidence"}
    agents = (await stage.value("admin", "select admin_agents(p_brief => true, p_search => 'other_agent')"))["rows"]
    assert set(agents[0]["submission"]) == {"submitted_at", "payment_status", "amount_pkr"}


async def test_a_percent_sign_is_a_percent_sign(stage: Stage) -> None:
    for text in ("%", "_____", "\\"):
        found = await stage.value("admin", f"select admin_tickets(p_search => $${text}$$)")
        assert (found["total"], found["rows"]) == (0, [])
