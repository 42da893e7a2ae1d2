"""Background work survives what it raises; starts and stops are complete, whatever fails in them."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import asyncpg
import pytest
from minato import background, main
from minato.background import Supervisor
from minato.config import AuthSettings
from minato.database.address import DatabaseAddress
from minato.database.outage import Outage
from minato.database.wire.session import StatementError
from minato.host.host import Host
from minato.log import create_log
from minato.log_lines import LogLines
from minato.main import Application

from tests.integration.marketplace.cast import set_the_scene, sql
from tests.support.postgres import Cluster
from tests.support.server import JWT_SECRET, Minato, running, settings_for
from tests.support.waiting import PATIENCE

CONNECTIONS = "select count(*) from pg_stat_activity where datname = $1 and application_name like 'minato%'"
WRITE = "insert into messages (sender_id, receiver_id, content) values ({importer}, {agent}, 'Is it sold?')"
BREAK = "alter function private.next_mail() rename to right_mail"
WITH_MORE = "create function private.next_mail() returns jsonb language sql as $$ select '{\"more\": 1}'::jsonb $$"
END_SESSIONS = """
select pg_terminate_backend(pid, 5000) from pg_stat_activity
where usename = 'authenticator' and datname = current_database()
"""
MEND = "drop function private.next_mail(); alter function private.right_mail() rename to next_mail"


async def connections(cluster: Cluster, address: DatabaseAddress) -> int:
    db = await asyncpg.connect(cluster.address("postgres").admin)
    try:
        for _ in range(200):
            open_ones = int(await db.fetchval(CONNECTIONS, address.admin.rpartition("/")[2].partition("?")[0]))
            if open_ones == 0:
                return 0
            await asyncio.sleep(0.02)
        return open_ones
    finally:
        await db.close()


def application(address: DatabaseAddress, folder: Path) -> Application:
    return Host(2).create(settings_for(folder), address, "http://127.0.0.1", JWT_SECRET)


async def test_work_that_raises_is_logged_with_its_traceback_and_runs_again() -> None:
    written: list[bytes] = []
    lines = LogLines(written.append)
    again = asyncio.Event()
    runs: list[int] = []

    async def work() -> None:
        runs.append(len(runs))
        if len(runs) == 1:
            raise TypeError("an unexpected key")
        again.set()

    log = create_log(lines, as_json=True)
    task = asyncio.create_task(Supervisor(log, Outage(log)).repeat("some work", work, 0.01))
    await asyncio.wait_for(again.wait(), PATIENCE)
    task.cancel()
    lines.flush(5)
    assert b"some work failed" in b"".join(written)
    assert b"TypeError: an unexpected key" in b"".join(written)


@pytest.mark.parametrize(("sqlstate", "is_told"), [("57P01", False), ("57P02", False), ("42501", True)])
async def test_a_session_that_postgresql_ends_is_no_fault_of_the_work(sqlstate: str, is_told: bool) -> None:
    written: list[bytes] = []
    lines = LogLines(written.append)
    again = asyncio.Event()
    raised: list[Exception] = [StatementError({"C": sqlstate, "M": "an end"})]

    async def work() -> None:
        if raised:
            raise raised.pop()
        again.set()

    log = create_log(lines, as_json=True)
    outage = Outage(log)
    outage.lasts = True
    task = asyncio.create_task(Supervisor(log, outage).repeat("some work", work, 0.01))
    await asyncio.wait_for(again.wait(), PATIENCE)
    task.cancel()
    lines.flush(5)
    assert (b"some work failed" in b"".join(written)) == is_told


async def test_work_that_should_never_end_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "RESTART_SECONDS", 0.01)
    log = create_log(LogLines(lambda _: None), as_json=True)
    again, runs = asyncio.Event(), [RuntimeError("a wrong turn"), None]

    async def work() -> None:
        if error := runs.pop(0):
            raise error
        again.set()
        await asyncio.Event().wait()

    supervisor = Supervisor(log, Outage(log))
    task = supervisor.keep("endless work", work)
    await asyncio.wait_for(again.wait(), PATIENCE)
    await supervisor.close()
    assert task.cancelled()


async def test_a_part_that_never_stops_keeps_no_other_from_being_stopped(
    address: DatabaseAddress, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main, "PART_SECONDS", 0.2)
    app = application(address, tmp_path)

    async def never() -> None:
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait_for(stopped.wait(), PATIENCE)
                return

    stopped = asyncio.Event()
    await app.start()
    app._started.push_async_callback(app._end, "a part", never)
    await app.stop()
    assert await connections(cluster, address) == 0
    stopped.set()


async def test_a_job_that_met_a_queue_of_another_release_delivers_when_it_is_mended(own_minato: Minato) -> None:
    await set_the_scene(own_minato.db)
    await own_minato.application.jobs.stop()
    await own_minato.db.execute(BREAK)
    await own_minato.db.execute(WITH_MORE)
    await own_minato.db.execute("grant execute on function private.next_mail() to service_role")
    await own_minato.application.jobs.start()
    await own_minato.db.execute(MEND)
    await own_minato.db.execute(sql(WRITE))
    async with own_minato.client() as client:
        found = (await client.get("/_dev/outbox?to=agent@minato.example&type=message&wait=20")).json()
    assert len(found) == 1


class Stubborn:
    """A room that can't be stopped, or not even started."""

    def __init__(self, starts: bool) -> None:
        self._starts = starts

    async def app(self, *_: object) -> None:
        """Serves nothing."""

    async def start(self) -> None:
        if not self._starts:
            raise RuntimeError("this room does not start")

    async def stop(self) -> None:
        raise RuntimeError("this room does not stop")


