"""Joins without a config, as of supabase-js 1: the topic says what is followed, and a change is named by its action."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.integration.realtime.conftest import Table, both_feeds
from tests.integration.realtime.phoenix import Phoenix, phoenix
from tests.support.server import Minato

pytestmark = both_feeds


async def follow(client: Phoenix, name: str, **payload: Any) -> dict[str, Any]:
    joined = await client.call(f"realtime:{name}", "phx_join", payload)
    assert joined.payload["status"] == "ok"
    assert (await client.system(name))["message"] == "Subscribed to PostgreSQL"
    (entry,) = joined.response["postgres_changes"]
    assert entry.pop("id") > 0
    wanted: dict[str, Any] = entry
    return wanted


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_the_topic_names_schema_and_table(minato: Minato, board: Table, version: str) -> None:
    name = f"public:{board.name}"
    async with phoenix(minato, version=version) as client:
        assert await follow(client, name) == {"schema": "public", "table": board.name}
        await board.run("insert into {t} (id, body) values (1, 'a')")
        inserted = await client.event("INSERT", name)
        await board.run("update {t} set body = 'b'")
        updated = await client.event("UPDATE", name)
        await board.run("delete from {t}")
        deleted = await client.event("DELETE", name)
    assert inserted.payload["type"] == "INSERT"
    assert inserted.payload["record"]["body"] == "a"
    assert (updated.payload["record"]["body"], updated.payload["old_record"]) == ("b", {"id": 1})
    assert deleted.payload["old_record"] == {"id": 1}
    assert "ids" not in deleted.payload


async def test_the_third_part_of_the_topic_is_a_filter(minato: Minato, board: Table) -> None:
    name = f"public:{board.name}:body=eq.a:b"
    async with phoenix(minato) as client:
        wanted = await follow(client, name)
        assert wanted == {"schema": "public", "table": board.name, "filter": "body=eq.a:b"}
        await board.run("insert into {t} (id, body) values (1, 'a'), (2, 'a:b')")
        assert (await client.event("INSERT")).payload["record"]["id"] == 2


@pytest.mark.parametrize("name", ["*", "public"])
async def test_a_topic_without_a_table_follows_every_one(minato: Minato, board: Table, name: str) -> None:
    async with phoenix(minato) as client:
        assert await follow(client, name) == {"schema": name}
        await board.run("insert into {t} (id) values (1)")
        assert (await client.event("INSERT", name)).payload["table"] == board.name


async def test_the_policies_of_the_user_token_hold(minato: Minato, notes: Table) -> None:
    owner = str(uuid4())
    name = f"public:{notes.name}"
    async with phoenix(minato) as client, phoenix(minato) as stranger:
        await follow(client, name, user_token=minato.token(owner))
        await follow(stranger, name, user_token=minato.token(str(uuid4())))
        await notes.run("insert into {t} (id, owner) values (1, $1)", owner)
        assert (await client.event("INSERT")).payload["record"]["owner"] == owner
        await notes.run("delete from {t}")
        assert (await stranger.event("DELETE")).payload["old_record"] == {"id": 1}
        assert await stranger.settle() == []


async def test_a_join_with_a_config_of_the_same_topic_hears_as_ever(minato: Minato, board: Table) -> None:
    name = f"public:{board.name}"
    async with phoenix(minato) as old, phoenix(minato) as new:
        await follow(old, name)
        (entry,) = await new.follow(name, board.entry())
        await board.run("insert into {t} (id) values (1)")
        heard = await new.event("postgres_changes")
        assert heard.payload == {"ids": [entry], "data": (await old.event("INSERT")).payload}


async def test_a_topic_that_names_no_table_is_joined_and_told_so(minato: Minato) -> None:
    async with phoenix(minato) as client, phoenix(minato) as other:
        await client.call("realtime:room", "phx_join", {})
        told = await client.system("room")
        assert told["status"] == "error"
        assert "[event: *, schema: room, table: *, filters: [], select: nil]" in told["message"]
        joined = await other.join("room")
        await other.send("realtime:room", "broadcast", {"type": "broadcast", "event": "e"}, "9", joined.ref)
        assert (await client.event("broadcast")).payload["event"] == "e"
