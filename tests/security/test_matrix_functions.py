"""Every function of the API by every kind of caller: matrix/functions.txt tells who may call it, or the refusal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.marketplace import ALL_IDS, Market, market
from tests.support.matrix import Deed, compare, names

__all__ = ["market"]

# what a caller who may would send; what the cast can't do for another reason is told by that reason's code
CALLS: dict[str, dict[str, Any]] = {
    "public_config": {},
    "agent_directory": {},
    "search_offers": {"p": {}},
    "count_offers": {"p": {}},
    "offer_facets": {"p": {}},
    "offer_changes": {"p": {}, "p_seconds": 60},
    "search_requests": {"p": {}},
    "count_requests": {"p": {}},
    "request_changes": {"p": {}, "p_seconds": 60},
    "search_conversations": {"q": ""},
    "review_figures": {"p_member": "{agent}"},
    "review_changes": {"p_member": "{agent}", "p_side": "about", "p_seconds": 60},
    "standing_changes": {"p_seconds": 60},
    "invitation_counts": {},
    "invitation_changes": {"p_seconds": 60},
    "agent_waiting": {},
    "search_importers": {"p": {}},
    "count_importers": {"p": {}},
    "offer_marks": {"p_shown": []},
    "submit_agent_verification": {
        "p": {
            "company_name": "Other",
            "experience": "3",
            "languages": "English",
            "identity_document_path": "{other_agent}/identity.pdf",
            "company_proof_path": "{other_agent}/company.pdf",
        }
    },
    "verification_reference": {},
    "report_conversation": {"p_counterpart": "{importer}", "p_reason": "Rude"},
    "complete_request": {"p_request": "{request}", "p_invitation": "{accepted}", "p_value": 1},
    "delete_own_account": {},
    "own_suspension": {},
    "member_figures": {"p_member": "{agent}"},
    "raise_dispute": {"p_invitation": "{accepted}", "p_reason": "Broken", "p_statement": "It is broken."},
    "answer_dispute": {"p_dispute": "{suspended_dispute}", "p_statement": "It was not."},
    "admin_overview": {},
    "admin_activity": {},
    "admin_analytics": {},
    "admin_communication_stats": {},
    "admin_agents": {},
    "admin_importers": {},
    "admin_requests": {},
    "admin_tickets": {},
    "admin_conversations": {},
    "admin_review_agent": {"p_agent": "{other_agent}", "p_decision": "approve"},
    "admin_mark_payment": {"p_agent": "{other_agent}", "p_status": "received"},
    "admin_set_account_status": {"p_user": "{suspended}", "p_status": "active"},
    "admin_set_account_type": {"p_user": "{agent}", "p_type": "premium"},
    "admin_request_action": {"p_request": "{pending_request}", "p_action": "approve"},
    "admin_ticket_action": {"p_ticket": "{ticket}", "p_action": "assign"},
    "admin_conversation_open": {"p_report": "{report}"},
    "admin_audit": {},
    "admin_open_document": {"p_submission": "{verification}", "p_document": "identity_document", "p_path": None},
    "admin_mails": {},
    "admin_changes": {"p_list": "agents", "p": {}, "p_seconds": 5},
    "admin_mail_action": {"p_mail": 0, "p_action": "give_up"},
    "mail_choice": {"p_token": "x"},
    "choose_mail": {"p_token": "x"},
    "admin_opened_documents": {"p_submission": "{verification}"},
}


def filled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: filled(each) for key, each in value.items()}
    return value.format(**ALL_IDS) if isinstance(value, str) else value


def call(market: Market, name: str) -> Deed:
    async def called(who: str) -> object:
        async with market.as_(who) as client:
            answer = await client.post(f"/rpc/{name}", json=filled(CALLS[name]))
        return answer.json()["code"] if answer.is_error else "yes"

    return called


@pytest.mark.parametrize("name", CALLS)
async def test_every_caller_may_call_what_the_matrix_says(market: Market, name: str) -> None:
    await compare("functions", {name: call(market, name)})


async def test_the_matrix_knows_every_function_of_the_api(market: Market) -> None:
    rows = await market.db.fetch(
        "select proname from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype"
        # A function of a row is a column to the API.
        " and not exists (select from pg_class where reltype <> 0 and reltype = any (proargtypes))"
    )
    assert {row[0] for row in rows} == set(CALLS) == names("functions")
