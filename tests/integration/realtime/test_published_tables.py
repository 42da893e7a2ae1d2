"""Which tables and which parts of their rows the publication gives: membership, partitions, replica identity."""

from __future__ import annotations

import asyncpg
import pytest

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato

pytestmark = both_feeds


async def test_a_table_taken_out_of_the_publication_is_silent_and_put_back_is_heard(
    minato: Minato, board: Table
) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("alter publication supabase_realtime drop table {t}")
        await board.run("insert into {t} (id) values (1)")
        await board.run("alter publication supabase_realtime add table {t}")
        await board.run("insert into {t} (id) values (2)")
        assert (await client.change())["record"]["id"] == 2


async def test_a_table_made_anew_under_its_name_is_followed_on(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id) values (1)")
        await client.change()
        await board.run("drop table {t}")
        await board.run(
            "create table {t} (id text primary key); grant all on {t} to anon;"
            "alter publication supabase_realtime add table {t}"
        )
        await board.run("insert into {t} values ('new')")
        changed = await client.change()
        assert (changed["record"], changed["columns"]) == ({"id": "new"}, [{"name": "id", "type": "text"}])


async def test_a_renamed_table_is_heard_by_its_new_name_alone(minato: Minato, board: Table) -> None:
    renamed = Table(f"{board.name}_new", minato)
    async with phoenix(minato) as before, phoenix(minato) as after:
        await before.follow("room", board.entry())
        await board.run(f"alter table {{t}} rename to {renamed.name}")
        await after.follow("room", renamed.entry())
        await renamed.run("insert into {t} (id) values (1)")
        assert (await after.change())["table"] == renamed.name
        assert await before.settle() == []
    await renamed.run("drop table {t}")


@pytest.mark.parametrize("actions", ["insert", "update", "delete"])
async def test_a_publication_may_leave_out_actions(minato: Minato, board: Table, actions: str) -> None:
    await minato.db.execute(f"alter publication supabase_realtime set (publish = '{actions}')")
    try:
        async with phoenix(minato) as client:
            await client.follow("room", board.entry())
            await board.run("insert into {t} (id) values (1)")
            await board.run("update {t} set n = 1")
            await board.run("delete from {t}")
            assert (await client.change())["type"] == actions.upper()
            await minato.db.execute("alter publication supabase_realtime set (publish = 'insert, update, delete')")
            await board.run("insert into {t} (id) values (2)")
            assert (await client.change())["type"] == "INSERT"
            assert await client.settle() == []
    finally:
        await minato.db.execute(
            "alter publication supabase_realtime set (publish = 'insert, update, delete, truncate')"
        )


async def test_a_truncated_table_says_nothing(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("truncate {t}")
        await board.run("insert into {t} (id) values (1)")
        assert (await client.change())["type"] == "INSERT"


async def partition(board: Table) -> None:
    await board.run(
        """
        drop table {t};
        create table {t} (id int, day int, body text, primary key (id, day)) partition by list (day);
        create table {t}_mon partition of {t} for values in (1);
        create table {t}_tue partition of {t} for values in (2);
        grant all on {t}, {t}_mon, {t}_tue to anon;
        alter publication supabase_realtime add table {t};
        """
    )


async def test_partitions_are_followed_by_their_own_names(minato: Minato, board: Table) -> None:
    await partition(board)
    monday = Table(f"{board.name}_mon", minato)
    async with phoenix(minato) as client, phoenix(minato) as parent:
        await client.follow("room", monday.entry())
        await parent.join("room", {"postgres_changes": [board.entry()]})
        assert (await parent.system("room"))["status"] == "error"
        await board.run("insert into {t} values (1, 2, 'other'), (1, 1, 'mine')")
        changed = await client.change()
        assert (changed["table"], changed["record"]) == (monday.name, {"id": 1, "day": 1, "body": "mine"})
        # A row that moves to another partition leaves this one.
        await board.run("update {t} set day = 2, id = 2 where day = 1")
        assert (await client.change())["type"] == "DELETE"


async def test_a_publication_via_the_root_shows_partitions_as_one_table(minato: Minato, board: Table) -> None:
    await partition(board)
    await minato.db.execute("alter publication supabase_realtime set (publish_via_partition_root = true)")
    try:
        async with phoenix(minato) as client:
            await client.follow("room", board.entry())
            await board.run("insert into {t} values (1, 2, 'a'), (1, 1, 'b')")
            changes = [await client.change() for _ in range(2)]
            assert [(c["table"], c["record"]["body"]) for c in changes] == [(board.name, "a"), (board.name, "b")]
            await board.run("create table {t}_wed partition of {t} for values in (3)")
            await board.run("insert into {t} values (1, 3, 'c')")
            assert (await client.change())["record"]["body"] == "c"
    finally:
        await minato.db.execute("alter publication supabase_realtime set (publish_via_partition_root = false)")


async def test_a_table_that_is_published_by_itself_may_become_a_partition(minato: Minato, board: Table) -> None:
    await partition(board)
    await minato.db.execute("alter publication supabase_realtime set (publish_via_partition_root = true)")
    try:
        await board.run(
            "create table {t}_wed (body text, day int not null, id int not null, primary key (id, day));"
            "alter publication supabase_realtime add table {t}_wed;"
            "alter table {t} attach partition {t}_wed for values in (3)"
        )
        async with phoenix(minato) as client:
            await client.follow("room", board.entry())
            await board.run("insert into {t} values (1, 3, 'a'), (1, 1, 'b')")
            changes = [await client.change() for _ in range(2)]
            assert [(c["table"], c["record"]["body"]) for c in changes] == [(board.name, "a"), (board.name, "b")]
    finally:
        await minato.db.execute("alter publication supabase_realtime set (publish_via_partition_root = false)")


async def test_columns_that_a_root_leaves_out_are_not_shown_of_its_partitions(minato: Minato, board: Table) -> None:
    await partition(board)
    await minato.db.execute("alter publication supabase_realtime set (publish_via_partition_root = true)")
    try:
        await board.run(
            "create table {t}_wed (body text, day int not null, id int not null, primary key (id, day));"
            "alter table {t} attach partition {t}_wed for values in (3);"
            "alter publication supabase_realtime drop table {t};"
            "alter publication supabase_realtime add table {t} (id, day)"
        )
        async with phoenix(minato) as client:
            await client.follow("room", board.entry())
            await board.run("insert into {t} values (1, 3, 'a')")
            assert (await client.change())["record"] == {"id": 1, "day": 3}
    finally:
        await board.run("drop table {t}")
        await minato.db.execute("alter publication supabase_realtime set (publish_via_partition_root = false)")


async def test_old_rows_by_an_index_have_its_columns(minato: Minato, board: Table) -> None:
    name = board.name
    await board.run(
        f"alter table {{t}} alter n set not null; create unique index {name}_n on {{t}} (n);"
        f"alter table {{t}} replica identity using index {name}_n"
    )
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, n, body) values (1, 7, 'x')")
        await client.change()
        await board.run("update {t} set n = 8")
        assert (await client.change())["old_record"] == {"n": 7}
        await board.run("delete from {t}")
        assert (await client.change())["old_record"] == {"n": 8}


