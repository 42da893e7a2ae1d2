"""Database webhooks, as the dashboard writes them: a row changes, and somebody is told of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest
from minato.database.address import DatabaseAddress

from tests.support.loopback import Loopback, loopback
from tests.support.net import Net, sending
from tests.support.postgres import Cluster


@pytest.fixture
async def there() -> AsyncIterator[Loopback]:
    async with loopback() as there:
        yield there


@pytest.fixture
async def net(cluster: Cluster, address: DatabaseAddress) -> AsyncIterator[Net]:
    async with sending(address, cluster.url(address, "postgres")) as net:
        await net.owner.execute("create table public.cars (id int primary key, name text)")
        yield net


async def hook(net: Net, *arguments: str, events: str = "insert or update or delete") -> None:
    listed = ", ".join(f"'{argument}'" for argument in arguments)
    await net.owner.execute(
        f'create trigger "my hook" after {events} on public.cars for each row'
        f" execute function supabase_functions.http_request({listed})"
    )


async def test_each_change_is_told_with_the_row_before_and_after(net: Net, there: Loopback) -> None:
    await hook(net, there.url, "POST", '{"Content-Type":"application/json","X-Key":"k"}', '{"q":"1"}', "5000")
    await net.owner.execute("insert into cars values (1, 'Föhr')")
    await net.owner.execute("update cars set name = 'Sylt'")
    await net.owner.execute("delete from cars")
    await net.sender.drain()
    told = sorted((asked.json for asked in there.asked), key=lambda body: "IUD".index(body["type"][0]))
    place = {"table": "cars", "schema": "public"}
    before, after = {"id": 1, "name": "Föhr"}, {"id": 1, "name": "Sylt"}
    assert told == [
        {"type": "INSERT", **place, "record": before, "old_record": None},
        {"type": "UPDATE", **place, "record": after, "old_record": before},
        {"type": "DELETE", **place, "record": None, "old_record": after},
    ]
    assert {(asked.method, asked.path, asked.headers["x-key"]) for asked in there.asked} == {("POST", "/?q=1", "k")}


async def test_a_call_leaves_a_trail_that_leads_to_its_answer(net: Net, there: Loopback) -> None:
    await hook(net, there.url, "POST", "{}", "{}", "1000")
    await net.owner.execute("insert into cars values (1, 'x')")
    await net.sender.drain()
    row = await net.owner.fetchrow(
        "select hook_name, hook_table_id::oid::regclass::text as place, status_code"
        " from supabase_functions.hooks h join net._http_response r on r.id = h.request_id"
    )
    assert tuple(row) == ("my hook", "cars", 200)


@pytest.mark.parametrize("arguments", [(), ("null", "null", "null")])
async def test_what_is_left_out_has_its_default(net: Net, there: Loopback, arguments: tuple[str, ...]) -> None:
    await hook(net, there.url, "GET", *arguments, events="insert")
    await net.owner.execute("insert into cars values (1, 'x')")
    assert await net.owner.fetchval("select timeout_milliseconds from net.http_request_queue") == 1000
    await net.sender.drain()
    (asked,) = there.asked
    assert (asked.method, asked.path, asked.body) == ("GET", "/", b"")
    assert asked.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "url argument is missing"),
        (("null",), "url argument is missing"),
        (("http://x.example",), "method argument is missing"),
        (("http://x.example", "PUT"), "method argument PUT is invalid"),
    ],
)
async def test_a_hook_that_is_wrong_refuses_the_change(net: Net, arguments: tuple[str, ...], message: str) -> None:
    await hook(net, *arguments)
    with pytest.raises(asyncpg.RaiseError, match=message):
        await net.owner.execute("insert into cars values (1, 'x')")


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
async def test_whoever_may_change_the_row_sets_off_the_hook(net: Net, there: Loopback, role: str) -> None:
    await hook(net, there.url, "POST")
    await net.owner.execute(f"set role {role}")
    await net.owner.execute("insert into cars values (1, 'x')")
    await net.sender.drain()
    assert there.asked[0].json["record"] == {"id": 1, "name": "x"}


async def test_a_change_that_is_rolled_back_is_told_to_nobody(net: Net, there: Loopback) -> None:
    await hook(net, there.url, "POST")
    transaction = net.owner.transaction()
    await transaction.start()
    await net.owner.execute("insert into cars values (1, 'x')")
    await transaction.rollback()
    await net.sender.drain()
    assert there.asked == []
    assert await net.owner.fetchval("select count(*) from supabase_functions.hooks") == 0


async def test_without_pg_net_a_hook_names_what_is_missing(net: Net) -> None:
    await hook(net, "http://x.example", "POST")
    await net.owner.execute("drop extension pg_net cascade")
    await net.owner.execute("drop schema if exists net cascade")
    with pytest.raises(asyncpg.InvalidSchemaNameError) as refused:
        await net.owner.execute("insert into cars values (1, 'x')")
    assert refused.value.hint == "create extension pg_net;"
