"""The functions storage policies call: parts of a name, the operation under way, who may insert."""

from __future__ import annotations

import asyncpg
import pytest


@pytest.mark.parametrize(("name", "folders", "file", "extension"), [
    ("a.txt", [], "a.txt", "txt"),
    ("folder/a.txt", ["folder"], "a.txt", "txt"),
    ("a/b/c.tar.gz", ["a", "b"], "c.tar.gz", "gz"),
    ("a/b/README", ["a", "b"], "README", "README"),
    ("a.b/c", ["a.b"], "c", "c"),
    ("a//b", ["a", ""], "b", "b"),
    ("folder/", ["folder"], "", ""),
    (".env", [], ".env", "env"),
])  # fmt: skip
async def test_a_name_has_folders_a_file_name_and_an_extension(
    db: asyncpg.Connection, name: str, folders: list[str], file: str, extension: str
) -> None:
    asked = await db.fetchrow("select storage.foldername($1), storage.filename($1), storage.extension($1)", name)
    assert tuple(asked) == (folders, file, extension)


@pytest.mark.parametrize(("key", "prefix", "delimiter", "folder"), [
    ("data/tenant/file.txt", "data/", "/", "data/tenant/"),
    ("data/tenant/", "data/", "/", "data/tenant/"),
    ("data/file.txt", "data/", "/", None),
    ("data/a/b/c.txt", "", "/", "data/"),
    ("data/a/b/c.txt", "da", "/", "data/"),
    ("data/", "data/", "/", None),
    ("a--b--c", "", "--", "a--"),
    ("a/b", "", "", None),
])  # fmt: skip
async def test_a_common_prefix_ends_with_the_first_delimiter_behind_the_prefix(
    db: asyncpg.Connection, key: str, prefix: str, delimiter: str, folder: str | None
) -> None:
    assert await db.fetchval("select storage.get_common_prefix($1, $2, $3)", key, prefix, delimiter) == folder


@pytest.mark.parametrize(("current", "expected", "allowed"), [
    ("storage.object.upload", "storage.object.upload", True),
    ("storage.object.upload", "object.upload", True),
    ("object.head_authenticated_info", "storage.object.head_authenticated_info", True),
    ("storage.object.upload", "object.list", False),
    ("storage.object.upload", "", False),
    ("storage.object.upload", None, False),
    ("", "object.upload", False),
    (None, "object.upload", False),
])  # fmt: skip
async def test_a_policy_can_ask_for_the_operation(
    db: asyncpg.Connection, current: str | None, expected: str | None, allowed: bool
) -> None:
    if current is not None:
        await db.execute("select set_config('storage.operation', $1, true)", current)
    assert await db.fetchval("select storage.operation()") == current
    assert await db.fetchval("select storage.allow_only_operation($1)", expected) is allowed
    assert await db.fetchval("select storage.allow_any_operation(array['object.move', $1])", expected) is allowed


async def test_asking_whether_an_object_may_be_inserted_inserts_nothing(db: asyncpg.Connection) -> None:
    await db.execute("insert into storage.buckets (id, name) values ('b', 'b')")
    with pytest.raises(asyncpg.PostgresError) as raised:
        async with db.transaction():
            await db.execute("select storage.can_insert_object('b', 'a.txt', null, '{}')")
    assert raised.value.sqlstate == "PT200"
    assert await db.fetchval("select count(*) from storage.objects") == 0


async def test_asking_without_a_policy_is_refused(db: asyncpg.Connection) -> None:
    await db.execute("insert into storage.buckets (id, name) values ('b', 'b'); set role authenticated")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="row-level security"):
        await db.execute("select storage.can_insert_object('b', 'a.txt', null, '{}')")


async def test_sizes_are_summed_by_bucket(db: asyncpg.Connection) -> None:
    await db.execute("insert into storage.buckets (id, name) values ('a', 'a'), ('b', 'b')")
    await db.execute("""insert into storage.objects (bucket_id, name, metadata) values
        ('a', '1', '{"size": 3000000000}'), ('a', '2', '{"size": 2}'), ('b', '1', '{"size": 5}')""")
    sizes = await db.fetch("select bucket_id, size from storage.get_size_by_bucket() order by 1")
    assert [tuple(row) for row in sizes] == [("a", 3000000002), ("b", 5)]
