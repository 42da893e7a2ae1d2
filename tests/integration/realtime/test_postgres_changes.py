"""Row changes over a websocket: that they arrive, how they look, and which filters and columns hold."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import phoenix
from tests.support.server import Minato

pytestmark = both_feeds


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_a_row_change_arrives_after_a_join_and_none_after_a_leave(
    minato: Minato, notes: Table, version: str
) -> None:
    owner = str(uuid4())
    async with phoenix(minato, version=version) as client:
        beat = await client.call("phoenix", "heartbeat", {})
        assert beat.payload == {"status": "ok", "response": {}}
        (entry,) = await client.follow("room", notes.entry(), access_token=minato.token(owner))
        await notes.run("insert into {t} (id, owner, body) values (1, $1, 'first')", owner)
        heard = await client.event("postgres_changes")
        assert heard.payload["ids"] == [entry]
        assert heard.payload["data"]["record"]["body"] == "first"
        left = await client.call("realtime:room", "phx_leave", {})
        assert left.payload["status"] == "ok"
        await client.event("phx_close", "room")
        await notes.run("insert into {t} (id, owner, body) values (2, $1, 'second')", owner)
        async with phoenix(minato) as witness:
            await witness.follow("room", notes.entry(), access_token=minato.token(owner))
            await notes.run("insert into {t} (id, owner, body) values (3, $1, 'third')", owner)
            assert (await witness.change())["record"]["id"] == 3
        assert await client.settle() == []


async def test_each_action_has_its_rows(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} values (1, 'a', 1, 1.50, true)")
        inserted = await client.change()
        await board.run("update {t} set body = 'b'")
        updated = await client.change()
        await board.run("delete from {t}")
        deleted = await client.change()
    columns = [
        {"name": "id", "type": "int4"},
        {"name": "body", "type": "text"},
        {"name": "n", "type": "int4"},
        {"name": "price", "type": "numeric"},
        {"name": "done", "type": "bool"},
    ]
    stamp = inserted.pop("commit_timestamp")
    assert len(stamp) == 24
    assert stamp[-5] == "."
    assert stamp[-1] == "Z"
    assert inserted == {
        "schema": "public",
        "table": board.name,
        "type": "INSERT",
        "columns": columns,
        "record": {"id": 1, "body": "a", "n": 1, "price": 1.5, "done": True},
        "errors": None,
    }
    assert updated["type"] == "UPDATE"
    assert updated["record"] == {"id": 1, "body": "b", "n": 1, "price": 1.5, "done": True}
    assert updated["old_record"] == {"id": 1}
    assert deleted["type"] == "DELETE"
    assert deleted["old_record"] == {"id": 1}
    assert "record" not in deleted
    assert deleted["columns"] == columns


async def test_old_rows_are_whole_under_full_replica_identity(minato: Minato, board: Table) -> None:
    await board.run("alter table {t} replica identity full")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} values (1, 'a', 1, 1.50, true)")
        await client.change()
        await board.run("update {t} set n = 2")
        updated = await client.change()
        await board.run("delete from {t}")
        deleted = await client.change()
    assert updated["old_record"] == {"id": 1, "body": "a", "n": 1, "price": 1.5, "done": True}
    assert deleted["old_record"] == {"id": 1, "body": "a", "n": 2, "price": 1.5, "done": True}


@pytest.mark.parametrize("full", [False, True])
async def test_an_unchanged_long_value_is_in_the_log_only_under_full_identity(
    minato: Minato, board: Table, full: bool
) -> None:
    is_known = full or minato.backend.settings.realtime.change_feed == "triggers"
    await board.run("alter table {t} alter body set storage external")
    if full:
        await board.run("alter table {t} replica identity full")
    await board.run("insert into {t} values (1, repeat('x', 5000), 1)")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("update {t} set n = 2")
        record = (await client.change())["record"]
    assert record.get("body") == ("x" * 5000 if is_known else None)
    assert ("body" in record) is is_known


@pytest.mark.parametrize(
    ("type_", "value", "shown"),
    [
        ("int8", "9007199254740993", "9007199254740993"),
        ("numeric", "1.50", "1.50"),
        ("numeric", "'NaN'", "null"),
        ("float8", "0.1", "0.1"),
        ("float8", "'Infinity'", "null"),
        ("boolean", "true", "true"),
        ("text", "'ü\"x'", '"ü\\"x"'),
        ("char(5)", "'ab'", '"ab   "'),
        ("jsonb", "'{\"a\": [1, null]}'", '{"a": [1, null]}'),
        ("json", "'{\"b\":1}'", '{"b": 1}'),
        ("text[]", "array['a', null]", '["a", null]'),
        ("int[]", "'{{1,2},{3,4}}'", "[[1, 2], [3, 4]]"),
        ("timestamp", "'2024-01-02 03:04:05.6'", '"2024-01-02T03:04:05.6"'),
        ("timestamptz", "'2024-01-02 03:04:05+00'", '"2024-01-02T03:04:05+00:00"'),
        ("date", "'2024-01-02'", '"2024-01-02"'),
        ("interval", "'1 day 2 hours'", '"1 day 02:00:00"'),
        ("uuid", "'7d4a8f10-0d5c-4cbb-9f6a-6f1c2b3d4e5f'", '"7d4a8f10-0d5c-4cbb-9f6a-6f1c2b3d4e5f"'),
        ("bytea", "'\\x0102'", '"0102"'),
        ("int4range", "'[1,3)'", '"[1,3)"'),
        ("text", "null", "null"),
    ],
)
async def test_values_look_as_to_jsonb_writes_them(
    minato: Minato, board: Table, type_: str, value: str, shown: str
) -> None:
    await board.run(f"alter table {{t}} add column v {type_}")
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run(f"insert into {{t}} (id, v) values (1, {value})")
        frame = await client.socket.recv()
    assert isinstance(frame, str)
    # The digits matter, so the frame's text is looked at and not what a JSON reader makes of it.
    assert f'"v":{shown}' in frame
    json.loads(frame)


async def test_a_domain_and_an_enum_and_a_composite_are_shown(minato: Minato, board: Table) -> None:
    name = board.name
    await board.run(
        f"create type public.mood{name} as enum ('ok'); create type public.point{name} as (x int, y text);"
        f"create domain public.score{name} as int check (value > 0);"
        f"alter table {{t}} add m public.mood{name}, add p public.point{name}, add s public.score{name}"
    )
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, m, p, s) values (1, 'ok', row(1, 'a b'), 5)")
        data = await client.change()
    assert {key: data["record"][key] for key in ("m", "p", "s")} == {"m": "ok", "p": {"x": 1, "y": "a b"}, "s": 5}
    assert [column["type"] for column in data["columns"][-3:]] == [f"mood{name}", f"point{name}", f"score{name}"]


FIRST: dict[str, Any] = {"body": "first", "n": 1, "price": "1.50", "done": True}
SECOND: dict[str, Any] = {"body": "second, third", "n": 20, "price": None, "done": None}


@pytest.mark.parametrize(
    ("filter_", "hits"),
    [
        ("n=eq.1", [1]),
        ("n=neq.1", [2]),
        ("n=lt.9", [1]),
        ("n=gte.20", [2]),
        ("price=eq.1.5", [1]),
        ("price=neq.7", [1]),
        ("price=not.eq.7", [1]),
        ("body=in.(first,other)", [1]),
        ('body=in.("second, third")', [2]),
        ("body=not.in.(first)", [2]),
        ("body=like.fir%", [1]),
        ("body=not.ilike.FIR%", [2]),
        ("body=match.^s", [2]),
        ("body=imatch.^F", [1]),
        ("done=is.true", [1]),
        ("done=is.null", [2]),
        ("done=not.is.null", [1]),
        ("price=isdistinct.1.5", [2]),
        ("n=gt.0,body=eq.first", [1]),
        ('body=eq."second, third",n=eq.20', [2]),
        ("n=eq.1,n=eq.20", []),
    ],
)
async def test_a_filter_lets_through_what_fits(minato: Minato, board: Table, filter_: str, hits: list[int]) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry("INSERT", filter=filter_), board.entry("DELETE"))
        for number, row in ((1, FIRST), (2, SECOND)):
            await minato.db.execute(
                f"insert into public.{board.name} values ($1, $2, $3, $4::text::numeric, $5)", number, *row.values()
            )
        await board.run("delete from {t} where id = 1")
        seen = []
        while (data := await client.change())["type"] == "INSERT":
            seen.append(data["record"]["id"])
    assert seen == hits


async def test_a_filter_sees_only_the_key_of_a_deleted_row(minato: Minato, board: Table) -> None:
    await board.run("insert into {t} values (1, 'a'), (2, 'b')")
    async with phoenix(minato) as client:
        ids = await client.follow(
            "room", board.entry("DELETE", filter="body=eq.a"), board.entry("DELETE", filter="id=eq.2")
        )
        await board.run("delete from {t}")
        heard = await client.event("postgres_changes")
        assert heard.payload["ids"] == [ids[1]]
        assert heard.payload["data"]["old_record"] == {"id": 2}


async def test_entries_of_one_channel_share_a_message(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        everything, inserts, _ = await client.follow(
            "room", board.entry(), board.entry("INSERT"), board.entry("UPDATE")
        )
        await board.run("insert into {t} values (1)")
        assert (await client.event("postgres_changes")).payload["ids"] == [everything, inserts]


async def test_a_selection_shows_its_columns_and_the_key(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry(select=["body"]))
        await board.run("insert into {t} values (1, 'a', 5)")
        data = await client.change()
    assert data["record"] == {"id": 1, "body": "a"}
    assert [column["name"] for column in data["columns"]] == ["id", "body"]


async def test_changes_come_in_commit_order_and_once(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry("INSERT"))
        await board.run("insert into {t} (id) select generate_series(1, 1500)")
        for number in range(1501, 1601):
            await minato.db.execute(f"insert into public.{board.name} (id) values ($1)", number)
        assert [(await client.change())["record"]["id"] for _ in range(1600)] == list(range(1, 1601))


async def test_a_rolled_back_row_is_never_heard_of(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        transaction = minato.db.transaction()
        await transaction.start()
        await board.run("insert into {t} (id) values (1)")
        await transaction.rollback()
        await board.run("insert into {t} (id) values (2)")
        assert (await client.change())["record"]["id"] == 2


async def test_a_schema_wide_entry_follows_a_table_published_later(minato: Minato, board: Table) -> None:
    schema = f"s{board.name}"
    await board.run(f"create schema {schema}; create table {schema}.first (id int primary key)")
    await board.run(f"grant usage on schema {schema} to anon; grant all on {schema}.first to anon")
    await board.run(f"alter publication supabase_realtime add table {schema}.first")
    async with phoenix(minato) as client:
        await client.follow("room", {"event": "*", "schema": schema})
        await board.run(
            f"create table {schema}.later (id int primary key); grant all on {schema}.later to anon;"
            f"alter publication supabase_realtime add table {schema}.later"
        )
        await board.run(f"insert into {schema}.later values (1)")
        assert (await client.change())["table"] == "later"
        await board.run(f"alter publication supabase_realtime drop table {schema}.later")
        await board.run(f"insert into {schema}.later values (2); insert into {schema}.first values (3)")
        assert (await client.change())["record"] == {"id": 3}
    await board.run(f"drop schema {schema} cascade")


async def test_ddl_on_a_followed_table_shows_in_the_next_change(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, n) values (1, 5)")
        await client.change()
        await board.run("alter table {t} alter n type text, drop body, add extra jsonb")
        await board.run("insert into {t} (id, n, extra) values (2, 'five', '[]')")
        data = await client.change()
    assert data["record"] == {"id": 2, "n": "five", "price": None, "done": None, "extra": []}
    assert {"name": "n", "type": "text"} in data["columns"]


async def test_a_change_too_large_leaves_out_its_long_values(minato: Minato, board: Table) -> None:
    async with phoenix(minato) as client:
        await client.follow("room", board.entry())
        await board.run("insert into {t} (id, body) values (1, repeat('x', 1100000))")
        data = await client.change()
    assert data["errors"] == ["Error 413: Payload Too Large"]
    assert data["record"] == {"id": 1, "n": None, "price": None, "done": None}


async def test_more_changes_than_are_checked_at_once_for_all_their_entries_arrive_in_order(
    minato: Minato, board: Table
) -> None:
    async with phoenix(minato) as client:
        ids = await client.follow("room", *(board.entry(filter=f"id=gt.-{number}") for number in range(30)))
        await board.run("insert into {t} select generate_series(1, 1000)")
        for number in range(1, 1001):
            heard = await client.event("postgres_changes")
            assert heard.payload["data"]["record"]["id"] == number
            assert sorted(heard.payload["ids"]) == sorted(ids)
