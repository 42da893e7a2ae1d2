"""Ctrl-C or SIGTERM at any moment ends the server quietly, and leaves no process behind."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from minato.cli.interrupts import heeded_interrupts
from minato.database.address import DatabaseAddress
from minato.postgres.address import running_address
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes
from minato.realtime.change_feed.replication import ReplicationConnection

from tests.support.command import ELSEWHERE, environment
from tests.support.processes import wait_until
from tests.support.starts import Started, started, watched

SENDERS = "select pid from pg_stat_activity where backend_type = 'walsender'"

Moment = Callable[[Started, Path], bool]
MOMENTS: dict[str, Moment] = {
    "initdb": lambda server, folder: (folder / "postgres.unfinished").exists(),
    "migrations": lambda server, folder: "Migrating the database" in server.err,
    "loading the demo data": lambda server, folder: "Loading the demo data" in server.err,
    "the announcement": lambda server, folder: "Minato is ready" in server.out,
}


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_is_quiet_at_every_step_of_a_first_start(
    tmp_path: Path, moment: str, sent: signal.Signals, status: int
) -> None:
    command = ("serve", "--port", "0", "--data-dir", str(tmp_path))
    with watched(command, ELSEWHERE, environment(), imports=moment == "initdb") as server:
        server.wait_for(lambda: MOMENTS[moment](server, tmp_path), moment)
        ended = server.end(sent)
    assert ended == (0 if moment == "the announcement" else status), server.err
    assert "Traceback" not in server.err
    assert "exception" not in server.err
    assert not cluster_processes(Layout(tmp_path).tag)


def test_ctrl_c_counts_where_an_import_swallows_it() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), heeded_interrupts():  # noqa: PT012
        with contextlib.suppress(BaseException):
            signal.raise_signal(signal.SIGINT)
        gone_on = True
    assert gone_on
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_while_the_change_feed_connects_anew_is_quiet(data_dir: Path) -> None:
    with started(data_dir, "--json", "--no-seed") as server:
        server.wait_for(lambda: "\n" in server.out, "the server is ready")
        postgres = running_address(Layout(data_dir))
        assert postgres is not None
        connection = psycopg2.connect(postgres.socket_url())
        with closing(connection), connection.cursor() as cursor:
            keep_the_feed_from_connecting(cursor)
            status = server.end(signal.SIGINT)
        assert status == 0
    for line in map(json.loads, server.err.splitlines()):
        assert "exception" not in line, line


def keep_the_feed_from_connecting(cursor: psycopg2.extensions.cursor) -> None:
    """A new slot waits for every transaction that has written, as this one has by then."""
    wait_until(lambda: bool(found(cursor, f"{SENDERS} and state = 'active'")), "the feed follows")
    (first,) = found(cursor, SENDERS)
    cursor.execute("create table public.written ()")
    cursor.execute("select pg_terminate_backend(%s, 5000)", (first,))
    waiting = f"{SENDERS} and pid <> {first} and query like 'CREATE_REPLICATION_SLOT%'"
    wait_until(lambda: bool(found(cursor, waiting)), "the feed waits for this transaction")


async def test_a_feed_that_is_given_up_while_it_connects_leaves_no_error_to_nobody(address: DatabaseAddress) -> None:
    loop, told = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: told.append(context["message"]))
    connection = psycopg2.connect(address.admin)
    try:
        with closing(connection), connection.cursor() as cursor:
            cursor.execute("create table public.written ()")
            feed = ReplicationConnection(address.admin, "given_up", ["supabase_realtime"], 10)
            opening = asyncio.create_task(feed.open())
            waiting = f"{SENDERS} and query like 'CREATE_REPLICATION_SLOT given_up%'"
            await asyncio.to_thread(wait_until, lambda: bool(found(cursor, waiting)), "the slot is waited for")
            opening.cancel()
            await asyncio.wait([opening])
        feed.close()
        del opening, feed
        gc.collect()
    finally:
        loop.set_exception_handler(None)
    assert told == [], "an exception that nobody took"


def found(cursor: psycopg2.extensions.cursor, query: str) -> list[int]:
    # In a transaction the view shows what it showed first, unless it is asked to look again.
    cursor.execute("select pg_stat_clear_snapshot()")
    cursor.execute(query)
    return [pid for (pid,) in cursor.fetchall()]
