"""The queue: after the commit, in order, within bounds, once; what is lost is told; what is old goes."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import asyncpg
import pytest
from minato.database.address import DatabaseAddress
from minato.http.outgoing import HTTP_TOO, PublicOutgoing
from minato.http.public_addresses import PublicAddresses
from minato.jobs.net.sender import AT_ONCE
from minato.jobs.net.tables import TAKEN_BYTES, NetSettings, NetTables

from tests.support.loopback import Loopback, Told
from tests.support.net import Net, sending
from tests.support.postgres import Cluster
from tests.support.waiting import until, until_rows


async def test_a_request_is_sent_after_its_commit_and_never_without_one(net: Net, there: Loopback) -> None:
    transaction = net.owner.transaction()
    await transaction.start()
    await net.owner.execute("select net.http_get($1)", there.url)
    await net.sender.drain()
    assert there.asked == []
    await transaction.rollback()
    await net.sender.drain()
    assert there.asked == []
    async with net.owner.transaction():
        await net.owner.execute("select net.http_get($1)", f"{there.url}/kept")
    await net.sender.drain()
    assert [asked.path for asked in there.asked] == ["/kept"]


async def test_a_long_queue_is_sent_whole_and_each_once_with_few_at_a_time(net: Net, there: Loopback) -> None:
    await net.owner.execute(
        "select net.http_get($1 || '/' || n, timeout_milliseconds := 60000) from generate_series(1, 1500) n",
        there.url,
    )
    await net.sender.drain()
    assert sorted(int(asked.path[1:]) for asked in there.asked) == list(range(1, 1501))
    assert await net.owner.fetchval("select count(*) from net._http_response where status_code = 200") == 1500
    assert await net.owner.fetchval("select count(*) from net.http_request_queue") == 0
    assert await net.admin.fetchval("select count(*) from net._taken") == 0


async def test_a_hundred_thousand_requests_are_taken_a_few_at_a_time(net: Net) -> None:
    await net.owner.execute(
        "insert into net.http_request_queue (method, url, timeout_milliseconds)"
        " select 'GET', 'http://x.example/' || n, 1 from generate_series(1, 100000) n"
    )
    tables = NetTables(net.leader)
    taken = await tables.take(AT_ONCE)
    assert [request.url for request in taken] == [f"http://x.example/{n}" for n in range(1, AT_ONCE + 1)]
    assert await net.admin.fetchval("select count(*) from net.http_request_queue") == 100000 - AT_ONCE


async def test_bodies_are_taken_by_their_bytes_too(net: Net) -> None:
    await net.owner.execute(
        "insert into net.http_request_queue (method, url, body, timeout_milliseconds)"
        " select 'POST', 'http://x.example/', convert_to(repeat('x', $1), 'UTF8'), 1 from generate_series(1, 4)",
        TAKEN_BYTES // 2 + 1,
    )
    assert len(await NetTables(net.leader).take(50)) == 2


async def test_no_more_than_so_many_are_on_their_way_at_once(net: Net, there: Loopback) -> None:
    there.answer = lambda asked: Told(0 if asked.path == "/slow" else 200)
    await net.owner.execute(
        "select net.http_get($1 || '/slow', timeout_milliseconds := 60000) from generate_series(1, $2::int)",
        there.url,
        AT_ONCE + 5,
    )
    draining = asyncio.create_task(net.sender.drain())
    await until(lambda: len(there.asked) == AT_ONCE)
    assert await net.admin.fetchval("select count(*) from net._taken") == AT_ONCE
    draining.cancel()
    await asyncio.gather(draining, return_exceptions=True)
    await net.sender.leave(patience=0.0)


async def test_a_request_that_nobody_answers_holds_up_no_later_one(net: Net, there: Loopback) -> None:
    there.answer = lambda asked: Told(0 if asked.path == "/never" else 200)
    await net.owner.execute("select net.http_get($1, timeout_milliseconds => 600000)", f"{there.url}/never")
    draining = asyncio.create_task(net.sender.drain())
    await until(lambda: bool(there.asked))
    await net.owner.execute("select net.http_get($1)", f"{there.url}/later")
    net.sender.requests_queued()
    try:
        await until_rows(net.owner, "select exists (select from net._http_response where status_code = 200)")
        assert not draining.done()
    finally:
        draining.cancel()
        await asyncio.gather(draining, return_exceptions=True)
        await net.sender.leave(patience=0)


async def test_what_a_killed_server_had_on_its_way_is_told_and_not_sent_again(
    cluster: Cluster, address: DatabaseAddress, there: Loopback
) -> None:
    owner = cluster.url(address, "postgres")
    async with sending(address, owner) as net:
        await net.owner.execute("select net.http_get($1)", there.url)
        (request,) = await NetTables(net.leader).take(10)
    async with sending(address, owner) as net:
        await net.sender.drain()
        row = await net.owner.fetchrow("table net._http_response")
        assert (row["id"], row["error_msg"], row["status_code"]) == (request.id, "server restarted", None)
    assert there.asked == []


async def test_a_server_that_stops_lets_requests_arrive(net: Net, there: Loopback) -> None:
    await net.owner.execute("select net.http_get($1)", there.url)
    keeping = asyncio.create_task(net.sender.keep_sending())
    net.sender.requests_queued()
    await until(lambda: len(there.asked) == 1)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert await net.owner.fetchval("select status_code from net._http_response") == 200


async def test_answers_go_after_six_hours_or_what_the_developer_says(net: Net, there: Loopback) -> None:
    await net.ask("select net.http_get($1)", there.url)
    net.clock.advance(timedelta(hours=5, minutes=59))
    await net.sender.drain()
    assert await net.owner.fetchval("select count(*) from net._http_response") == 1
    net.clock.advance(timedelta(minutes=2))
    await net.sender.drain()
    assert await net.owner.fetchval("select count(*) from net._http_response") == 0
    await net.ask("select net.http_get($1)", there.url)
    tables = NetTables(net.leader)
    net.clock.advance(timedelta(minutes=2))
    assert await tables.expire(net.clock.now(), NetSettings(ttl="nonsense")) == 0
    assert await tables.expire(net.clock.now(), NetSettings(ttl="1 minute")) == 1


async def test_the_developers_settings_are_read(net: Net) -> None:
    name = await net.admin.fetchval("select current_database()")
    await net.admin.execute(f"alter database {name} set pg_net.batch_size = 7")
    await net.admin.execute(f"alter database {name} set pg_net.ttl = '1 hour'")
    assert await NetTables(net.leader).settings() == NetSettings(7, "1 hour")
    await net.admin.execute(f"alter database {name} set pg_net.batch_size = 'many'")
    assert (await NetTables(net.leader).settings()).batch == 200


async def test_in_production_private_places_are_refused(
    cluster: Cluster, address: DatabaseAddress, there: Loopback
) -> None:
    outgoing = PublicOutgoing(PublicAddresses(), HTTP_TOO)
    async with sending(address, cluster.url(address, "postgres"), outgoing) as net:
        for url, message in {
            there.url: "the URL cannot resolve to loopback addresses",
            "http://10.0.0.1/": "the URL cannot resolve to private network addresses",
            "http://169.254.169.254/latest/meta-data": "the URL cannot resolve to link-local addresses",
            "http://[::ffff:127.0.0.1]/": "the URL cannot resolve to loopback addresses",
            "http://localhost:1/": "the URL cannot resolve to loopback addresses",
        }.items():
            assert (await net.ask("select net.http_get($1)", url))["error_msg"] == message
    assert there.asked == []


async def test_in_production_our_own_functions_are_called_wherever_we_are_and_nothing_else_there(
    cluster: Cluster, address: DatabaseAddress, there: Loopback
) -> None:
    outgoing = PublicOutgoing(PublicAddresses(), HTTP_TOO, there.url)
    port = int(there.url.rpartition(":")[2])
    refused = "the URL cannot resolve to loopback addresses"
    elsewhere = Told(302, headers={"location": f"{there.url}/rest/v1/cars"})
    there.answer = lambda asked: elsewhere if asked.path.endswith("/away") else Told()
    async with sending(address, cluster.url(address, "postgres"), outgoing) as net:
        own = await net.ask("select net.http_post($1)", f"{there.url}/functions/v1/hello/deep?a=1")
        assert (own["status_code"], own["error_msg"]) == (200, None)
        for url in (
            f"{there.url}/rest/v1/cars",
            f"{there.url}/functions/v1/",
            f"{there.url}/functions/v1/../../rest/v1/cars",
            f"{there.url}/functions/v1/%2e%2e/%2e%2e/rest/v1/cars",
            f"{there.url}/functions/v1/hello/..%2f..%2frest",
            f"{there.url}/functions/v1/hello\\..\\x",
            f"{there.url}/functions/v1/away",
            f"http://localhost:{port}/functions/v1/hello",
            f"http://127.0.0.1:{port % 65535 + 1}/functions/v1/hello",
            f"http://somebody@127.0.0.1:{port}/functions/v1/hello",
            "http://127.0.0.1/functions/v1/hello",
        ):
            assert (await net.ask("select net.http_get($1)", url))["error_msg"] == refused, url
    assert [asked.path for asked in there.asked] == ["/functions/v1/hello/deep?a=1", "/functions/v1/away"]


async def test_whether_somebody_sends_can_be_asked(net: Net, cluster: Cluster, address: DatabaseAddress) -> None:
    await net.owner.execute("select net.check_worker_is_up(), net.wait_until_running()")
    await net.admin.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'minato pg_net'"
        " and datname = current_database()"
    )
    await net.leader.lost()
    await until_rows(net.admin, "select count(*) = 0 from pg_locks where classid = 1835626081 and objid = 19")
    with pytest.raises(asyncpg.RaiseError, match="the pg_net background worker is not up"):
        await net.owner.execute("select net.check_worker_is_up()")
