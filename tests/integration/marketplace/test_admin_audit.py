"""The record of what administrators did: who, what about whom, when; and the figures of a window of days."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.marketplace.cast import ADMIN_EMAIL, IDS, Stage, sql

LONG_AGO = """insert into admin_audit_log (action, target_type, target_id, created_at)
values ('set_account_type', 'member', {importer}, '2020-05-01')"""


@pytest.fixture
async def record(stage: Stage) -> Stage:
    await stage.db.execute("delete from admin_audit_log")
    await stage.db.execute(sql(LONG_AGO))
    await stage.outcome("admin", "select admin_review_agent({other_agent}, 'reject', 'The passport is cut off')")
    await stage.outcome("admin", "select admin_request_action({pending_request}, 'approve')")
    await stage.outcome("admin", "select admin_ticket_action({ticket}, 'assign')")
    await stage.outcome("admin", "select admin_conversation_open({report})")
    await stage.outcome("admin", "update app_settings set value = '3000' where key = 'fee_pkr'")
    return stage


async def asked(stage: Stage, arguments: str = "") -> dict[str, Any]:
    answer: dict[str, Any] = await stage.value("admin", f"select admin_audit({arguments})")
    return answer


async def actions(stage: Stage, arguments: str = "") -> list[str]:
    return [row["action"] for row in (await asked(stage, arguments))["rows"]]


async def test_every_entry_names_who_did_it_and_what_it_is_about(record: Stage) -> None:
    answer = await asked(record)
    rows = {row["action"]: (row["administrator"], row["target"]) for row in answer["rows"]}
    assert rows == {
        "change_setting": (ADMIN_EMAIL, "fee_pkr"),
        "open_conversation": (ADMIN_EMAIL, "importer – agent"),
        "ticket_assign": (ADMIN_EMAIL, "Help"),
        "request_approve": (ADMIN_EMAIL, "Honda Vezel"),
        "review_agent": (ADMIN_EMAIL, "other_agent"),
        "set_account_type": (None, "importer"),
    }
    assert answer["counts"] == {
        "all": 6, "agent": 1, "member": 1, "request": 1, "ticket": 1, "report": 1, "mail": 0, "setting": 1,
    }  # fmt: skip
    assert answer["administrators"] == [{"id": IDS["admin"], "email": ADMIN_EMAIL}]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("p_status => 'ticket'", ["ticket_assign"]),
        ("p_search => 'vezel'", ["request_approve"]),
        ("p_search => 'PASSPORT'", ["review_agent"]),
        ("p_search => 'open conversation'", ["open_conversation"]),
        ("p_to => '2020-05-01'", ["set_account_type"]),
        ("p_from => '2020-05-01', p_to => '2020-05-01'", ["set_account_type"]),
        ("p_from => '2020-05-02', p_status => 'member'", []),
        ("p_who => {importer}", []),
        ("p_who => {admin}, p_limit => 1", ["change_setting"]),
        ("p_descending => false, p_limit => 2", ["set_account_type", "review_agent"]),
    ],
)
async def test_the_record_is_searched_by_who_what_and_when(record: Stage, arguments: str, expected: list[str]) -> None:
    assert await actions(record, arguments) == expected


async def test_the_record_is_paged_without_a_gap_while_it_grows(record: Stage) -> None:
    seen: list[str] = []
    after = "null"
    for _ in range(3):
        answer = await asked(record, f"p_limit => 2, p_after => {after}")
        seen += [row["action"] for row in answer["rows"]]
        after = f"'{answer['next']}'"
        await record.outcome("admin", "select admin_set_account_type({importer}, 'premium')")
    assert answer["next"] is None
    assert len(seen) == len(set(seen)) == 6


@pytest.mark.parametrize("who", ["agent", "importer", "anon", "service_role"])
async def test_only_the_administrator_reads_the_record(record: Stage, who: str) -> None:
    opening = "select admin_open_document({verification}, 'company_proof', 'a/company.pdf')"
    assert await record.outcome(who, "select admin_audit(p_status => 'agent')") == "42501"
    assert await record.outcome(who, opening) == "42501"
    assert await record.outcome(who, "select * from admin_opened_documents({verification})") == "42501"


async def test_the_documents_an_administrator_opened_are_in_the_record(record: Stage) -> None:
    await record.db.execute(sql("update agent_verifications set company_proof_path = 'a/company.pdf'"))
    opened = "select array(select admin_opened_documents({verification}))"
    assert await record.value("admin", opened) == []
    for _ in range(2):
        await record.value("admin", "select admin_open_document({verification}, 'company_proof', 'a/company.pdf')")
    assert await record.value("admin", opened) == ["company_proof"]
    entry = (await asked(record, "p_limit => 1"))["rows"][0]
    assert (entry["action"], entry["target"], entry["details"]["document"]) == (
        "open_document", "other_agent", "company_proof",
    )  # fmt: skip
    assert await record.outcome("admin", "select admin_open_document({verification}, 'diary', null)") == "22023"
    assert await record.outcome("admin", "select admin_open_document({nobody}, 'company_proof', null)") == "P0002"


async def test_recent_activity_names_the_administrator_and_the_target(record: Stage) -> None:
    await record.act_as("admin")
    rows = await record.db.fetch("select actor, details from admin_activity(100) where kind = 'review_agent'")
    assert [(row["actor"], row["details"]["target"]) for row in rows] == [(ADMIN_EMAIL, "other_agent")]


@pytest.mark.parametrize(
    ("days", "step", "bars"),
    [(1, "day", 1), (30, "day", 30), (90, "week", 14), (212, "month", 8), (2000, "quarter", 22)],
)
async def test_the_trend_has_days_weeks_or_months_as_the_window_is_long(
    stage: Stage, days: int, step: str, bars: int
) -> None:
    answer = await stage.value("admin", f"select admin_analytics(current_date - {days - 1}, current_date)")
    trend = answer["trend"]
    assert trend["step"] == step
    assert abs(len(trend["bars"]) - bars) <= 1
    assert (trend["bars"][0]["from"], trend["bars"][-1]["to"]) == (answer["from"], answer["to"])


async def test_a_deal_of_today_is_in_the_bar_of_today(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    await stage.value("importer", "select complete_request({request}, {invitation}, 27500, 4)")
    answer = await stage.value("admin", "select admin_analytics(current_date - 6, current_date)")
    assert [bar["revenue"] for bar in answer["trend"]["bars"]] == [0, 0, 0, 0, 0, 0, 27500]


async def test_growth_from_nothing_has_no_figure(stage: Stage) -> None:
    await stage.outcome("importer", "update invitations set status = 'accepted' where id = {invitation}")
    await stage.value("importer", "select complete_request({request}, {invitation}, 27500, 4)")
    answer = await stage.value("admin", "select admin_analytics(current_date - 9, current_date)")
    summary = answer["summary"]
    assert summary["total_revenue"] == 27500
    for figure in ("total_revenue", "avg_transaction_value", "transaction_volume"):
        assert summary[f"{figure}_growth"] is None
    assert [agent["growth"] for agent in answer["top_agents"]] == [None]
