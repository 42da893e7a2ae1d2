"""Verification step by step: what is handed in, the fee, the review of each document, and who is told what."""

from __future__ import annotations

import json
from typing import Any

import asyncpg
import pytest

from tests.integration.marketplace.cast import IDS, Stage, sql

SUBMISSION = {
    "bio": "Cars from Kobe",
    "company_name": "Other Export",
    "experience": "5",
    "languages": "Japanese, English",
    "identity_document_path": "other_agent_id/identity.pdf",
    "identity_document_name": "passport.pdf",
    "company_proof_path": "other_agent_id/company.pdf",
    "company_proof_name": "licence.pdf",
}
PAID = {"payment_method": "bank", "payment_claimed": True, "payment_reference": "TRX-1"}
REFUSED = '{"identity_document": {"status": "refused", "note": "The photo is blurred."}}'


def submit(**changes: Any) -> str:
    return f"select submit_agent_verification('{json.dumps({**SUBMISSION, **changes})}')"


def review(decision: str, note: str = "null", documents: str = "{}") -> str:
    return f"select admin_review_agent({{other_agent}}, '{decision}', {note}, '{documents}')"


async def look_at_documents(stage: Stage) -> None:
    """The administrator opens what is submitted now."""
    now = await submission(stage)
    for document in ("identity_document", "company_proof"):
        path = now[f"{document}_path"]
        await stage.value("admin", f"select admin_open_document('{now['id']}', '{document}', '{path}')")


@pytest.fixture
async def fresh(stage: Stage) -> Stage:
    """The other agent has not begun, and a receipt and a second identity document are uploaded."""
    await stage.db.execute("delete from agent_verifications")
    await stage.db.execute("delete from notification_outbox")
    await stage.db.execute(sql("update profiles set verification_status = 'unverified' where user_id = {other_agent}"))
    await stage.db.execute(
        sql(
            "insert into storage.objects (bucket_id, name) values"
            " ('verification-documents', 'other_agent_id/receipt.png'),"
            " ('verification-documents', 'other_agent_id/identity-2.pdf'),"
            " ('verification-documents', 'agent_id/identity.pdf')"
        )
    )
    return stage


async def submission(stage: Stage) -> asyncpg.Record:
    row = await stage.db.fetchrow("select * from agent_verifications order by submitted_at desc, id limit 1")
    assert row is not None
    return row


async def told(stage: Stage) -> list[tuple[str, str]]:
    rows = await stage.db.fetch("select kind, payload ->> 'note' as note from notification_outbox order by id")
    return [(row["kind"], row["note"]) for row in rows]


async def status(stage: Stage) -> str:
    return str(await stage.db.fetchval(sql("select verification_status from profiles where user_id = {other_agent}")))


# ONB-035
@pytest.mark.parametrize(
    ("said", "claimed", "state"),
    [
        ({}, False, "none"),
        ({"payment_method": "easypaisa"}, False, "none"),
        ({"payment_method": "bank", "payment_claimed": False}, False, "none"),
        ({"payment_method": "bank", "payment_claimed": "yes"}, False, "none"),
        ({"payment_method": "card", "payment_claimed": True}, False, "none"),
        ({"payment_claimed": True}, False, "none"),
        ({"payment_method": "easypaisa", "payment_claimed": True}, True, "claimed"),
        ({"payment_method": "bank", "payment_claimed": True}, True, "claimed"),
    ],
)
async def test_only_who_says_so_has_paid_and_a_card_is_no_payment(
    fresh: Stage, said: dict[str, Any], claimed: bool, state: str
) -> None:
    await fresh.value("other_agent", submit(**said))
    row = await submission(fresh)
    assert (row["payment_claimed"], row["payment_status"]) == (claimed, state)
    assert (row["payment_claimed_at"] is not None) == claimed


async def test_an_agent_has_an_own_reference_before_and_after_submitting(fresh: Stage) -> None:
    mine = await fresh.value("other_agent", "select verification_reference()")
    assert mine != await fresh.value("agent", "select verification_reference()")
    await fresh.value("other_agent", submit())
    assert mine == (await submission(fresh))["transfer_reference"]
    assert len(mine) == len("MN-XXXX-XXXX")
    assert not set(mine[3:]) & set("01IO")


