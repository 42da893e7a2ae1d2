"""A suspended member reads, writes to the team, chooses mails, disputes deals and may leave; all else waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.support.marketplace import ALL_IDS, Market, market

__all__ = ["market"]

AGENT, IMPORTER = ALL_IDS["suspended"], ALL_IDS["suspended_importer"]
Write = tuple[str, str, dict[str, Any] | None]

POST, PATCH, DELETE = "POST", "PATCH", "DELETE"
BOTH: list[Write] = [
    (PATCH, "profiles?user_id=eq.{me}", {"full_name": "Minato Support"}),
    (POST, "messages", {"sender_id": "{me}", "receiver_id": "{other_agent}", "content": "Hello"}),
    (PATCH, "messages?receiver_id=eq.{me}", {"is_read": True}),
    (POST, "follows", {"follower_id": "{me}", "following_id": "{other_agent}"}),
    (DELETE, "follows?follower_id=eq.{me}", None),
    (POST, "saved_posts", {"user_id": "{me}", "post_id": "{suspended_post}"}),
    (DELETE, "saved_posts?user_id=eq.{me}", None),
    (PATCH, "reviews?reviewer_id=eq.{me}", {"rating": 1}),
    (DELETE, "reviews?reviewer_id=eq.{me}", None),
    (POST, "rpc/report_conversation", {"p_counterpart": "{partner}", "p_reason": "Rude"}),
]
WRITES: dict[str, list[Write]] = {
    "suspended": [
        *BOTH,
        (POST, "reviews", {"reviewer_id": "{me}", "reviewed_id": "{suspended_importer}", "rating": 1}),
        (POST, "agent_posts", {"agent_id": "{me}", "car_name": "Honda", "model": "Fit"}),
        (PATCH, "agent_posts?agent_id=eq.{me}", {"cnf_price": 1}),
        (DELETE, "agent_posts?agent_id=eq.{me}", None),
        (POST, "invitations", {"agent_id": "{me}", "importer_id": "{importer}", "message": "Hello"}),
    ],
    "suspended_importer": [
        *BOTH,
        (POST, "reviews", {"reviewer_id": "{me}", "reviewed_id": "{agent}", "rating": 1}),
        (POST, "car_requests", {"importer_id": "{me}", "car_make": "Honda", "car_model": "Fit"}),
        (PATCH, "car_requests?importer_id=eq.{me}", {"description": "Red"}),
        (DELETE, "car_requests?importer_id=eq.{me}", None),
        (PATCH, "invitations?id=eq.{suspended_invitation}", {"status": "accepted"}),
        (
            POST,
            "rpc/complete_request",
            {"p_request": "{suspended_request}", "p_invitation": "{suspended_accepted}", "p_value": 900},
        ),
    ],
}
CASES = [
    pytest.param(who, write, id=f"{who}: {write[0]} {write[1]}") for who, writes in WRITES.items() for write in writes
]
PARTNERS = {"suspended": "importer", "suspended_importer": "agent"}


def named(value: str, who: str) -> str:
    """`{me}`, `{partner}` and everybody else by their ids."""
    names = {**ALL_IDS, "me": ALL_IDS[who], "partner": ALL_IDS[PARTNERS.get(who, who)]}
    for name, identity in names.items():
        value = value.replace("{" + name + "}", identity)
    return value


async def changed(market: Market, who: str, write: Write) -> int | str:
    """How many rows a write touches, or the code of its refusal."""
    method, path, body = write
    said = body and {key: named(value, who) if isinstance(value, str) else value for key, value in body.items()}
    async with market.as_(who, prefer="tx=rollback, count=exact") as client:
        answer = await client.request(method, f"/{named(path, who)}", json=said)
    if answer.is_error:
        return str(answer.json()["code"])
    counted = answer.headers.get("content-range", "*/1").partition("/")[2]
    return int(counted) if counted != "*" else 1


@asynccontextmanager
async def lifted(market: Market, who: str) -> AsyncIterator[None]:
    """Without the suspension, for a while."""
    await market.run(f"update profiles set status = 'active' where user_id = {{{who}}}")
    try:
        yield
    finally:
        await market.run(f"update profiles set status = 'suspended' where user_id = {{{who}}}")


@pytest.mark.parametrize(("who", "write"), CASES)
async def test_a_suspended_member_writes_nothing(market: Market, who: str, write: Write) -> None:
    assert await changed(market, who, write) in (0, "42501")


@pytest.mark.parametrize(("who", "write"), CASES)
async def test_once_the_suspension_is_lifted_every_write_works_again(market: Market, who: str, write: Write) -> None:
    async with lifted(market, who):
        outcome = await changed(market, who, write)
    assert isinstance(outcome, int)
    assert outcome >= 1


@pytest.mark.parametrize("who", PARTNERS)
async def test_a_suspended_member_still_reaches_the_team(market: Market, who: str) -> None:
    asked = {"user_id": ALL_IDS[who], "subject": "Suspended", "body": "Why?"}
    assert await changed(market, who, (POST, "support_tickets", asked)) == 1
    if who == "suspended":
        more = {"ticket_id": ALL_IDS["suspended_ticket"], "author_id": AGENT, "body": "Please"}
        assert await changed(market, who, (POST, "ticket_messages", more)) == 1


@pytest.mark.parametrize("who", PARTNERS)
async def test_a_suspended_member_still_chooses_the_own_mails_and_nobody_elses(market: Market, who: str) -> None:
    choice = {"email": False}
    assert await changed(market, who, (PATCH, "notification_preferences?user_id=eq.{me}", choice)) == 1
    assert await changed(market, who, (PATCH, "notification_preferences?user_id=eq.{other_agent}", choice)) == 0


@pytest.mark.parametrize("who", PARTNERS)
async def test_a_suspended_member_reads_as_before(market: Market, who: str) -> None:
    tables = ["profiles", "messages", "invitations", "reviews", "follows", "saved_posts", "agent_posts"]
    async with market.as_(who) as client:
        while_suspended = [(await client.get(f"/{table}")).json() for table in tables]
        async with lifted(market, who):
            before = [(await client.get(f"/{table}")).json() for table in tables]
    for table, one, other in zip(tables, while_suspended, before, strict=True):
        assert len(one) == len(other) > 0, table


async def test_requests_of_a_suspended_importer_are_hidden_from_agents(market: Market) -> None:
    path = f"/car_requests?select=id&id=eq.{ALL_IDS['suspended_request']}"
    for agent in ("agent", "other_agent"):
        async with market.as_(agent) as client:
            assert (await client.get(path)).json() == []
            async with lifted(market, "suspended_importer"):
                assert len((await client.get(path)).json()) == 1
    async with market.as_("suspended_importer") as client:
        assert len((await client.get(path)).json()) == 1


async def test_a_suspended_importer_cannot_be_invited(market: Market) -> None:
    invitation = {"agent_id": ALL_IDS["other_agent"], "importer_id": IMPORTER, "message": "Hello"}
    assert await changed(market, "other_agent", (POST, "invitations", invitation)) == "42501"


@pytest.mark.parametrize("who", PARTNERS)
async def test_a_suspended_member_uploads_and_removes_no_file(market: Market, who: str) -> None:
    avatar = f"{ALL_IDS[who]}/avatar.webp"
    async with market.as_(who, "/storage/v1", **{"content-type": "image/webp"}) as client:
        sent = await client.post(f"/object/profiles/{avatar}", content=b"RIFF")
        signed = await client.post(f"/object/upload/sign/profiles/{avatar}", json={})
        removed = await client.delete(f"/object/profiles/{ALL_IDS[who]}/avatar.png")
    assert [sent.is_error, signed.is_error, removed.is_error] == [True, True, True]


async def test_every_policy_that_lets_members_write_asks_whether_they_are_active(market: Market) -> None:
    rows = await market.db.fetch(
        """select schemaname || '.' || tablename || ': ' || policyname from pg_policies
        where schemaname in ('public', 'storage', 'realtime') and cmd <> 'SELECT'
        and concat(qual, with_check) !~ 'is_active|is_active_agent|is_active_importer|may_post|is_admin'"""
    )
    # a newcomer has no profile to be suspended; the team hears everybody; mails are the own mailbox's
    assert {row[0] for row in rows} == {
        "public.profiles: A confirmed user makes the own profile",
        "public.support_tickets: Members open tickets",
        "public.ticket_messages: Members write to their own tickets",
        "public.notification_preferences: Members set their own preferences",
        "public.notification_preferences: Members change their own preferences",
        "storage.objects: A party of a deal hands in evidence",
    }
