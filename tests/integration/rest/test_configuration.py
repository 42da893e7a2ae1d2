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


async def test_postgres_changes_how_the_api_answers_and_it_holds_at_once(club: Minato, anon: httpx.AsyncClient) -> None:
    made = """
        set role postgres;
        create schema more; grant usage on schema more to anon; create view more.one as select 1 as one;
        grant select on more.one to anon;
        create function more.check_request() returns void language plpgsql as
            $$ begin if current_setting('request.path') = '/people' then raise sqlstate 'PT418'; end if; end $$;
        grant execute on function more.check_request() to anon;
    """
    names = ("db_schemas", "db_pre_request")
    await club.db.execute(made)
    try:
        await club.db.execute(ALTER.format("set pgrst.db_schemas = ''public,more''"))
        await club.db.execute(ALTER.format("set pgrst.db_pre_request = ''more.check_request''"))
        await club.db.execute("notify pgrst, 'reload config'; notify pgrst, 'reload schema'")
        async with asyncio.timeout(PATIENCE):
            while (await anon.get("/one", headers={"Accept-Profile": "more"})).status_code != 200:
                pass
            while (await anon.get("/people")).status_code != 418:
                pass
    finally:
        for name in names:
            await club.db.execute(ALTER.format(f"reset pgrst.{name}"))
        await club.db.execute("drop schema more cascade; reset role; notify pgrst, 'reload config'")
    async with asyncio.timeout(PATIENCE):
        while (await anon.get("/people")).status_code != 200:
            pass


@pytest.mark.parametrize("value", ["many", "-"])
async def test_a_value_that_can_not_be_changes_nothing(club: Minato, anon: httpx.AsyncClient, value: str) -> None:
    await club.db.execute(ALTER.format(f"set pgrst.db_max_rows = ''{value}''"))
    try:
        await club.application.rooms["/rest/v1"].keeper.reload()  # type: ignore[attr-defined]
        assert (await anon.get("/people")).status_code == 200
    finally:
        await club.db.execute(ALTER.format("reset pgrst.db_max_rows"))