@pytest.mark.parametrize("who", ["importer", "newcomer", "admin", "anon"])
async def test_only_agents_have_a_reference(stage: Stage, who: str) -> None:
    assert await stage.outcome(who, "select verification_reference()") == "42501"


async def test_receipt_and_number_of_the_transaction_reach_the_administrator(fresh: Stage) -> None:
    receipt = {"receipt_path": f"{IDS['other_agent']}/receipt.png", "receipt_name": "receipt.png"}
    await fresh.value("other_agent", submit(**PAID, **receipt))
    row = (await fresh.value("admin", "select admin_agents(p_search => 'other_agent')"))["rows"][0]["submission"]
    assert (row["payment_reference"], row["receipt_name"]) == ("TRX-1", "receipt.png")
    assert row["receipt_path"] == receipt["receipt_path"]


@pytest.mark.parametrize("field", ["receipt_path", "picture_path", "identity_document_path", "company_proof_path"])
async def test_files_of_others_are_not_handed_in(fresh: Stage, field: str) -> None:
    assert await fresh.outcome("other_agent", submit(**{field: f"{IDS['agent']}/identity.pdf"})) == "42501"


# ONB-035
@pytest.mark.parametrize("fee", ["none", "claimed"])
async def test_nobody_is_approved_while_the_fee_is_open(fresh: Stage, fee: str) -> None:
    await fresh.value("other_agent", submit())
    await fresh.outcome("admin", f"select admin_mark_payment({{other_agent}}, '{fee}')")
    assert await fresh.outcome("admin", review("approve")) == "P0001"
    assert (await status(fresh), (await submission(fresh))["status"]) == ("pending", "pending")


@pytest.mark.parametrize("settled", ["'received', 'TRX-1'", "'waived', null, 'Founding member'"])
async def test_a_fee_received_or_waived_on_record_opens_the_way(fresh: Stage, settled: str) -> None:
    await fresh.value("other_agent", submit())
    await fresh.value("admin", f"select admin_mark_payment({{other_agent}}, {settled})")
    row = await submission(fresh)
    assert row["payment_settled_at"] is not None
    assert str(row["payment_settled_by"]) == IDS["admin"]
    listed = await fresh.value("admin", "select admin_agents(p_status => 'pending')")
    assert [agent["full_name"] for agent in listed["rows"]] == ["other_agent"]
    await look_at_documents(fresh)
    await fresh.value("admin", review("approve"))
    assert await status(fresh) == "verified"


async def test_a_fee_is_waived_for_a_reason_only(fresh: Stage) -> None:
    await fresh.value("other_agent", submit())
    assert await fresh.outcome("admin", "select admin_mark_payment({other_agent}, 'waived')") == "22023"


async def test_a_document_sent_back_says_why_and_the_other_one_is_kept(fresh: Stage) -> None:
    await fresh.value("other_agent", submit(**PAID))
    await fresh.value("admin", review("more_info", documents=REFUSED))
    row = await submission(fresh)
    assert (row["identity_document_status"], row["identity_document_note"]) == ("refused", "The photo is blurred.")
    assert (row["company_proof_status"], row["status"]) == ("waiting", "more_info")
    assert row["documents_checked_at"] is not None
    # the refused one has to come again, the other one need not
    none: dict[str, Any] = {"identity_document_path": "", "company_proof_path": ""}
    assert await fresh.outcome("other_agent", submit(**none)) == "22023"
    again = {"identity_document_path": f"{IDS['other_agent']}/identity-2.pdf", "identity_document_name": "new.pdf"}
    await fresh.value("other_agent", submit(**{**none, **again}))
    row = await submission(fresh)
    assert (row["identity_document_status"], row["identity_document_note"]) == ("waiting", None)
    assert (row["identity_document_name"], row["company_proof_name"]) == ("new.pdf", "licence.pdf")
    assert (row["payment_status"], row["documents_checked_at"]) == ("claimed", None)


