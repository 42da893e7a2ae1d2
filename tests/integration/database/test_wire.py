"""The one-flush sessions: one transaction, errors with all fields, nothing left for the next caller."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import suppress

import asyncpg
import pytest
from minato.database.wire import session as session_module
from minato.database.wire.cleaning import RESET, RESET_DONE
from minato.database.wire.messages import BINARY, formats
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command, ConnectionLost, Session, StatementError
from minato.database.wire.turns import PATIENCE, Turns, turns_at

from tests.support.postgres import Cluster

LOCKS = "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"
SETTING = "select current_setting('app.secret', true)"


@pytest.fixture(scope="module")
async def dsn(cluster: Cluster) -> AsyncIterator[str]:
    async with cluster.fresh_database() as address:
        connection = await asyncpg.connect(address.admin)
        await connection.execute("create table kept (id int primary key, late int references kept deferrable)")
        await connection.execute("alter table kept alter constraint kept_late_fkey initially deferred")
        await connection.close()
        yield address.admin


@pytest.fixture
async def session(dsn: str) -> AsyncIterator[Session]:
    opened = await connect(dsn)
    yield opened
    opened.abort()


async def connect(dsn: str) -> Session:
    return Session(await asyncpg.connect(dsn))


async def value(session: Session, text: str, *values: str) -> bytes | None:
    return (await session.run([Command(text, values)]))[0][0][0]


async def test_commands_of_one_run_are_one_transaction(session: Session) -> None:
    results = await session.run([Command("select set_config('app.secret', $1, true)", ["x"]), Command(SETTING)])
    assert results[1] == [[b"x"]]
    assert await value(session, SETTING) == b""


async def test_an_error_undoes_what_came_before_it(session: Session) -> None:
    with pytest.raises(StatementError):
        await session.run([Command("insert into kept (id) values (1)"), Command("select 1/0")])
    assert await value(session, "select count(*) from kept") == b"0"


async def test_what_was_attempted_is_answered_and_leaves_nothing_behind(session: Session) -> None:
    commands = [Command("insert into kept (id) values ($1) returning id", ["7"])]
    assert await session.attempt(commands) == [[[b"7"]]]
    assert await value(session, "select count(*) from kept where id = 7") == b"0"
    with pytest.raises(StatementError):
        await session.attempt([Command("select set_config('app.secret', 'x', false)"), Command("select 1/0")])
    assert await value(session, SETTING) in (None, b"")


async def test_an_attempt_survives_that_prepared_statements_were_forgotten(session: Session) -> None:
    for _ in range(2):
        assert await session.attempt([Command("select 1")]) == [[[b"1"]]]
        await session.run([Command("deallocate all")])


async def test_what_a_savepoint_took_back_is_gone_and_the_rest_of_its_transaction_committed(session: Session) -> None:
    insert = "insert into kept (id) values ($1) returning id"
    commands = [Command("savepoint tried"), Command(insert, ["41"]), Command("rollback to savepoint tried")]
    assert (await session.run_begun([*commands, Command(insert, ["42"])]))[-1] == [[b"42"]]
    assert await session.run([Command("delete from kept where id in (41, 42) returning id")]) == [[[b"42"]]]


@pytest.mark.parametrize(
    ("fails", "sqlstate"), [("select 1/0", "22012"), ("insert into kept values (44, 99)", "23503")]
)
async def test_a_begun_transaction_that_fails_leaves_nothing_behind(
    session: Session, fails: str, sqlstate: str
) -> None:
    """Be it at once or at its commit."""
    commands = [Command("insert into kept (id) values (43)"), Command("select set_config('app.secret', 'x', false)")]
    with pytest.raises(StatementError) as raised:
        await session.run_begun([*commands, Command(fails)])
    assert raised.value.sqlstate == sqlstate
    # What could not be cleaned serves nobody.
    assert session.closed is (sqlstate == "23503")
    if not session.closed:
        assert await value(session, SETTING) in (None, b"")
        assert await value(session, "select count(*) from kept where id = 43") == b"0"


async def test_a_begun_transaction_survives_that_prepared_statements_were_forgotten(session: Session) -> None:
    for _ in range(2):
        assert await session.run_begun([Command("select 1")]) == [[[b"1"]]]
        await session.run([Command("deallocate all")])


async def test_an_error_has_all_its_fields(session: Session) -> None:
    raising = "do $$ begin raise 'no' using errcode = 'P0042', detail = 'why', hint = 'how'; end $$"
    with pytest.raises(StatementError) as raised:
        await session.run([Command(raising)])
    fields = raised.value.fields
    assert (raised.value.sqlstate, fields["M"], fields["D"], fields["H"]) == ("P0042", "no", "why", "how")


async def test_a_constraint_that_fails_at_commit_is_an_error(session: Session) -> None:
    with pytest.raises(StatementError) as raised:
        await session.run([Command("insert into kept values (2, 99) returning id")])
    assert raised.value.sqlstate == "23503"
    assert await value(session, "select count(*) from kept") == b"0"


@pytest.mark.parametrize("fails", ["select 1", "select 1/0"])
@pytest.mark.parametrize(
    ("leaves", "seen", "clean"),
    [
        ("select set_config('app.secret', 'mine', false)", SETTING, (b"", None)),
        ("set role anon", "select current_user = session_user", (b"t",)),
        ("select set_config('search_path', 'auth', false)", "select current_setting('search_path') = 'auth'", (b"f",)),
        ("set transaction_read_only = on", "select current_setting('transaction_read_only')", (b"off",)),
        ("listen gossip", "select count(*) from pg_listening_channels()", (b"0",)),
        ("create temp table pg_temp_left (id int)", "select to_regclass('pg_temp_left')", (None,)),
        ("declare left_open cursor with hold for select 1", "select count(*) from pg_cursors", (b"0",)),
        ("select pg_advisory_lock(9)", LOCKS, (b"0",)),
    ],
)
async def test_nothing_is_left_for_the_next_caller(
    session: Session, leaves: str, seen: str, clean: tuple[bytes | None, ...], fails: str
) -> None:
    with suppress(StatementError):
        await session.run([Command(leaves), Command(fails)])
    # The cursor that runs this query is the one it sees.
    assert await value(session, seen) in (clean if "cursors" not in seen else (b"0", b"1"))


async def test_a_statement_is_prepared_once_for_each_scope(session: Session) -> None:
    for scope in ("anon", "anon", "authenticated"):
        await session.run([Command("select 41 + $1::int", ["1"], scope)])
    prepared = "select count(*) from pg_prepared_statements where statement like 'select 41%'"
    assert await value(session, prepared) == b"2"


async def test_the_number_of_prepared_statements_is_bounded(session: Session) -> None:
    for number in range(520):
        await session.run([Command(f"select {number}")])
    held = await value(session, "select count(*) from pg_prepared_statements")
    assert held is not None
    assert int(held) <= 501


async def test_statements_that_sql_code_deallocated_are_prepared_again(session: Session) -> None:
    assert await value(session, "select 7") == b"7"
    await session.run([Command("do $$ begin execute 'deallocate all'; end $$")])
    assert await value(session, "select 7") == b"7"


async def test_a_statement_that_failed_to_prepare_can_be_tried_again(session: Session) -> None:
    for _ in range(2):
        with pytest.raises(StatementError) as raised:
            await session.run([Command("select * from nowhere")])
        assert raised.value.sqlstate == "42P01"


async def test_a_large_row_in_many_pieces_arrives_whole(session: Session) -> None:
    command = Command("select convert_to(repeat('ab', 4000000), 'UTF8')", formats=formats(BINARY))
    (((body,),),) = await session.run([command])
    assert body == b"ab" * 4_000_000


async def test_text_bytes_and_null_go_in_and_out(session: Session) -> None:
    command = Command("select $1::text, $2::bytea, $3::text", ["é\n", b"\x00\xff", None], formats=formats(BINARY))
    assert await session.run([command]) == [[["é\n".encode(), b"\x00\xff", None]]]


async def test_a_connection_that_is_cut_is_an_error_and_the_pool_opens_another(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 1)
    session = await pool.acquire(5)
    with pytest.raises((ConnectionLost, StatementError)):
        await session.run([Command("select pg_terminate_backend(pg_backend_pid())"), Command("select 1")])
    pool.release(session)
    another = await pool.acquire(5)
    assert await value(another, "select 1") == b"1"
    pool.release(another)
    await pool.close()


async def test_who_finds_no_free_session_waits_for_one(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 1)
    first = await pool.acquire(5)
    waiting = asyncio.create_task(pool.acquire(5))
    with pytest.raises(TimeoutError):
        await pool.acquire(0.01)
    pool.release(first)
    assert await waiting is first
    pool.release(first)
    await pool.close()


class SwallowingProxy:
    """Before the PostgreSQL at `port`: hands on what comes until it `is_silent`, then hands on nothing."""

    def __init__(self, port: int) -> None:
        self.is_silent = False
        self._port = port

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            await asyncio.gather(self._hand_on(reader, there[1]), self._hand_on(there[0], writer))
        finally:
            there[1].close()
            writer.close()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            if not self.is_silent:
                writer.write(data)
        writer.close()


async def test_who_leaves_a_server_that_says_nothing_any_more_gives_the_place_back(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "CANCEL_SECONDS", 0.1)
    straight = cluster.postgres.tcp_url()
    proxy = SwallowingProxy(cluster.postgres.port)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        pool = SessionPool(lambda: connect(straight.replace(f":{cluster.postgres.port}/", f":{port}/")), 1)
        leaving = await pool.acquire(5)
        proxy.is_silent = True
        pool.discard(leaving)
        with pytest.raises(TimeoutError):
            await pool.acquire(0.2)
        proxy.is_silent = False
        async with pool.lent(5) as session:
            assert await value(session, "select 1") == b"1"
        await pool.close()


async def test_a_waiter_that_gives_up_loses_no_session(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 1)
    first = await pool.acquire(5)
    waiting = asyncio.create_task(pool.acquire(5))
    await asyncio.sleep(0)
    pool.release(first)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert await pool.acquire(1) is first
    pool.release(first)
    await pool.close()


async def test_a_pool_under_load_lets_no_session_live_longer_than_its_time(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 1, max_lifetime=0)
    first = await pool.acquire(5)
    waiting = asyncio.create_task(pool.acquire(5))
    await asyncio.sleep(0)
    pool.release(first)
    second = await waiting
    assert first.closed
    assert await value(second, "select 1") == b"1"
    pool.release(second)
    await pool.close()


async def test_a_session_that_is_given_back_stays_however_slowly_time_is_read(
    dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time goes on between two looks at it, here by more than a session may wait unused."""
    seconds = itertools.count(step=1)
    monkeypatch.setattr(Session, "now", property(lambda _: float(next(seconds))))
    pool = SessionPool(lambda: connect(dsn), 1, max_lifetime=1e9, max_idle=0.01)
    pool.release(await pool.acquire(5))
    assert pool.idle == 1
    again = await pool.acquire(5)
    assert await value(again, "select 1") == b"1"
    pool.release(again)
    await pool.close()


