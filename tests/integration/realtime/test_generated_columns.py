"""Stored generated columns are part of a row change, and hinder nobody from writing."""

from __future__ import annotations

from pathlib import Path

import pytest
from minato.database.address import DatabaseAddress

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.integration.realtime.test_publications_of_projects import ALL_TABLES, BLOCK, EMPTY_THEN_FILLED, LATER
from tests.support.as_project import run_project_file
from tests.support.server import Minato, running, settings_for

TABLE = """
create table public.feed (id int primary key, n int, twice int generated always as (n * 2) stored);
alter table public.feed replica identity full;
grant all on public.feed to anon;
"""


def are_told(minato: Minato) -> bool:
    """PostgreSQL's log has none of them for us before 18; triggers always see them."""
    major: int = minato.db.get_server_version().major
    return major >= 18 or minato.backend.settings.realtime.change_feed == "triggers"


@both_feeds
async def test_a_generated_column_is_shown_and_can_be_filtered_by(minato: Minato, board: Table) -> None:
    if not are_told(minato):
        pytest.skip("before PostgreSQL 18 its log has no generated columns")
    await board.run("alter table {t} add twice int generated always as (n * 2) stored")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry(filter="twice=gt.10"))
        await board.run("insert into {t} (id, n) values (1, 5), (2, 6)")
        heard = await client.change()
        assert (heard["record"]["id"], heard["record"]["twice"]) == (2, 12)
        await board.run("update {t} set n = 7 where id = 2")
        assert (await client.change())["record"]["twice"] == 14


@both_feeds
async def test_rows_with_a_generated_column_and_a_full_identity_are_changed_and_deleted(
    minato: Minato, board: Table
) -> None:
    await board.run("alter table {t} add twice int generated always as (n * 2) stored, replica identity full")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, n) values (1, 5)")
        await client.change()
        await board.run("update {t} set n = 6")
        changed = await client.change()
        await board.run("delete from {t}")
        deleted = await client.change()
    assert (changed["old_record"]["n"], changed["record"]["n"], deleted["old_record"]["n"]) == (5, 6, 6)
    if are_told(minato):
        assert (changed["old_record"]["twice"], deleted["old_record"]["twice"]) == (10, 12)


@pytest.mark.parametrize("script", [ALL_TABLES, EMPTY_THEN_FILLED, LATER, BLOCK])
async def test_a_publication_made_anew_has_generated_columns_too(
    address: DatabaseAddress, tmp_path: Path, script: str
) -> None:
    await run_project_file(address, TABLE + script)
    async with running(address, settings_for(tmp_path)) as server, phoenix(server) as client:
        await client.follow("room", {"event": "UPDATE", "schema": "public", "table": "feed"})
        await server.db.execute("insert into feed (id, n) values (1, 2); update feed set n = 3")
        assert (await client.change())["record"] == {"id": 1, "n": 3, **({"twice": 6} if are_told(server) else {})}