async def test_who_was_declined_keeps_the_documents_and_the_fee_in_the_next_submission(fresh: Stage) -> None:
    first = await fresh.value("other_agent", submit(**PAID))
    await fresh.value("admin", "select admin_mark_payment({other_agent}, 'received')")
    await fresh.value("admin", review("reject", "'The company was closed.'"))
    none = {"identity_document_path": "", "company_proof_path": ""}
    second = await fresh.value("other_agent", submit(**none))
    assert second != first
    row = await fresh.db.fetchrow("select * from agent_verifications where id = $1", second)
    assert row is not None
    assert (row["payment_status"], row["company_proof_name"]) == ("received", "licence.pdf")
    assert row["identity_document_path"] == f"{IDS['other_agent']}/identity.pdf"


async def test_telling_of_the_payment_later_does_not_begin_the_review_again(fresh: Stage) -> None:
    await fresh.value("other_agent", submit())
    await fresh.db.execute("update agent_verifications set submitted_at = '2026-01-01'")
    none = {"identity_document_path": "", "company_proof_path": ""}
    await fresh.value("other_agent", submit(**none, **PAID))
    row = await submission(fresh)
    assert (row["submitted_at"].year, row["submitted_at"].month, row["payment_status"]) == (2026, 1, "claimed")
    assert [kind for kind, _ in await told(fresh)] == ["verification_submitted"]


@pytest.mark.parametrize(
    "call",
    [
        review("reject", documents='{"identity_document": {"status": "refused"}}'),
        review("reject", "'x'", '{"passport": {"status": "accepted"}}'),
        review("more_info", "'x'", '{"identity_document": {"status": "lost"}}'),
        review("more_info", documents='{"identity_document": {"status": "accepted"}}'),
        review("approve", documents=REFUSED),
    ],
)
async def test_a_decision_without_sense_or_reason_is_refused(fresh: Stage, call: str) -> None:
    await fresh.value("other_agent", submit())
    await fresh.value("admin", "select admin_mark_payment({other_agent}, 'received')")
    assert await fresh.outcome("admin", call) == "22023"
    assert (await submission(fresh))["status"] == "pending"


async def test_each_step_is_told_once(fresh: Stage) -> None:
    await fresh.value("other_agent", submit())
    received = "select admin_mark_payment({other_agent}, 'received')"
    await fresh.value("admin", "select admin_mark_payment({other_agent}, 'claimed')")
    await fresh.value("admin", "select admin_mark_payment({other_agent}, 'none')")
    await fresh.value("admin", received)
    await fresh.value("admin", received)
    await fresh.value("admin", review("more_info", "'One page is missing.'", REFUSED))
    again = {"identity_document_path": f"{IDS['other_agent']}/identity-2.pdf"}
    await fresh.value("other_agent", submit(**again))
    await look_at_documents(fresh)
    await fresh.value("admin", review("approve"))
    steps = await told(fresh)
    assert [kind for kind, _ in steps] == [
        "verification_submitted",
        "payment_missing",
        "payment_received",
        "verification_more_info",
        "verification_submitted",
        "verification_approve",
    ]
    reference = (await submission(fresh))["transfer_reference"]
    assert f"Still open: the fee of PKR 2,000. Write the reference {reference}" in steps[0][1]
    assert steps[3][1] == "One page is missing.\nIdentity document: The photo is blurred."
    assert steps[4][1] == "The review takes 24-48 hours."


async def test_every_step_has_a_mail(market: asyncpg.Connection) -> None:
    known = {row["kind"] for row in await market.fetch("select kind from private.notification_texts")}
    decisions = {"verification_approve", "verification_reject", "verification_more_info"}
    assert known >= {"verification_submitted", "payment_received", "payment_waived", "payment_missing", *decisions}


@pytest.mark.parametrize(("who", "rows"), [("other_agent", 1), ("agent", 0), ("importer", 0), ("admin", 1)])
async def test_what_is_followed_live_is_seen_by_its_agent_and_the_administrator(
    stage: Stage, who: str, rows: int
) -> None:
    published = "select 1 from pg_publication_tables where pubname = 'supabase_realtime' and tablename = $1"
    assert await stage.db.fetchval(published, "agent_verifications") == 1
    assert await stage.outcome(who, "select * from agent_verifications") == rows


@pytest.mark.parametrize("change", ["payment_status = 'received'", "status = 'approved'"])
async def test_agents_change_nothing_of_their_submission_themselves(stage: Stage, change: str) -> None:
    assert await stage.outcome("other_agent", f"update agent_verifications set {change}") == 0
