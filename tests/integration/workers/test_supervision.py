"""`minato serve --workers`: one port, processes that are replaced, renewed and ended, and no request that notices."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from minato.postgres.layout import Layout
from minato.postgres.leftovers import cluster_processes

from tests.integration.realtime.phoenix import phoenix
from tests.support.command import Served, environment, run_minato, served
from tests.support.crew import Crew
from tests.support.processes import wait_until
from tests.support.starts import Started, watched
from tests.support.waiting import PATIENCE, until

ROWS = "/rest/v1/board"


@contextmanager
def watched_crew(data_dir: Path, folder: Path, **settings: str) -> Iterator[tuple[Crew, Started]]:
    """Two workers, ready, whose log is read; their `.env` lies in `folder`."""
    given = ("serve", "--port", "0", "--json", "--no-seed", "--workers", "2", "--data-dir", str(data_dir))
    with watched(given, folder, environment(**settings)) as running:
        running.wait_for(lambda: running.out.endswith("\n"), "the line that says it is ready")
        yield Crew(Served(json.loads(running.out), running.process)), running


def client(crew: Crew) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=crew.url, headers=crew.headers(), timeout=PATIENCE)


def are_gone(pids: list[int]) -> Callable[[], bool]:
    def gone() -> bool:
        return not any(psutil.pid_exists(pid) for pid in pids)

    return gone


async def test_every_worker_answers_on_the_one_port_and_the_parent_announces_it_once(crew: Crew) -> None:
    assert crew.server.info["pid"] == crew.server.process.pid
    assert len(crew.workers()) == 2
    for worker in crew.workers():
        with crew.only(worker):
            async with client(crew) as http:
                assert (await http.get("/readyz")).status_code == 200


async def test_one_worker_is_the_process_that_was_started_and_no_other(data_dir: Path) -> None:
    with served(data_dir, "--workers", "1") as server:
        assert Crew(server).processes() == []


async def test_a_killed_worker_is_replaced_and_no_answered_write_is_lost(own_crew: Crew) -> None:
    crew, written = own_crew, set[str]()
    victim, other = crew.workers()
    async with client(crew) as http, asyncio.TaskGroup() as writers:

        async def write(name: int) -> None:
            for number in range(40):
                body = f"{name}-{number}"
                try:
                    answer = await http.post(ROWS, json={"body": body})
                except httpx.TransportError:
                    continue  # it was never answered
                if answer.status_code == 201:
                    written.add(body)
                if name == number == 3:
                    os.kill(victim, signal.SIGKILL)

        for name in range(8):
            writers.create_task(write(name))
    wait_until(lambda: len(set(crew.workers()) - {victim}) == 2, "another worker in its place")
    assert other in crew.workers()
    async with client(crew) as http:
        kept = {row["body"] for row in (await http.get(ROWS, params={"select": "body"})).json()}
    assert len(written) > 200
    assert written <= kept


async def test_a_worker_that_stands_still_is_replaced_and_its_waking_up_does_no_harm(
    data_dir: Path, tmp_path: Path
) -> None:
    with watched_crew(data_dir, tmp_path, MINATO_WORKER_TIMEOUT="3") as (crew, running):
        victim, other = crew.workers()
        os.kill(victim, signal.SIGSTOP)
        for _ in range(20):
            async with client(crew) as http:
                assert (await http.get("/readyz")).status_code == 200
        running.wait_for(lambda: "a worker does not answer" in running.err, "that it is noticed")
        os.kill(victim, signal.SIGCONT)
        running.wait_for(lambda: len(set(crew.workers()) - {victim}) == 2, "another worker in its place")
        assert other in crew.workers()
        wait_until(are_gone([victim]), "the end of the one that stood still")
        for worker in crew.workers():
            with crew.only(worker):
                async with client(crew) as http:
                    assert (await http.get("/readyz")).status_code == 200


async def test_sockets_of_a_killed_worker_end_and_connect_to_another(own_crew: Crew) -> None:
    victim, _ = own_crew.workers()
    with own_crew.only(victim):
        async with phoenix(own_crew) as socket:
            await socket.join("room")
            os.kill(victim, signal.SIGKILL)
            await socket.closed()
    async with phoenix(own_crew) as socket:
        assert (await socket.join("room")).payload["status"] == "ok"


async def test_workers_are_renewed_one_by_one_and_no_request_fails(own_crew: Crew) -> None:
    crew, failures = own_crew, list[str]()
    before = set(crew.workers())
    answered = {"fresh": 0, "kept": 0}
    renewed = asyncio.Event()

    async def ask_on_new_connections() -> None:
        while not renewed.is_set():
            async with client(crew) as http:
                await ask(http, "fresh")

    async def ask_on_a_kept_connection() -> None:
        async with client(crew) as http:
            while not renewed.is_set():
                await ask(http, "kept")

    async def ask(http: httpx.AsyncClient, how: str) -> None:
        try:
            answer = await http.post(ROWS, json={"body": how})
            answered[how] += answer.status_code == 201
            if answer.status_code != 201:
                failures.append(f"{how}: {answer.status_code}")
        except httpx.HTTPError as error:
            failures.append(f"{how}: {error!r}")

    async with phoenix(crew) as socket, asyncio.TaskGroup() as asking:
        await socket.join("room")
        for _ in range(2):
            asking.create_task(ask_on_new_connections())
            asking.create_task(ask_on_a_kept_connection())
        await until(lambda: min(answered.values()) > 20)
        crew.server.process.send_signal(signal.SIGHUP)
        await until(lambda: len(crew.workers()) == 2 and not before & set(crew.workers()))
        renewed.set()
        assert await socket.closed() == 1012
    assert failures == []
    assert sum(answered.values()) == crew.execute("select count(*) from public.board")


async def test_every_worker_answers_again_after_postgresql_crashed(own_crew: Crew, data_dir: Path) -> None:
    workers = own_crew.workers()
    os.kill(int(Layout(data_dir).pid_file.read_text().split()[0]), signal.SIGKILL)

    async def answers() -> bool:
        async with client(own_crew) as http:
            return (await http.get(ROWS)).status_code == 200

    for worker in workers:
        with own_crew.only(worker):
            async with asyncio.timeout(PATIENCE):
                while not await answers():  # noqa: ASYNC110 - what is waited for rings no bell
                    await asyncio.sleep(0.05)
    assert own_crew.workers() == workers


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_all_of_them_and_postgresql(own_crew: Crew, data_dir: Path, number: signal.Signals) -> None:
    pids = [process.pid for process in own_crew.processes()]
    assert own_crew.server.stop(number) == 0
    wait_until(are_gone(pids), "the end of every process")
    assert not cluster_processes(Layout(data_dir).tag)


def test_nobody_outlives_a_parent_that_was_killed(own_crew: Crew, data_dir: Path) -> None:
    pids = [process.pid for process in own_crew.processes()]
    own_crew.server.stop(signal.SIGKILL)
    wait_until(are_gone(pids), "the end of every process")
    wait_until(lambda: not cluster_processes(Layout(data_dir).tag), "the end of PostgreSQL")


async def test_a_renewal_takes_the_settings_as_they_are_now_and_none_that_can_not_be_read(
    data_dir: Path, tmp_path: Path
) -> None:
    with watched_crew(data_dir, tmp_path) as (crew, running):
        before = crew.workers()
        (tmp_path / ".env").write_text("REALTIME_FANOUT_BACKLOG=none\n")
        running.process.send_signal(signal.SIGHUP)
        running.wait_for(lambda: "the settings can't be read anew, all workers stay" in running.err, "a refusal")
        assert crew.workers() == before
        (tmp_path / ".env").write_text("MINATO_REQUIRE_APIKEY=true\n")
        running.process.send_signal(signal.SIGHUP)
        await until(lambda: len(crew.workers()) == 2 and not set(before) & set(crew.workers()))
        async with httpx.AsyncClient(timeout=PATIENCE) as stranger:
            assert (await stranger.get(f"{crew.url}{ROWS}")).status_code == 401


def test_after_settings_by_which_no_worker_starts_the_next_one_is_told_those_of_before(
    data_dir: Path, tmp_path: Path
) -> None:
    with watched_crew(data_dir, tmp_path) as (crew, running):
        victim, other = crew.workers()
        (tmp_path / ".env").write_text("STORAGE_URL=az://without-an-account\n")
        running.process.send_signal(signal.SIGHUP)
        running.wait_for(lambda: "those that serve go on" in running.err, "a refusal")
        os.kill(victim, signal.SIGKILL)
        # Whoever connects waits for the next worker.
        os.kill(other, signal.SIGSTOP)
        try:
            assert httpx.get(f"{crew.url}/readyz", timeout=PATIENCE).status_code == 200
        finally:
            os.kill(other, signal.SIGCONT)
        assert running.err.count("a worker did not start") == 1


def test_who_asks_for_a_renewal_during_the_start_gets_it_afterwards(data_dir: Path, tmp_path: Path) -> None:
    given = ("serve", "--port", "0", "--json", "--no-seed", "--workers", "2", "--data-dir", str(data_dir))
    with watched(given, tmp_path, environment(), imports=True) as running:
        running.wait_for(psutil.Process(running.process.pid).children, "the first process that is begun")
        running.process.send_signal(signal.SIGHUP)
        running.wait_for(lambda: running.out.endswith("\n"), "the line that says it is ready")
        running.wait_for(lambda: "all workers were renewed" in running.err, "the renewal")


def test_a_worker_that_can_not_start_is_tried_again_with_growing_pauses(data_dir: Path, tmp_path: Path) -> None:
    with watched_crew(data_dir, tmp_path) as (crew, running):
        victim, other = crew.workers()
        crew.execute("alter role authenticator connection limit 0")
        os.kill(victim, signal.SIGKILL)
        running.wait_for(lambda: running.err.count("a worker did not start") == 3, "three attempts")
        pauses = [
            told["again_in_seconds"] for told in map(json.loads, running.err.splitlines()) if "again_in_seconds" in told
        ]
        assert pauses == [0.5, 1.0, 2.0]
        assert crew.workers() == [other]
        crew.execute("alter role authenticator connection limit -1")
        running.wait_for(lambda: len(crew.workers()) == 2, "a worker that starts")


def test_what_keeps_every_worker_from_starting_is_told_once_and_ends_the_command(data_dir: Path) -> None:
    with served(data_dir) as server:
        Crew(server).execute("alter role authenticator connection limit 0")
    ended = run_minato("serve", "--port", "0", "--json", "--no-seed", "--workers", "2", "--data-dir", str(data_dir))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.count("start failed") == 1
    assert ended.stderr.endswith("minato: The server did not start; the reason stands above.\n")


def test_without_the_process_they_are_copies_of_the_server_ends_and_says_why(data_dir: Path, tmp_path: Path) -> None:
    with watched_crew(data_dir, tmp_path) as (crew, running):
        template, workers = crew.processes()[0], crew.workers()
        template.kill()
        os.kill(workers[0], signal.SIGKILL)
        assert running.process.wait(PATIENCE) == 1
        wait_until(lambda: "is gone" in running.err, "the reason")
        assert "The process that workers are copies of is gone" in running.err
    wait_until(are_gone(workers), "the end of every process")
