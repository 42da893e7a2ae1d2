"""Whoever never confirmed an address or a number is nobody to other members, and somebody to the back office."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from tests.support.marketplace import ALL_IDS, Market, market

__all__ = ["market"]

HIDDEN = ("unconfirmed_importer", "unconfirmed_agent", "anonymous")
OBJECT = {"accept": "application/vnd.pgrst.object+json"}


@pytest.mark.parametrize("hidden", HIDDEN)
async def test_members_do_not_see_the_profile_of_an_unconfirmed_sign_up(market: Market, hidden: str) -> None:
    for reader in ("agent", "importer", "suspended", "unconfirmed_agent", "anonymous"):
        async with market.as_(reader) as client:
            answer = await client.get("/profiles", params={"select": "user_id"})
            seen = {row["user_id"] for row in answer.json()}
        assert (ALL_IDS[hidden] in seen) == (reader == hidden), reader


async def test_unconfirmed_sign_ups_are_in_no_count(market: Market) -> None:
    listed = "/profiles?select=user_id&user_type=eq.importer&allow_invitations=eq.true&limit=1"
    async with market.as_("agent", prefer="count=exact") as client:
        answer = await client.get(listed)
    assert answer.headers["content-range"] == "0-0/2"


async def test_unconfirmed_sign_ups_are_not_found_among_importers(market: Market) -> None:
    async with market.as_("agent") as client:
        found = (await client.post("/rpc/search_importers", json={"p": {}})).json()
        counted = (await client.post("/rpc/count_importers", json={"p": {}})).json()
    assert found
    assert {row["user_id"] for row in found}.isdisjoint({ALL_IDS[each] for each in HIDDEN})
    assert counted["total"] == len(found)


async def test_an_unconfirmed_agent_is_not_in_the_directory(market: Market) -> None:
    async with market.as_("importer") as client:
        answer = await client.post("/rpc/agent_directory", json={})
    assert {row["user_id"] for row in answer.json()} == {ALL_IDS["agent"]}


@pytest.mark.parametrize("hidden", ["unconfirmed_importer", "anonymous"])
async def test_nobody_invites_writes_to_or_follows_an_unconfirmed_sign_up(market: Market, hidden: str) -> None:
    me, them = ALL_IDS["agent"], ALL_IDS[hidden]
    writes = {
        "invitations": {"agent_id": me, "importer_id": them, "message": "Hello"},
        "messages": {"sender_id": me, "receiver_id": them, "content": "Hello"},
        "follows": {"follower_id": me, "following_id": them},
    }
    async with market.as_("agent") as client:
        for table, row in writes.items():
            answer = await client.post(f"/{table}", json=row)
            assert (answer.status_code, answer.json()["code"]) == (403, "42501"), table


@pytest.mark.parametrize("who", HIDDEN)
async def test_an_unconfirmed_account_writes_nothing_others_see(market: Market, who: str) -> None:
    me = ALL_IDS[who]
    async with market.as_(who) as client:
        renamed = await client.patch(f"/profiles?user_id=eq.{me}", json={"full_name": "Somebody"})
        wrote = await client.post(
            "/messages", json={"sender_id": me, "receiver_id": ALL_IDS["importer"], "content": "Hello"}
        )
        saved = await client.post("/saved_posts", json={"user_id": me, "post_id": ALL_IDS["post"]})
    assert [renamed.json()["code"], wrote.json()["code"], saved.json()["code"]] == ["42501"] * 3


@pytest.mark.parametrize("column", ["email_confirmed_at", "phone_confirmed_at"])
async def test_confirming_makes_a_member_visible_at_once(market: Market, column: str) -> None:
    path = f"/profiles?select=full_name&user_id=eq.{ALL_IDS['unconfirmed_importer']}"
    async with market.as_("agent") as client:
        await market.run(f"update auth.users set {column} = now() where id = {{unconfirmed_importer}}")
        seen = (await client.get(path)).json()
        await market.run(f"update auth.users set {column} = null where id = {{unconfirmed_importer}}")
        assert seen == [{"full_name": "unconfirmed_importer"}]
        assert (await client.get(path)).json() == []


async def test_a_sign_up_that_needs_no_confirmation_is_visible_at_once(market: Market) -> None:
    user = str(uuid4())
    said = json.dumps({"full_name": "At once", "role": "importer"})
    made = "insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ($1, $2, now(), $3)"
    await market.db.execute(made, user, f"{user}@minato.example", said)
    try:
        async with market.as_("agent") as client:
            answer = await client.get(f"/profiles?user_id=eq.{user}", headers=OBJECT)
        assert answer.json()["full_name"] == "At once"
    finally:
        await market.db.execute("delete from auth.users where id = $1", user)


async def test_nobody_confirms_the_own_profile(market: Market) -> None:
    async with market.as_("unconfirmed_importer") as client:
        answer = await client.patch(
            f"/profiles?user_id=eq.{ALL_IDS['unconfirmed_importer']}", json={"is_confirmed": True}
        )
    assert (answer.status_code, answer.json()["code"]) == (403, "42501")


async def test_the_back_office_sees_unconfirmed_sign_ups(market: Market) -> None:
    async with market.as_("admin") as client:
        importers = (await client.post("/rpc/admin_importers", json={})).json()
        profiles = (await client.get("/profiles?select=user_id")).json()
    assert ALL_IDS["unconfirmed_importer"] in {row["user_id"] for row in importers["rows"]}
    assert {ALL_IDS[each] for each in HIDDEN} <= {row["user_id"] for row in profiles}
