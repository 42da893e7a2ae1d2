"""Broadcasting from SQL: a row per message, in the day's partition, and never an error."""

from __future__ import annotations

import json
from typing import Any

import asyncpg
import pytest

MESSAGE = "select * from realtime.messages"


def warnings_of(db: asyncpg.Connection) -> list[str]:
    """What the server warns of from now on."""
    heard: list[str] = []

    def listen(_: Any, message: asyncpg.PostgresLogMessage) -> None:
        heard.append(message.message)

    db.add_log_listener(listen)
    return heard


async def test_send_writes_a_private_broadcast_with_its_id(db: asyncpg.Connection) -> None:
    await db.execute("""select realtime.send('{"a": 1}', 'created', 'room:1')""")
    row = await db.fetchrow(MESSAGE)
    assert (row["topic"], row["event"], row["extension"], row["private"]) == ("room:1", "created", "broadcast", True)
    assert json.loads(row["payload"]) == {"a": 1, "id": str(row["id"])}


async def test_send_keeps_an_id_of_the_payload(db: asyncpg.Connection) -> None:
    await db.execute("""select realtime.send('{"id": 7}', 'e', 't', false)""")
    row = await db.fetchrow(MESSAGE)
    assert (json.loads(row["payload"]), row["private"]) == ({"id": 7}, False)


async def test_send_tells_policies_the_topic(db: asyncpg.Connection) -> None:
    await db.execute("create policy p on realtime.messages for insert to anon with check (realtime.topic() = 'mine')")
    await db.execute("set role anon; select realtime.send('{}', 'e', 'mine'); select realtime.send('{}', 'e', 'yours')")
    await db.execute("reset role")
    assert [row["topic"] for row in await db.fetch(MESSAGE)] == ["mine"]


@pytest.mark.parametrize(("statement", "warning"), [
    ("select realtime.send('[1]', 'e', 't')", 'path element at position 1 is not an integer: "id"'),
    ("select realtime.send('{}', 'e', null)", 'null value in column "topic"'),
    ("set role anon; select realtime.send('{}', 'e', 't')", "new row violates row-level security policy"),
    ("set role anon; select realtime.send_binary('x', 'e', 't')", "new row violates row-level security policy"),
    ("truncate realtime.messages; drop table realtime.messages cascade; select realtime.send('{}', 'e', 't')",
     'relation "realtime.messages" does not exist'),
])  # fmt: skip
async def test_send_never_fails_the_transaction(db: asyncpg.Connection, statement: str, warning: str) -> None:
    heard = warnings_of(db)
    await db.execute(statement)
    assert await db.fetchval("select 1") == 1
    assert any(text.startswith("WarnSendingBroadcastMessage: ") and warning in text for text in heard), heard


async def test_send_binary_writes_bytes(db: asyncpg.Connection) -> None:
    await db.execute(r"select realtime.send_binary('\x0001ff', 'e', 't')")
    row = await db.fetchrow(MESSAGE)
    assert (row["binary_payload"], row["payload"]) == (b"\x00\x01\xff", None)


TRIGGER = """
create table public.notes (id int primary key, body text);
create function public.tell() returns trigger language plpgsql security definer as $$
begin
    perform realtime.broadcast_changes('notes', tg_op, tg_op, tg_table_name, tg_table_schema, new, old, {level});
    return null;
end $$;
create trigger tell after insert or update or delete on public.notes for each {each} execute function public.tell();
"""


async def test_changes_of_rows_are_broadcast_by_a_trigger(db: asyncpg.Connection) -> None:
    await db.execute(TRIGGER.format(level="tg_level", each="row"))
    await db.execute(
        "insert into public.notes values (1, 'a'); update public.notes set body = 'b'; delete from public.notes"
    )
    sent = [json.loads(row["payload"]) for row in await db.fetch(MESSAGE)]
    old, new = {"id": 1, "body": "a"}, {"id": 1, "body": "b"}
    changes = {payload["operation"]: (payload["old_record"], payload["record"]) for payload in sent}
    assert changes == {"INSERT": (None, old), "UPDATE": (old, new), "DELETE": (new, None)}
    assert {(payload["schema"], payload["table"]) for payload in sent} == {("public", "notes")}


@pytest.mark.parametrize(("operation", "level", "error"), [
    ("INSERT", "STATEMENT", "function can only be triggered for each row, not for each statement"),
    ("TRUNCATE", "ROW", "Unexpected operation type: TRUNCATE"),
])  # fmt: skip
async def test_what_is_no_change_of_a_row_is_an_error(
    db: asyncpg.Connection, operation: str, level: str, error: str
) -> None:
    with pytest.raises(asyncpg.RaiseError, match=f"^Failed to process the row: {error}$"):
        await db.execute(
            f"select realtime.broadcast_changes('t', 'e', '{operation}', 'n', 'public', row(1), row(1), '{level}')"
        )


async def test_a_message_has_one_payload(db: asyncpg.Connection) -> None:
    with pytest.raises(asyncpg.CheckViolationError, match="messages_payload_exclusive"):
        await db.execute(
            "insert into realtime.messages (topic, extension, payload, binary_payload) values ('t', 'x', '{}', 'x')"
        )


async def partitions(db: asyncpg.Connection) -> list[str]:
    return [row[0] for row in await db.fetch(
        "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid"
        " where i.inhparent = 'realtime.messages'::regclass order by 1"
    )]  # fmt: skip


async def test_partitions_reach_from_yesterday_to_three_days_ahead(db: asyncpg.Connection) -> None:
    days = await db.fetch(
        "select to_char((now() at time zone 'utc')::date + n, 'YYYY_MM_DD') from generate_series(-1, 3) n"
    )
    assert await partitions(db) == [f"messages_{day}" for (day,) in days]


async def test_partitions_move_on_with_the_days(db: asyncpg.Connection) -> None:
    await db.execute(
        "select minato.keep_message_partitions('2030-01-10'); select minato.keep_message_partitions('2030-01-12')"
    )
    assert await partitions(db) == [f"messages_2030_01_{day:02}" for day in range(9, 16)]
    await db.execute("select minato.keep_message_partitions('2030-01-13')")
    assert (await partitions(db))[0] == "messages_2030_01_10"
    owners = await db.fetch("select distinct tableowner from pg_tables where tablename like 'messages_2030%'")
    assert [owner for (owner,) in owners] == ["supabase_realtime_admin"]


async def test_partitions_cannot_be_read_around_the_policies(db: asyncpg.Connection) -> None:
    (partition, *_) = await partitions(db)
    await db.execute("set role authenticated")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await db.execute(f"select * from realtime.{partition}")


async def test_messages_are_published_and_nothing_else_is(db: asyncpg.Connection) -> None:
    published = await db.fetch("select pubname, schemaname || '.' || tablename from pg_publication_tables")
    assert [tuple(row) for row in published] == [("supabase_realtime_messages_publication", "realtime.messages")]
    owner = await db.fetchval("select pubowner::regrole::text from pg_publication where pubname = 'supabase_realtime'")
    assert owner == "postgres"
