"""`supabase_realtime` as projects' migrations make it anew, run by `postgres`, is followed by both change feeds."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from minato.config.realtime import RealtimeSettings
from minato.database.address import DatabaseAddress

from tests.integration.realtime.phoenix import phoenix
from tests.support.as_project import run_project_file
from tests.support.server import running, settings_for

TABLE = "create table public.feed (id int primary key); grant all on public.feed to anon;"
# As public projects have them in their migrations.
ALL_TABLES = "drop publication if exists supabase_realtime; create publication supabase_realtime for all tables;"
EMPTY_THEN_FILLED = """
begin;
  -- remove the supabase_realtime publication
  drop publication if exists supabase_realtime;
  -- re-create the supabase_realtime publication with no tables
  create publication supabase_realtime;
commit;
alter publication supabase_realtime add table public.feed;
"""
ONE_SCHEMA = """
drop publication if exists supabase_realtime;
create publication supabase_realtime for tables in schema public with (publish = 'insert, update');
"""
LATER = "drop publication supabase_realtime; create publication supabase_realtime; " \
        "ALTER PUBLICATION supabase_realtime ADD TABLES IN SCHEMA public;"  # fmt: skip
BLOCK = """
drop publication supabase_realtime;
do $$
begin
    if not exists (select 1 from pg_publication where pubname = 'supabase_realtime') then
        create publication supabase_realtime for all tables;
    end if;
end $$;
"""


@pytest.mark.parametrize("feed", ["logical", "triggers"])
@pytest.mark.parametrize("script", [ALL_TABLES, EMPTY_THEN_FILLED, ONE_SCHEMA, LATER, BLOCK])
async def test_a_publication_made_anew_is_heard(
    address: DatabaseAddress, tmp_path: Path, script: str, feed: Literal["logical", "triggers"]
) -> None:
    await run_project_file(address, TABLE + script)
    settings = settings_for(tmp_path, realtime=RealtimeSettings(change_feed=feed))
    async with running(address, settings) as server, phoenix(server) as client:
        await client.follow("room", {"event": "*", "schema": "public", "table": "feed"})
        await server.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}


@pytest.mark.parametrize("feed", ["logical", "triggers"])
async def test_a_publication_of_all_tables_has_those_that_come_later(
    address: DatabaseAddress, tmp_path: Path, feed: Literal["logical", "triggers"]
) -> None:
    await run_project_file(address, ALL_TABLES)
    settings = settings_for(tmp_path, realtime=RealtimeSettings(change_feed=feed))
    async with running(address, settings) as server, phoenix(server) as client:
        await run_project_file(address, TABLE)
        await client.follow("room", {"event": "*", "schema": "public", "table": "feed"})
        await server.db.execute("insert into feed values (1)")
        assert (await client.change())["record"] == {"id": 1}