async def test_stopping_closes_everything_although_a_room_raises(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path
) -> None:
    app = application(address, tmp_path)
    app.rooms["/stubborn/v1"] = Stubborn(starts=True)
    await app.start()
    await app.stop()
    assert await connections(cluster, address) == 0


async def test_a_start_that_fails_leaves_no_connection_behind(
    cluster: Cluster, address: DatabaseAddress, tmp_path: Path
) -> None:
    app = application(address, tmp_path)
    app.rooms["/stubborn/v1"] = Stubborn(starts=False)
    with pytest.raises(RuntimeError, match="does not start"):
        await app.start()
    assert await connections(cluster, address) == 0


async def test_readiness_is_about_the_sessions_that_serve(address: DatabaseAddress, tmp_path: Path) -> None:
    async with running(address, settings_for(tmp_path, auth=AuthSettings())) as minato, minato.client() as client:
        pool = minato.backend.database.sessions
        assert (await client.get("/readyz")).status_code == 200
        taken = [await pool.acquire(5) for _ in range(pool.size)]
        assert (await client.get("/readyz")).status_code == 503
        for session in taken:
            pool.release(session)
        assert (await client.get("/readyz")).status_code == 200


async def test_without_a_schema_cache_a_server_is_not_ready(own_minato: Minato) -> None:
    keeper = own_minato.application.rooms["/rest/v1"].keeper  # type: ignore[attr-defined]
    async with own_minato.client() as client:
        loaded, keeper._cache = keeper._cache, None
        assert (await client.get("/readyz")).status_code == 503
        keeper._cache = loaded
        assert (await client.get("/readyz")).status_code == 200


async def test_a_server_that_may_not_log_in_is_not_ready_until_it_may_again(own_minato: Minato) -> None:
    db = own_minato.db
    name = await db.fetchval("select current_database()")
    async with own_minato.client() as client:
        await db.execute(f"revoke connect on database {name} from public")
        await db.execute(END_SESSIONS)
        assert (await client.get("/readyz")).status_code == 503
        await db.execute(f"grant connect on database {name} to public")
        assert (await client.get("/readyz")).status_code == 200
