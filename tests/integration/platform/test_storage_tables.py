"""Buckets and objects: no delete that leaves the file behind, names in bounds, updated_at kept."""

from __future__ import annotations

import asyncpg
import pytest


@pytest.fixture
async def bucket(db: asyncpg.Connection) -> str:
    await db.execute("insert into storage.buckets (id, name) values ('b', 'b')")
    await db.execute("insert into storage.objects (bucket_id, name) values ('b', 'folder/a.txt')")
    return "b"


@pytest.mark.parametrize("role", ["supabase_admin", "postgres", "service_role", "supabase_storage_admin"])
@pytest.mark.parametrize("table", ["storage.buckets", "storage.objects"])
async def test_a_direct_delete_is_refused(db: asyncpg.Connection, role: str, table: str) -> None:
    await db.execute(f"set role {role}")
    with pytest.raises(asyncpg.InsufficientPrivilegeError) as raised:
        await db.execute(f"delete from {table} where false")
    assert raised.value.message == "Direct deletion from storage tables is not allowed. Use the Storage API instead."
    assert raised.value.hint == "This prevents accidental data loss from orphaned objects."


async def test_the_service_may_delete(db: asyncpg.Connection, bucket: str) -> None:
    await db.execute("set local storage.allow_delete_query = 'true'; set role service_role")
    assert await db.execute("delete from storage.objects") == "DELETE 1"


async def test_a_bucket_with_objects_cannot_go(db: asyncpg.Connection, bucket: str) -> None:
    await db.execute("set local storage.allow_delete_query = 'true'")
    with pytest.raises(asyncpg.ForeignKeyViolationError, match="objects_bucketId_fkey"):
        await db.execute("delete from storage.buckets")


async def test_a_bucket_name_has_100_characters_at_most(db: asyncpg.Connection) -> None:
    insert = "insert into storage.buckets (id, name) values ($1, $1)"
    await db.execute(insert, "x" * 100)
    with pytest.raises(asyncpg.RaiseError, match="Max is 100"):
        await db.execute(insert, "x" * 101)


async def test_a_name_exists_once_in_a_bucket(db: asyncpg.Connection, bucket: str) -> None:
    with pytest.raises(asyncpg.UniqueViolationError, match="bucketid_objname"):
        await db.execute("insert into storage.objects (bucket_id, name) values ('b', 'folder/a.txt')")


async def test_an_update_of_an_object_is_dated_and_one_of_a_bucket_is_not(db: asyncpg.Connection, bucket: str) -> None:
    for table in ("objects", "buckets"):
        await db.execute(f"update storage.{table} set updated_at = '2020-01-01Z'")
    dated = await db.fetchrow(
        "select o.updated_at = now(), b.updated_at = '2020-01-01Z', o.path_tokens"
        " from storage.objects o join storage.buckets b on b.id = o.bucket_id"
    )
    assert tuple(dated) == (True, True, ["folder", "a.txt"])


async def test_callers_without_a_policy_see_and_insert_nothing(db: asyncpg.Connection, bucket: str) -> None:
    await db.execute("set role authenticated")
    assert await db.fetchval("select count(*) from storage.objects") == 0
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        await db.execute("insert into storage.objects (bucket_id, name) values ('b', 'x')")
