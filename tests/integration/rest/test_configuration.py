"""Settings of the data API that live in the database."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.support.server import Minato
from tests.support.waiting import PATIENCE

ALTER = "do $$ begin execute format('alter role authenticator in database %I {}', current_database()); end $$"


async def limited(anon: httpx.AsyncClient, rows: int) -> None:
    """Wait until that many rows are the most an answer has."""
    async with asyncio.timeout(PATIENCE):
        while len((await anon.get("/people")).json()) != rows:
            pass


async def test_a_setting_of_the_login_role_holds_after_reload_config(club: Minato, anon: httpx.AsyncClient) -> None:
    everything = len((await anon.get("/people")).json())
    await club.db.execute(ALTER.format("set pgrst.db_max_rows = ''2''"))
    try:
        await club.db.execute("notify pgrst, 'reload config'")
        await limited(anon, 2)
    finally:
        await club.db.execute(ALTER.format("reset pgrst.db_max_rows"))
        await club.db.execute("notify pgrst, 'reload config'")
    await limited(anon, everything)


@pytest.mark.parametrize("value", ["many", "-"])
async def test_a_value_that_can_not_be_changes_nothing(club: Minato, anon: httpx.AsyncClient, value: str) -> None:
    await club.db.execute(ALTER.format(f"set pgrst.db_max_rows = ''{value}''"))
    try:
        await club.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        assert (await anon.get("/people")).status_code == 200
    finally:
        await club.db.execute(ALTER.format("reset pgrst.db_max_rows"))
