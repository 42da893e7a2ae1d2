"""The sample data show what the documented screens show, computed from rows."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from xml.etree import ElementTree

import asyncpg
import pytest
from minato.places import MIGRATIONS

from tests.support.postgres import Cluster

SEEDS = MIGRATIONS / "seeds"
SETTINGS = {"minato.seed_password_hash": "$2a$10$sample", "minato.admin_email": "admin@minato.example"}


async def load(db: asyncpg.Connection, name: str) -> None:
    """Run a seed's files as the command line does: in order, in one transaction."""
    async with db.transaction():
        for key, value in SETTINGS.items():
            await db.execute("select set_config($1, $2, true)", key, value)
        for script in sorted((SEEDS / name).glob("*.sql")):
            await db.execute(script.read_text())


@pytest.fixture(scope="module", params=["demo", "small"])
async def seeded(request: pytest.FixtureRequest, cluster: Cluster) -> AsyncIterator[asyncpg.Connection]:
    async with seeded_database(cluster, request.param) as db:
        yield db


@pytest.fixture(scope="module")
async def demo(cluster: Cluster) -> AsyncIterator[asyncpg.Connection]:
    async with seeded_database(cluster, "demo") as db:
        yield db


def seeded_database(cluster: Cluster, name: str) -> Any:
    from contextlib import asynccontextmanager

    @asynccontextmanager
    async def opened() -> AsyncIterator[asyncpg.Connection]:
        async with cluster.fresh_database() as address:
            db = await asyncpg.connect(address.admin)
            await db.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)
            await load(db, name)
            yield db
            await db.close()

    return opened()


async def as_admin(db: asyncpg.Connection, call: str) -> Any:
    claims = {"role": "authenticated", "email": "admin@minato.example", "app_metadata": {"role": "admin"}}
    async with db.transaction():
        await db.execute("select set_config('request.jwt.claims', $1, true)", json.dumps(claims))
        await db.execute("set local role authenticated")
        return await db.fetchval(call)


TABLES = (
    "auth.users",
    "auth.identities",
    "profiles",
    "agent_posts",
    "car_requests",
    "invitations",
    "deals",
    "messages",
)


async def contents(db: asyncpg.Connection) -> list[int]:
    return [await db.fetchval(f"select count(*) from {table}") for table in (*TABLES, "reviews", "support_tickets")]


async def test_loading_twice_adds_nothing(seeded: asyncpg.Connection) -> None:
    before = await contents(seeded)
    await load(seeded, "demo" if before[2] > 500 else "small")
    assert await contents(seeded) == before
    assert await seeded.fetchval("select count(*) from notification_outbox") == 0


# DA2-023
async def test_the_featured_rows_are_in_both(seeded: asyncpg.Connection) -> None:
    rows = await seeded.fetch("select full_name from agent_directory() limit 6")
    assert {row["full_name"] for row in rows} == {
        "Kenji Tanaka", "Yuki Sato", "Hiroshi Yamamoto", "Aiko Nakamura", "Daichi Kobayashi", "Haruka Ito",
    }  # fmt: skip
    prices = [row["cnf_price"] for row in await seeded.fetch("select cnf_price from agent_posts order by 1")]
    assert [
        sum(low < price <= high for price in prices) for low, high in ((0, 15000), (15000, 20000), (20000, 1e9))
    ] == [2, 2, 2]
    countries = await seeded.fetch(
        "select p.country from car_requests r join profiles p on p.user_id = r.importer_id where r.status = 'active'"
    )
    assert sorted(row["country"] for row in countries) == ["AU", "CA", "DE", "US"]


async def test_kenji_has_the_invitations_and_reviews_his_screens_show(seeded: asyncpg.Connection) -> None:
    kenji = "(select user_id from profiles where full_name = 'Kenji Tanaka')"
    statuses = await seeded.fetch(
        f"select status, count(*) from invitations where agent_id = {kenji} group by 1 order by 1"
    )
    assert [tuple(row) for row in statuses] == [("accepted", 2), ("declined", 1), ("sent", 2)]
    reviews = await seeded.fetchrow(
        f"select count(*), round(avg(rating), 1)::text from reviews where reviewed_id = {kenji}"
    )
    assert tuple(reviews) == (12, "4.8")
    assert await seeded.fetchval(f"select count(*) from messages where receiver_id = {kenji} and not is_read") == 1


async def test_people_who_can_sign_in_are_those_in_the_list(seeded: asyncpg.Connection) -> None:
    listed = {account["email"] for account in json.loads((SEEDS / "demo" / "accounts.json").read_text())}
    able = await seeded.fetch(
        "select u.email from auth.users u join auth.identities i on i.user_id = u.id"
        " where u.encrypted_password <> '' and u.email_confirmed_at is not null"
    )
    assert {row["email"] for row in able} == listed
    admin = await seeded.fetchval("select raw_app_meta_data from auth.users where email = 'admin@minato.example'")
    assert admin["role"] == "admin"


# DA2-023
async def test_every_state_of_cases_and_tickets_occurs(seeded: asyncpg.Connection) -> None:
    assert await seeded.fetchval("select count(distinct status) from request_cases") == 6
    assert await seeded.fetchval("select count(distinct status) from support_tickets") == 5
    assert await seeded.fetchval("select count(*) from conversation_reports") == 2


# CO2-011, PR2-006
async def test_the_demo_has_the_documented_figures(demo: asyncpg.Connection) -> None:
    agents = await as_admin(demo, "select admin_agents()")
    assert agents["counts"] == {
        "all": 247, "verified": 197, "pending": 12, "payment_pending": 23, "suspended": 14, "unverified": 1,
    }  # fmt: skip
    stats = (await as_admin(demo, "select admin_overview()"))["stats"]
    assert (stats["total_agents"], stats["pending_agents"], stats["total_importers"], stats["countries"]) == (
        247,
        12,
        310,
        45,
    )
    assert stats["active_requests"] == 4


# CO2-011, DA2-023
async def test_the_demo_revenue_is_the_documented_chart(demo: asyncpg.Connection) -> None:
    figures = await as_admin(demo, "select admin_analytics()")
    assert [row["revenue"] for row in figures["by_month"]] == [142000, 168000, 195000, 188000, 231000, 256000, 284000]
    assert {row["category"] for row in figures["by_category"]} >= {
        "Sports Cars", "Luxury Sedans", "Classic JDM", "Supercars", "Motorcycles",
    }  # fmt: skip
    assert len(figures["top_agents"]) == len(figures["top_importers"]) == 5
    assert (
        min(agent["growth"] for agent in figures["top_agents"])
        < 0
        < max(agent["growth"] for agent in figures["top_agents"])
    )
    assert figures["summary"]["global_reach"] == 45
    assert figures["activity"]["daily_active_users"] > 0


async def test_sample_data_never_mix_with_real_accounts(cluster: Cluster) -> None:
    async with cluster.fresh_database() as address:
        db = await asyncpg.connect(address.admin)
        await db.execute("insert into auth.users (id, email) values (gen_random_uuid(), 'real@person.example')")
        with pytest.raises(asyncpg.RaiseError, match="already holds accounts that are not sample data"):
            await load(db, "demo")
        assert await db.fetchval("select count(*) from profiles") == 0
        await db.close()


async def test_every_picture_the_rows_name_is_in_the_folder_and_is_a_drawing(demo: asyncpg.Connection) -> None:
    prefix = "/storage/v1/object/public/"
    for row in await demo.fetch("select image_url from agent_posts"):
        assert row["image_url"].startswith(prefix)
        file = SEEDS / "demo" / "objects" / row["image_url"].removeprefix(prefix)
        assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"
