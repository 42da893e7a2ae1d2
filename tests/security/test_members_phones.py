"""A phone number is shown on the page of one member, to members; no list, filter or order tells numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.marketplace import ALL_IDS, Market, market

__all__ = ["market"]

OBJECT = {"accept": "application/vnd.pgrst.object+json"}
AGENT = ALL_IDS["agent"]
REVIEWER, REVIEWED = "profiles!reviews_reviewer_id_fkey", "profiles!reviews_reviewed_id_fkey"


async def number_of(market: Market, who: str) -> str:
    number = await market.db.fetchval("select private.phone_of($1::uuid)", ALL_IDS[who])
    assert isinstance(number, str)
    return number


async def page(market: Market, reader: str, member: str, select: str = "*") -> Any:
    """What a profile page reads."""
    async with market.as_(reader) as client:
        path = f"/profiles?select={select}&user_id=eq.{ALL_IDS[member]}"
        return (await client.get(path, headers=OBJECT)).json()


@pytest.mark.parametrize("reader", ["importer", "other_agent", "suspended"])
async def test_the_page_of_one_member_shows_the_number_to_members(market: Market, reader: str) -> None:
    assert (await page(market, reader, "agent"))["phone"] == await number_of(market, "agent")


@pytest.mark.parametrize("reader", ["newcomer", "unconfirmed", "unconfirmed_agent", "anonymous", "deleted"])
async def test_whoever_is_no_confirmed_member_sees_no_number(market: Market, reader: str) -> None:
    assert (await page(market, reader, "agent"))["phone"] is None


@pytest.mark.parametrize(
    "query",
    [
        "profiles?select=full_name,phone",
        "profiles?select=*&user_type=eq.importer&allow_invitations=eq.true&limit=20",
        "profiles?select=full_name,phone&phone=not.is.null",
        "profiles?select=phone::text",
        "profiles?select=phone->>x",
        "profiles?select=phone&order=phone",
        "agent_posts?select=id,agent:profiles!agent_posts_agent_id_fkey(*)",
        "messages?select=sender:profiles!messages_sender_id_fkey(phone),receiver:profiles!messages_receiver_id_fkey(phone)",
        "reviews?select=...profiles!reviews_reviewed_id_fkey(phone)",
        "rpc/search_importers?select=full_name,phone",
        "rpc/agent_directory",
    ],
)
async def test_lists_hold_no_number(market: Market, query: str) -> None:
    numbers = [row[0] for row in await market.db.fetch("select number from private.phones where user_id <> $1", AGENT)]
    async with market.as_("agent") as client:
        for accept in ("application/json", "text/csv"):
            answer = await client.get(f"/{query}", headers={"accept": accept})
            assert answer.is_success, answer.text
            assert [number for number in numbers if number in answer.text] == []


@pytest.mark.parametrize("operator", ["eq.{n}", "like.{s}*", "gte.{n}", "in.({n})", "match.^.81"])
async def test_nobody_is_found_by_a_number(market: Market, operator: str) -> None:
    number = (await number_of(market, "importer")).replace("+", "%2B")
    value = operator.replace("{n}", number).replace("{s}", number[:6])
    async with market.as_("agent") as client:
        answer = await client.get(f"/profiles?select=user_id&phone={value}")
    if operator.startswith("gte"):
        # the words compare with anything; they are the same whether or not there is a number
        assert "phone" not in answer.text
    else:
        assert answer.json() == []


async def test_whether_somebody_has_a_number_is_not_told(market: Market) -> None:
    await market.run("update profiles set phone = null where user_id = {importer}")
    try:
        async with market.as_("agent") as client:
            without = (await client.get("/profiles?select=user_id&phone=is.null")).json()
        assert without == []
    finally:
        await market.run("update profiles set phone = '+81 3 5550 0999' where user_id = {importer}")


async def test_one_answer_shows_one_other_members_number_at_most(market: Market) -> None:
    embeds = "sender:profiles!messages_sender_id_fkey(phone),receiver:profiles!messages_receiver_id_fkey(phone)"
    async with market.as_("suspended") as client:
        answer = await client.get(f"/messages?select={embeds}&limit=1", headers=OBJECT)
    told = answer.json()
    assert told["receiver"]["phone"] == await number_of(market, "suspended")
    assert told["sender"]["phone"] == await number_of(market, "importer")


@pytest.mark.parametrize(
    ("query", "both"),
    [
        (f"reviews?select=a:{REVIEWER}(phone),b:{REVIEWED}(phone)&limit=1", lambda told: [told["a"], told["b"]]),
        (
            f"profiles?select=phone,reviews!reviews_reviewed_id_fkey(a:{REVIEWER}(phone))"
            f"&user_id=eq.{ALL_IDS['importer']}",
            lambda told: [told, *(review["a"] for review in told["reviews"])],
        ),
    ],
)
async def test_of_two_others_in_one_answer_one_shows_a_number(
    market: Market, query: str, both: Callable[[Any], list[Any]]
) -> None:
    async with market.as_("other_agent") as client:
        told = both((await client.get(f"/{query}", headers=OBJECT)).json())
    assert len(told) >= 2
    assert [member["phone"] is None for member in told].count(False) == 1


async def test_who_switched_the_number_off_keeps_it_to_oneself(market: Market) -> None:
    await market.run("update profiles set show_phone = false where user_id = {agent}")
    try:
        assert (await page(market, "importer", "agent"))["phone"] is None
        assert (await page(market, "agent", "agent"))["phone"] == await number_of(market, "agent")
    finally:
        await market.run("update profiles set show_phone = true where user_id = {agent}")


async def test_a_member_reads_and_writes_the_own_number(market: Market) -> None:
    path = f"/profiles?user_id=eq.{AGENT}&select=phone"
    async with market.as_("agent", prefer="return=representation") as client:
        before = (await client.get(path)).json()
        assert before == [{"phone": await number_of(market, "agent")}]
        assert (await client.patch(path, json={"phone": "+81 90 1234"})).json() == [{"phone": "+81 90 1234"}]
        assert (await client.get(path)).json() == [{"phone": "+81 90 1234"}]
        # other columns leave it alone
        assert (await client.patch(path, json={"city": "Kobe"})).json() == [{"phone": "+81 90 1234"}]
        assert (await client.patch(path, json={"phone": None})).json() == [{"phone": None}]
        assert (await client.patch(path, json=before[0])).json() == before


async def test_nobody_writes_the_number_of_another(market: Market) -> None:
    before = await number_of(market, "importer")
    row = {"user_id": ALL_IDS["importer"], "user_type": "importer", "phone": "+1 900"}
    async with market.as_("agent", prefer="") as client:
        await client.patch(f"/profiles?user_id=eq.{ALL_IDS['importer']}", json={"phone": "+1 900"})
        await client.post("/profiles", json=row)
        await client.post("/profiles", json=row, headers={"prefer": "resolution=ignore-duplicates"})
        await client.post("/profiles", json=row, headers={"prefer": "resolution=merge-duplicates"})
    assert await number_of(market, "importer") == before


async def test_a_number_has_a_limit(market: Market) -> None:
    async with market.as_("agent") as client:
        answer = await client.patch(f"/profiles?user_id=eq.{AGENT}", json={"phone": "1" * 41})
    assert (answer.status_code, answer.json()["code"]) == (400, "23514")


@pytest.mark.parametrize("reader", ["admin", "service_role"])
async def test_the_back_office_reads_every_number(market: Market, reader: str) -> None:
    async with market.as_(reader) as client:
        rows = (await client.get("/profiles?select=phone&user_type=not.is.null")).json()
        assert await number_of(market, "importer") in {row["phone"] for row in rows}
    if reader == "admin":
        async with market.as_(reader) as client:
            agents = (await client.post("/rpc/admin_agents", json={})).json()
        assert await number_of(market, "agent") in {row["phone"] for row in agents["rows"]}
