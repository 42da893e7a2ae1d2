"""Every table by reading, adding, changing and deleting by every kind of caller, over the data API.

matrix/rest.txt: `read`, `change` and `delete` tell how many rows the caller sees or touches when asking for all of
them, `add own` and `add other` whether a row in the own name and in another's goes in; a refusal is its code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.marketplace import ALL_IDS, Market, market
from tests.support.matrix import Deed, compare, names

__all__ = ["market"]

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A row to add, whose `{me}` is the caller or somebody else, and a change to make."""

    key: str
    row: Row
    change: Row


TABLES = {
    "profiles": Table("user_id", {"user_id": "{me}", "user_type": "importer"}, {"city": "Kobe"}),
    "notification_preferences": Table("user_id", {"user_id": "{me}"}, {"sms": True}),
    "account_moderation": Table("user_id", {"user_id": "{me}"}, {"suspension_reason": "x"}),
    "user_activity": Table("user_id", {"user_id": "{me}", "day": "2020-01-01"}, {"day": "2020-01-01"}),
    "app_settings": Table("key", {"key": "new", "value": True}, {"value": True}),
    "agent_posts": Table("id", {"agent_id": "{me}", "car_name": "Honda", "model": "Fit"}, {"cnf_price": 1}),
    "saved_posts": Table("id", {"user_id": "{me}", "post_id": "{suspended_post}"}, {"created_at": "2020-01-01"}),
    "lost_saves": Table("id", {"user_id": "{me}", "car_name": "Honda", "model": "Fit"}, {"model": "x"}),
    "car_requests": Table(
        "id", {"importer_id": "{me}", "car_make": "Honda", "car_model": "Fit"}, {"description": "Red"}
    ),
    "vehicle_categories": Table("make", {"make": "Kia", "model_pattern": "%", "category": "x"}, {"category": "x"}),
    "invitations": Table(
        "id", {"agent_id": "{me}", "importer_id": "{importer}", "message": "Hello"}, {"status": "declined"}
    ),
    "deals": Table("id", {"agent_id": "{me}", "importer_id": "{importer}"}, {"value_usd": 1}),
    "request_cases": Table("request_id", {"request_id": "{request}", "status": "completed"}, {"progress": 50}),
    "messages": Table(
        "id", {"sender_id": "{me}", "receiver_id": "{closed_importer}", "content": "Hello"}, {"is_read": True}
    ),
    "conversations": Table(
        "user_id",
        {
            "user_id": "{me}",
            "conversation_id": "{nobody}",
            "last_message_id": "{message}",
            "last_at": "2020-01-01T00:00:00Z",
        },
        {"unread": 0},
    ),
    "reviews": Table(
        "id", {"reviewer_id": "{me}", "reviewed_id": "{other_importer}", "rating": 1}, {"comment": "Changed"}
    ),
    "follows": Table(
        "follower_id", {"follower_id": "{me}", "following_id": "{closed_importer}"}, {"created_at": "2020-01-01"}
    ),
    "agent_verifications": Table("id", {"agent_id": "{me}"}, {"payment_status": "received"}),
    "support_tickets": Table("id", {"user_id": "{me}", "subject": "Help", "body": "Please"}, {"status": "resolved"}),
    "ticket_messages": Table("id", {"ticket_id": "{ticket}", "author_id": "{me}", "body": "More"}, {"body": "x"}),
    "conversation_reports": Table(
        "id", {"reporter_id": "{me}", "counterpart_id": "{other_agent}", "reason": "x"}, {"status": "closed"}
    ),
    "member_standing": Table("user_id", {"user_id": "{me}", "is_suspended": False}, {"is_suspended": False}),
    "disputes": Table("id", {"deal_id": "{suspended_deal}", "reason": "x"}, {"outcome": "x"}),
    "dispute_statements": Table(
        "id", {"dispute_id": "{suspended_dispute}", "author_id": "{me}", "body": "x"}, {"body": "y"}
    ),
    "admin_audit_log": Table("id", {"action": "x", "target_type": "x"}, {"action": "x"}),
    "notification_outbox": Table("id", {"user_id": "{me}", "channel": "email", "kind": "x"}, {"error": "x"}),
}
SOMEBODY_ELSE = "other_importer"


def filled(row: Row, me: str) -> Row:
    known = {**ALL_IDS, "anon": ALL_IDS["nobody"], "service_role": ALL_IDS["other_agent"]}
    known["me"] = known[me]
    return {key: value.format(**known) if isinstance(value, str) else value for key, value in row.items()}


def deeds_of(market: Market, name: str) -> dict[str, Deed]:
    """What is tried with a table."""
    table = TABLES[name]
    everything = f"/{name}?{table.key}=not.is.null"

    async def asked(who: str, method: str, path: str, row: Row | None = None) -> object:
        async with market.as_(who, prefer="tx=rollback, count=exact") as client:
            answer = await client.request(method, path, json=row)
        if answer.is_error:
            return answer.json()["code"]
        return answer.headers["content-range"].partition("/")[2] if method != "POST" else "yes"

    return {
        f"{name} read": lambda who: asked(who, "GET", f"{everything}&limit=1"),
        f"{name} add own": lambda who: asked(who, "POST", f"/{name}", filled(table.row, who)),
        f"{name} add other": lambda who: asked(who, "POST", f"/{name}", filled(table.row, SOMEBODY_ELSE)),
        f"{name} change": lambda who: asked(who, "PATCH", everything, table.change),
        f"{name} delete": lambda who: asked(who, "DELETE", everything),
    }


@pytest.mark.parametrize("name", TABLES)
async def test_every_caller_gets_from_a_table_what_the_matrix_says(market: Market, name: str) -> None:
    await compare("rest", deeds_of(market, name))


async def test_the_matrix_knows_every_table_of_the_api(market: Market) -> None:
    rows = await market.db.fetch(
        "select relname from pg_class"
        " where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')"
    )
    assert {row[0] for row in rows} == set(TABLES) == {name.partition(" ")[0] for name in names("rest")}