async def test_without_identity_rows_are_inserted_and_postgresql_refuses_the_rest(minato: Minato, board: Table) -> None:
    await board.run("alter table {t} replica identity nothing")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id) values (1)")
        assert (await client.change())["record"]["id"] == 1
        with pytest.raises(asyncpg.ObjectNotInPrerequisiteStateError, match="replica identity"):
            await board.run("update {t} set n = 1")


async def test_a_changed_key_shows_the_old_one(minato: Minato, board: Table) -> None:
    await board.run("insert into {t} (id, body) values (1, 'x')")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry("UPDATE"))
        await board.run("update {t} set id = 2")
        changed = await client.change()
        assert (changed["old_record"], changed["record"]["id"]) == ({"id": 1}, 2)


async def test_published_columns_alone_are_shown(minato: Minato, board: Table) -> None:
    await board.run("alter publication supabase_realtime drop table {t}")
    await board.run("alter publication supabase_realtime add table {t} (id, body)")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, body, n) values (1, 'x', 5)")
        assert (await client.change())["record"] == {"id": 1, "body": "x"}


async def test_columns_that_another_publication_leaves_out_are_shown(minato: Minato, board: Table) -> None:
    await board.run(f"create publication {board.name}_elsewhere for table {{t}} (id)")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, body) values (1, 'x')")
        assert (await client.change())["record"]["body"] == "x"
    await board.run(f"drop publication {board.name}_elsewhere")


async def test_rows_of_a_dump_are_heard(minato: Minato, board: Table) -> None:
    """What `supabase db dump --data-only` writes begins so; PostgreSQL's own replication fires no triggers either."""
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("set session_replication_role = replica; insert into {t} (id) values (1)")
        await board.run("set session_replication_role = origin")
        assert (await client.change())["record"]["id"] == 1


async def test_a_row_too_large_is_heard_of_whoever_writes_it(minato: Minato, board: Table) -> None:
    writing = await asyncpg.connect(minato.backend.database.admin_dsn)
    await writing.execute("set role anon")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await writing.execute(f"insert into public.{board.name} (id, body) values (1, repeat('x', 1100000))")
        assert (await client.change())["errors"] == ["Error 413: Payload Too Large"]
    await writing.close()


async def test_names_that_need_quotes_are_followed(minato: Minato, board: Table) -> None:
    table = f'{board.name} "Ünïcode"; --'
    quoted = '"' + table.replace('"', '""') + '"'
    await minato.db.execute(
        f'create table public.{quoted} ("my ""id""" int primary key, "select" text);'
        f"alter table public.{quoted} enable row level security;"
        f"create policy everybody on public.{quoted} for select using (true);"
        f"grant all on public.{quoted} to anon; alter publication supabase_realtime add table public.{quoted}"
    )
    async with phoenix(minato) as client:
        await client.follow("room", {"event": "*", "schema": "public", "table": table, "filter": "select=eq.x"})
        await minato.db.execute(f"insert into public.{quoted} values (1, 'y'), (2, 'x')")
        assert (await client.change())["record"] == {'my "id"': 2, "select": "x"}
    await minato.db.execute(f"drop table public.{quoted}")
