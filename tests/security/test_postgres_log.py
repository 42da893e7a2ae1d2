"""PostgreSQL's log: what strangers send does not fill it, nobody else reads it, and it never grows without end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg
import pytest
from minato.postgres.cluster import EmbeddedOptions
from minato.postgres.embedded import EmbeddedPostgres
from minato.postgres.layout import Layout
from minato.postgres.log_file import LARGEST_LOG, keep_small

from tests.support.nearly_full import room_for
from tests.support.starts import started

REFUSED = 100
LONG = "x" * 20_000


async def test_refused_statements_and_what_they_quote_are_not_logged(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path, durable=False))
    address = await postgres.start()
    log = Layout(tmp_path).log
    try:
        before = log.stat().st_size
        db = await asyncpg.connect(address.socket_url())
        for _ in range(REFUSED):
            with pytest.raises(asyncpg.PostgresError):
                await db.execute(f"select '{LONG}'::integer")
        await db.close()
        assert log.stat().st_size - before < 50_000
        assert log.stat().st_mode & 0o777 == 0o600
    finally:
        await postgres.stop()


async def test_a_log_above_its_limit_moves_aside_without_a_restart(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path, durable=False))
    address = await postgres.start()
    log = Layout(tmp_path).log
    older = log.with_suffix(".log.1")
    pid = postgres.pid
    try:
        with log.open("ab") as file:
            file.write(b"x" * (LARGEST_LOG + 1))
        for _ in range(600):
            if older.exists() and log.stat().st_size < LARGEST_LOG:
                break
            await asyncio.sleep(0.05)
        assert older.stat().st_size > LARGEST_LOG
        assert older.stat().st_mode & 0o777 == 0o600
        db = await asyncpg.connect(address.socket_url())
        await db.execute("do $$ begin raise log 'still written'; end $$")
        await db.close()
        assert b"still written" in log.read_bytes()
        assert b"\x00" not in log.read_bytes()
        assert postgres.pid == pid
    finally:
        await postgres.stop()


def test_a_log_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    log = Layout(tmp_path).log
    log.touch(mode=0o644)
    with started(tmp_path, "--json", "--no-seed") as server:
        server.wait_for(lambda: log.stat().st_mode & 0o777 == 0o600, "nobody else may read it")


def test_a_log_without_room_to_move_aside_takes_none(tmp_path: Path) -> None:
    log = Layout(tmp_path).log
    log.write_bytes(b"x" * (LARGEST_LOG + 1))
    with room_for(LARGEST_LOG // 2), pytest.raises(OSError, match="too large"):
        keep_small(log)
    assert log.stat().st_size == LARGEST_LOG + 1
    assert not log.with_suffix(".log.1").exists()


async def test_a_log_that_can_not_be_moved_aside_keeps_no_server_from_starting(tmp_path: Path) -> None:
    log = Layout(tmp_path).log
    postgres = EmbeddedPostgres(EmbeddedOptions(tmp_path, durable=False))
    await postgres.start()
    await postgres.stop()
    with log.open("ab") as file:
        file.write(b"x" * (LARGEST_LOG + 1))
    log.with_suffix(".log.1").mkdir()
    try:
        db = await asyncpg.connect((await postgres.start()).socket_url())
        assert await db.fetchval("select 1") == 1
        await db.close()
    finally:
        await postgres.stop()
