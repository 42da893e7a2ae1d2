"""Reads on a real streaming replica, which is made to lag, to refuse and to die."""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from minato.config.database import DatabaseSettings
from minato.database.address import DatabaseAddress
from minato.database.replica import following
from minato.database.replica import replica as replica_module
from minato.database.replica.position import UNKNOWN, parsed
from minato.database.replica.replica import Replica
from minato.database.wire.session import Command, Session
from pydantic import SecretStr

from tests.support.postgres import Cluster
from tests.support.replica import StreamingReplica, streaming_replica
from tests.support.schema_cache import known
from tests.support.server import Minato, running, settings_for
from tests.support.waiting import PATIENCE, until

SCHEMA = """
    create table public.notes (id serial primary key, author uuid default auth.uid(), body text);
    alter table public.notes enable row level security;
    create policy own on public.notes to authenticated using (author = auth.uid());
    create policy told on public.notes for insert to anon with check (author is null);
    create policy seen on public.notes for select to anon using (author is null);
    create function public.here() returns boolean stable language sql as 'select pg_is_in_recovery()';
    create function public.here_volatile() returns boolean language sql as 'select pg_is_in_recovery()';
    create function public.who() returns json stable language sql
        as $$ select json_build_object('role', current_user, 'sub', auth.uid(), 'lock', current_setting('lock_timeout'),
                                       'writes', current_setting('transaction_read_only')) $$;
    create function public.stay(name text, value text) returns text stable language sql
        as 'select set_config(name, value, false)';
    create function public.assigned() returns text stable language sql as 'select pg_current_xact_id()::text';
    notify pgrst, 'reload schema';
"""
BINARIES = DatabaseSettings.of(os.environ).postgres_bin