async def test_a_session_works_only_when_its_turn_has_come(session: Session) -> None:
    turns = Turns(1)
    turns.begin(session)
    assert turns.full
    turns.pass_over_slow(0.0)
    assert turns.full
    turns.end(session)
    assert not turns.full


async def test_a_slow_statement_gives_its_turn_away(session: Session) -> None:
    turns = Turns(1)
    turns.begin(session)
    turns.pass_over_slow(session.now + 2 * PATIENCE)
    assert not turns.full


async def test_a_slow_statement_keeps_nobody_waiting_for_a_turn(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 3, turns=1)
    held = [await pool.acquire(5, in_turn=True) for _ in range(3)]
    assert len(set(held)) == 3
    with pytest.raises(TimeoutError):
        await pool.acquire(0.05, in_turn=True)
    for each in held:
        pool.release(each)
    await pool.close()


async def test_who_comes_after_a_slow_statement_began_does_not_wait_at_all(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 2, turns=1)
    quick, slow = await pool.acquire(5, in_turn=True), await pool.acquire(5, in_turn=True)
    pool.release(quick)
    await slow.run([Command(f"select pg_sleep({2 * PATIENCE})")])
    with pytest.raises(StopIteration) as returned:
        pool.acquire(5, in_turn=True).send(None)
    assert returned.value.value is quick
    pool.release(quick)
    pool.release(slow)
    await pool.close()