@pytest.fixture(scope="module")
async def standby(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[StreamingReplica]:
    async with streaming_replica(cluster, tmp_path_factory.mktemp("replica") / "data", BINARIES) as replica:
        yield replica


@pytest.fixture
async def own_standby(cluster: Cluster, tmp_path: Path) -> AsyncIterator[StreamingReplica]:
    async with streaming_replica(cluster, tmp_path / "replica", BINARIES) as replica:
        yield replica


@asynccontextmanager
async def served(
    address: DatabaseAddress, standby: StreamingReplica, folder: Path, schema: str = SCHEMA, **options: Any
) -> AsyncIterator[Minato]:
    """A server that reads at `standby`, which has the tables; it may lag for as long as the test likes."""
    options = {"replica_lag": 3600.0, "replica_wait": 0.05, **options}
    settings = settings_for(folder, database=DatabaseSettings(read_url=SecretStr(standby.url(address)), **options))
    async with running(address, settings) as minato:
        await known(minato, schema)
        await caught_up(minato)
        yield minato


@pytest.fixture
async def club(address: DatabaseAddress, standby: StreamingReplica, tmp_path: Path) -> AsyncIterator[Minato]:
    async with served(address, standby, tmp_path / "club") as minato:
        yield minato
        await standby.resume()


def replica_of(minato: Minato) -> Replica:
    assert minato.backend.database.replica is not None
    return minato.backend.database.replica


async def caught_up(minato: Minato) -> None:
    """Return once reads without writes of one's own go to the replica."""
    replica = replica_of(minato)
    await until(lambda: replica.unused is None and not replica.renewing and replica.replayed >= replica.floor)


def database_of(address: DatabaseAddress) -> str:
    return address.admin.rpartition("/")[2].partition("?")[0]


async def until_tells(standby: StreamingReplica, statement: str) -> None:
    """Return as soon as `statement` tells true there."""
    async with asyncio.timeout(PATIENCE):
        while not await standby.run(statement):
            pass


async def read_there(minato: Minato, token: str | None = None) -> bool:
    """Whether this caller's reads are the replica's now."""
    async with minato.client(token) as client:
        there: bool = (await client.get("/rest/v1/rpc/here")).json()
        return there


def somebody() -> str:
    return str(uuid.uuid4())


async def test_reads_go_to_the_replica_and_writes_do_not(club: Minato) -> None:
    async with club.client() as client:
        assert (await client.get("/rest/v1/rpc/here")).json() is True
        assert (await client.head("/rest/v1/notes")).status_code == 200
        assert (await client.post("/rest/v1/notes", json={"body": "a"})).status_code == 201
        assert (await client.post("/rest/v1/rpc/here")).json() is False
    assert replica_of(club).served["replica"] == 2


async def test_who_wrote_reads_it_at_once_and_others_may_read_the_past(club: Minato, standby: StreamingReplica) -> None:
    author = club.token(somebody())
    await standby.pause()
    async with club.client(author) as client, club.client(club.token(somebody())) as other:
        for number in range(10):
            await client.post("/rest/v1/notes", json={"body": str(number)})
            assert len((await client.get("/rest/v1/notes?select=id")).json()) == number + 1
        assert (await client.get("/rest/v1/rpc/here")).json() is False
        assert (await other.get("/rest/v1/rpc/here")).json() is True
    await standby.resume()
    await until(lambda: replica_of(club).lag == 0)
    async with club.client(author) as client:
        assert len((await client.get("/rest/v1/notes?select=id")).json()) == 10
        assert (await client.get("/rest/v1/rpc/here")).json() is True


async def test_who_leaves_behind_the_commit_and_comes_back_reads_what_was_written(
    club: Minato, standby: StreamingReplica, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, subject = asyncio.Event(), somebody()

    async def never(*_: object) -> int:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    await standby.pause()
    monkeypatch.setattr(replica_module, "newest", never)
    async with club.client(club.token(subject)) as client:
        writing = asyncio.create_task(client.post("/rest/v1/notes", json={"body": "a"}))
        await asked.wait()
        writing.cancel()
    async with asyncio.timeout(PATIENCE):
        written = replica_of(club).written
        while await written.wanted(f"authenticated {subject}") != UNKNOWN:  # noqa: ASYNC110 - it rings no bell
            await asyncio.sleep(0.005)
    async with club.client(club.token(subject)) as client:
        assert (await client.get("/rest/v1/notes?select=body")).json() == [{"body": "a"}]


async def test_who_is_nobody_in_particular_sees_what_all_such_wrote(club: Minato, standby: StreamingReplica) -> None:
    await standby.pause()
    async with club.client() as one, club.client() as other:
        await one.post("/rest/v1/notes", json={"body": "by anybody"})
        assert (await other.get("/rest/v1/notes?select=body")).json() == [{"body": "by anybody"}]


async def test_a_reader_waits_for_a_replica_that_is_only_a_moment_behind(
    address: DatabaseAddress, standby: StreamingReplica, tmp_path: Path
) -> None:
    async with served(address, standby, tmp_path, replica_wait=60.0) as minato:
        await standby.pause()
        async with minato.client(minato.token(somebody())) as client:
            await client.post("/rest/v1/notes", json={"body": "a"})
            reading = asyncio.create_task(client.get("/rest/v1/rpc/here"))
            await until(lambda: replica_of(minato).is_waited_for)
            await standby.resume()
            assert (await reading).json() is True


async def test_a_new_account_finds_at_once_what_signing_up_made(club: Minato, standby: StreamingReplica) -> None:
    await club.db.execute("""
        create function public.noted() returns trigger language plpgsql security definer set search_path = ''
            as $$ begin insert into public.notes (author, body) values (new.id, 'welcome'); return new; end $$;
        create trigger noted after insert on auth.users for each row execute function public.noted();
    """)
    await caught_up(club)
    await standby.pause()
    async with club.client(club.service_role_key) as client:
        told = await client.post("/auth/v1/admin/users", json={"email": "new@example.com", "password": "long enough 1"})
    async with club.client(club.token(told.json()["id"])) as client:
        assert (await client.get("/rest/v1/notes?select=body")).json() == [{"body": "welcome"}]


async def test_what_storage_wrote_is_found_at_once(club: Minato, standby: StreamingReplica) -> None:
    await club.db.execute("""
        create view public.files as select name from storage.objects;
        grant select on public.files to service_role;
    """)
    async with club.client(club.service_role_key) as client:
        await client.post("/storage/v1/bucket", json={"name": "papers", "id": "papers"})
        await until(lambda: replica_of(club).unused is None)
        await standby.pause()
        assert (await client.post("/storage/v1/object/papers/a.txt", content=b"a")).status_code == 200
        assert (await client.get("/rest/v1/files")).json() == [{"name": "a.txt"}]


async def test_volatile_functions_never_run_there(club: Minato) -> None:
    async with club.client() as client:
        assert (await client.get("/rest/v1/rpc/here_volatile")).json() is False


async def test_the_replica_knows_its_caller_and_forgets_the_one_before(
    address: DatabaseAddress, standby: StreamingReplica, tmp_path: Path
) -> None:
    async with served(address, standby, tmp_path, pool_size=1) as minato:
        subject = somebody()
        async with minato.client(minato.token(subject)) as client, minato.client() as other:
            for name, value in (("role", "service_role"), ("lock_timeout", "77s"), ("request.jwt.claims", "{}")):
                await client.get("/rest/v1/rpc/stay", params={"name": name, "value": value})
            told = (await client.get("/rest/v1/rpc/who")).json()
            assert told == {"role": "authenticated", "sub": subject, "lock": "8s", "writes": "on"}
            assert (await other.get("/rest/v1/rpc/who")).json() == {**told, "role": "anon", "sub": None}
        logins = (
            "select string_agg(distinct usename, ',') from pg_stat_activity where application_name = 'minato replica'"
        )
        assert await standby.run(logins) == "authenticator"


async def test_an_error_is_never_the_replicas(club: Minato, standby: StreamingReplica) -> None:
    async with club.client() as client:
        assert (await client.get("/rest/v1/rpc/assigned")).status_code == 200
        assert replica_of(club).served["refused"] == 1
        refused = await client.get("/rest/v1/notes?id=eq.x")
        assert (refused.status_code, refused.json()["code"]) == (400, "22P02")


async def test_a_migration_that_the_replica_lacks_is_read_at_once(club: Minato, standby: StreamingReplica) -> None:
    await standby.pause()
    await club.db.execute("alter table public.notes add column mood text; notify pgrst, 'reload schema'")
    async with club.client(club.token(somebody())) as client:
        async with asyncio.timeout(60):
            while (answer := await client.get("/rest/v1/notes?select=mood")).status_code != 200:
                assert answer.json()["code"] == "42703", answer.text
    replica = replica_of(club)
    await until(lambda: not replica.renewing and replica.floor > replica.replayed)
    assert await read_there(club) is False


async def test_preferences_and_plans_are_answered_as_before(club: Minato) -> None:
    async with club.client() as client:
        counted = await client.get("/rest/v1/notes", headers={"prefer": "count=exact"})
        assert (counted.status_code, counted.headers["content-range"]) == (200, "*/0")
        single = await client.get("/rest/v1/notes", headers={"accept": "application/vnd.pgrst.object+json"})
        assert (single.status_code, single.json()["code"]) == (406, "PGRST116")


async def test_a_replica_too_far_behind_is_left_until_it_has_caught_up(
    address: DatabaseAddress, standby: StreamingReplica, tmp_path: Path
) -> None:
    async with served(address, standby, tmp_path, replica_lag=0.1) as minato:
        await standby.pause()
        async with minato.client(minato.token(somebody())) as client:
            await client.post("/rest/v1/notes", json={"body": "a"})
        await until(lambda: replica_of(minato).unused == "it is too far behind")
        assert await read_there(minato) is False
        await standby.resume()
        await until(lambda: replica_of(minato).unused is None)
        assert await read_there(minato) is True


async def test_a_replica_killed_under_load_fails_no_request(
    address: DatabaseAddress, own_standby: StreamingReplica, tmp_path: Path
) -> None:
    async with served(address, own_standby, tmp_path / "served") as minato, minato.client() as client:
        answers: list[int] = []
        ended = asyncio.Event()

        async def reading() -> None:
            while not ended.is_set():
                answers.append((await client.get("/rest/v1/notes?select=id")).status_code)

        readers = [asyncio.create_task(reading()) for _ in range(8)]
        served_by = replica_of(minato).served
        await until(lambda: served_by["replica"] > 100)
        os.kill(own_standby.processes[0], signal.SIGQUIT)
        await until(lambda: served_by["refused"] + served_by["not used"] > 0)
        before = served_by["replica"]
        # Its supervisor begins it again, and it is found again.
        await until(lambda: served_by["replica"] > before + 100)
        ended.set()
        await asyncio.gather(*readers)
        assert set(answers) == {200}
        assert 'minato_replica_reads_total{by="replica"}' in (await client.get("/metrics")).text


LONG_READ = """
    create function public.long_read() returns boolean stable language plpgsql as $$ begin
        perform count(*) from public.notes;
        if pg_is_in_recovery() then perform pg_sleep(600); end if;
        return pg_is_in_recovery();
    end $$;
    alter function public.long_read() set statement_timeout = 0;
    notify pgrst, 'reload schema';
"""
IN_ITS_WAY = {
    "confl_snapshot": "delete from public.notes; vacuum (truncate false) public.notes",
    "confl_lock": "alter table public.notes alter body set not null",
}


@pytest.mark.parametrize("conflict", IN_ITS_WAY)
async def test_a_read_that_the_replica_cancels_to_go_on_itself_is_the_primarys(
    conflict: str, cluster: Cluster, address: DatabaseAddress, tmp_path: Path
) -> None:
    at_once = "max_standby_streaming_delay = 0"
    async with (
        streaming_replica(cluster, tmp_path / "replica", BINARIES, at_once) as standby,
        served(address, standby, tmp_path / "served", schema=SCHEMA + LONG_READ) as minato,
        minato.client() as client,
    ):
        cancelled = f"select {conflict} from pg_stat_database_conflicts where datname = '{database_of(address)}'"
        await minato.db.execute("insert into public.notes (body) values ('a')")
        await caught_up(minato)
        reading = asyncio.create_task(client.get("/rest/v1/rpc/long_read"))
        await until_tells(standby, "select exists (select from pg_stat_activity where wait_event = 'PgSleep')")
        # A row that some session of the primary may still see is not vacuumed, so perhaps once more.
        while not reading.done():
            for statement in IN_ITS_WAY[conflict].split("; "):
                await minato.db.execute(statement)
        answer = await reading
        assert (answer.status_code, answer.json()) == (200, False)
        assert replica_of(minato).served["refused"] == 1
        await until_tells(standby, f"select ({cancelled}) = 1")


async def test_a_replica_that_says_nothing_any_more_is_left(
    address: DatabaseAddress, own_standby: StreamingReplica, tmp_path: Path
) -> None:
    async with served(address, own_standby, tmp_path / "served") as minato:
        processes = own_standby.processes
        try:
            signal_all(processes, signal.SIGSTOP)
            assert await read_there(minato) is False
        finally:
            signal_all(processes, signal.SIGCONT)


async def test_a_replica_is_watched_on_while_the_primary_says_nothing(
    club: Minato, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PATIENCE", 0.5)
    sessions = "select pid from pg_stat_activity where datname = current_database() and application_name = 'minato'"
    backends = [each["pid"] for each in await club.db.fetch(sessions)]
    assert backends
    signal_all(backends, signal.SIGSTOP)
    try:
        before = await club.db.fetchval("select pg_current_wal_insert_lsn()::text")
        await club.db.execute("create table public.later ()")
        await until(lambda: replica_of(club).replayed > parsed(1, before))
    finally:
        signal_all(backends, signal.SIGCONT)


def signal_all(processes: list[int], number: signal.Signals) -> None:
    for process in processes:
        os.kill(process, number)


async def test_a_promoted_replica_is_asked_no_more(
    address: DatabaseAddress, own_standby: StreamingReplica, tmp_path: Path
) -> None:
    async with served(address, own_standby, tmp_path / "served") as minato:
        await own_standby.promote()
        assert await read_there(minato) is False
        await until(lambda: replica_of(minato).unused == "it is no replica any more")


async def test_a_replica_of_another_database_is_never_asked(
    address: DatabaseAddress, standby: StreamingReplica, tmp_path: Path
) -> None:
    url = SecretStr(standby.at.socket_url(database="postgres"))
    async with running(address, settings_for(tmp_path, database=DatabaseSettings(read_url=url))) as minato:
        await until(lambda: replica_of(minato).unused == "it is a replica of another database")


@pytest.mark.parametrize(("journal", "commands"), [(False, [2, 2]), (True, [2, 3])], ids=["plain", "with a journal"])
async def test_without_a_replica_a_read_and_a_write_are_one_flush_each(
    own_minato: Minato, monkeypatch: pytest.MonkeyPatch, journal: bool, commands: list[int]
) -> None:
    # What a journal is kept for asks for its transaction's id in the same flush, and a read for nothing.
    own_minato.backend.database.causes.on = journal
    await known(own_minato, SCHEMA)
    runs: list[list[Command]] = []
    run = Session.run

    async def counted(session: Session, commands: list[Command], *options: Any, **named: Any) -> Any:
        runs.append(commands)
        return await run(session, commands, *options, **named)

    monkeypatch.setattr(Session, "run", counted)
    async with own_minato.client() as client:
        await client.get("/rest/v1/notes")
        await client.post("/rest/v1/notes", json={"body": "a"})
    # A reload of the catalog, which further notifications of the schema ask for, is no request's.
    requests = [sent for sent in runs if any('"notes"' in command.text for command in sent)]
    assert [len(sent) for sent in requests] == commands
    assert own_minato.backend.database.replica is None