async def test_sessions_that_come_back_during_a_slow_statement_serve_those_who_wait(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 2, turns=1)
    slow, quick = await pool.acquire(5, in_turn=True), await pool.acquire(5, in_turn=True)
    waiting = [asyncio.create_task(pool.acquire(5, in_turn=True)) for _ in range(3)]
    await asyncio.sleep(0)
    pool.release(quick)
    for task in waiting:
        assert await task is quick
        pool.release(quick)
    pool.release(slow)
    await pool.close()


async def test_what_waits_for_the_disk_needs_no_turn(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 3, turns=1)
    reading = await pool.acquire(5, in_turn=True)
    writing = [await pool.acquire(5) for _ in range(2)]
    waiting = asyncio.create_task(pool.acquire(5))
    await asyncio.sleep(0)
    pool.release(writing[0])
    await asyncio.sleep(0)
    assert waiting.done()
    assert waiting.result() is writing[0]
    for session in (reading, *writing):
        pool.release(session)
    await pool.close()


async def test_who_waits_while_the_pool_closes_is_sent_away_in_time(dsn: str) -> None:
    pool = SessionPool(lambda: connect(dsn), 1)
    held = await pool.acquire(5)
    waiting = asyncio.create_task(pool.acquire(0.02))
    await asyncio.sleep(0)
    await pool.close()
    await asyncio.wait([waiting], timeout=90)
    assert waiting.done()
    assert isinstance(waiting.exception(), TimeoutError)
    pool.release(held)


async def test_postgresql_answers_a_reset_as_expected(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    class Collecting(asyncio.Protocol):
        received = b""

        def data_received(self, data: bytes) -> None:
            self.received += data
            if self.received.endswith(RESET_DONE[-6:]) and not answer.done():
                answer.set_result(self.received)

    connection._transport.set_protocol(Collecting())
    connection._transport.write(RESET)
    assert await asyncio.wait_for(answer, 90) == RESET_DONE
    connection.terminate()


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("postgresql:///postgres?host=/run/postgresql", True),
        ("postgresql://authenticator@127.0.0.1:5432/postgres", True),
        ("postgresql://authenticator@[::1]/postgres", True),
        ("postgresql://authenticator@elsewhere.example/postgres", False),
    ],
)
def test_only_a_database_on_this_machine_shares_its_processors(url: str, here: bool) -> None:
    many = 10_000
    assert turns_at(url, many, 3) == (6 if here else many)
    assert turns_at(url, 1, 3) == 1
