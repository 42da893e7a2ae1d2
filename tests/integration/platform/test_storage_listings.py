"""Listings against a plain model of them: every page size, both orders, folders in every position."""

from __future__ import annotations

import asyncpg
import pytest

NAMES = (
    "a.txt", "fo_o.txt", "folder/a.txt", "folder/sub/x.png", "folder/sub/y.png", "folder2/q.png", "zed.txt",
    "photos", "photos-old.txt", "photos/1.jpg", "100%/x.txt", "Upper.txt",
)  # fmt: skip


@pytest.fixture
async def bucket(db: asyncpg.Connection) -> None:
    await db.execute("insert into storage.buckets (id, name) values ('b', 'b'), ('other', 'other')")
    await db.executemany(
        "insert into storage.objects (bucket_id, name, created_at, metadata)"
        " values ('b', $1, '2026-01-01Z'::timestamptz + $2 * interval '1 day', '{\"size\": 1}')",
        [(name, age) for age, name in enumerate(NAMES)],
    )
    await db.execute("insert into storage.objects (bucket_id, name) values ('other', 'elsewhere.txt')")


def listing(prefix: str, names: tuple[str, ...] = NAMES) -> list[str]:
    """What lies directly below a prefix, by bytes; folders end with a slash."""
    below = {name[len(prefix) :] for name in names if name.startswith(prefix)}
    return sorted({prefix + (rest.split("/")[0] + "/" if "/" in rest else rest) for rest in below})


async def pages(db: asyncpg.Connection, prefix: str, size: int, order: str, folder_slash: bool) -> list[str]:
    """All pages of search_v2, folders ending with a slash; the cursor is the last name, with or without it."""
    found: list[str] = []
    cursor = ""
    while True:
        rows = await db.fetch("select * from storage.search_v2($1, 'b', $2, 1, $3, $4)", prefix, size, cursor, order)
        found += [row["name"] if row["id"] else row["name"] + "/" for row in rows]
        if len(rows) < size:
            return found
        cursor = found[-1] if folder_slash else rows[-1]["name"]


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("prefix", ["", "fo", "folder", "folder/", "folder/sub/", "photos", "100%", "nothing"])
@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_pages_by_name_lose_and_repeat_nothing(
    db: asyncpg.Connection, prefix: str, size: int, order: str
) -> None:
    expected = listing(prefix)
    if order == "desc":
        expected.reverse()
    assert await pages(db, prefix, size, order, folder_slash=True) == expected


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_a_folder_may_be_the_cursor_without_its_slash(db: asyncpg.Connection, order: str) -> None:
    expected = listing("folder")
    assert sorted(await pages(db, "folder", 1, order, folder_slash=False)) == expected


@pytest.mark.usefixtures("bucket")
async def test_a_listed_object_carries_its_row_and_a_folder_nothing(db: asyncpg.Connection) -> None:
    file, folder = await db.fetch("select * from storage.search_v2('photos', 'b', 100, 1, 'photos')")
    assert (folder["key"], folder["name"], folder["id"], folder["created_at"], folder["metadata"]) == (
        "photos", "photos", None, None, None)  # fmt: skip
    assert (file["key"], file["name"], file["metadata"]) == ("photos-old.txt", "photos-old.txt", '{"size": 1}')


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_pages_by_time_lose_and_repeat_nothing(db: asyncpg.Connection, size: int, order: str) -> None:
    found: list[str] = []
    name = after = ""
    while True:
        rows = await db.fetch(
            "select *, to_char(created_at at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"') as at"
            " from storage.search_v2('', 'b', $1, 1, $2, $3, 'created_at', $4)",
            size, name, order, after,
        )  # fmt: skip
        found += [row["name"] for row in rows]
        if len(rows) < size:
            break
        name, after = rows[-1]["name"], rows[-1]["at"]
    # a folder is as old as the oldest object in it
    by_age = "a.txt fo_o.txt folder folder2 zed.txt photos photos-old.txt photos 100% Upper.txt".split()
    assert found == (by_age if order == "asc" else by_age[::-1])


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize("prefix", ["", "folder/"])
@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_v1_lists_regardless_of_case_and_relative_to_the_prefix(
    db: asyncpg.Connection, size: int, prefix: str, order: str
) -> None:
    found: list[str] = []
    while True:
        rows = await db.fetch(
            "select * from storage.search($1, 'b', $2, 1, $3, '', 'name', $4)", prefix, size, len(found), order
        )
        found += [row["name"] if row["id"] else row["name"] + "/" for row in rows]
        if len(rows) < size:
            break
    expected = sorted((name[len(prefix) :] for name in listing(prefix)), key=str.lower, reverse=order == "desc")
    assert found == expected


@pytest.mark.parametrize(("search", "expected"), [
    ("FOLDER", ["folder", "folder2"]),
    ("folder/", ["folder/a.txt", "folder/sub"]),
    ("folder/s", ["folder/sub"]),
    ("%", []),
    ("100%", ["100%"]),
    ("fo_", ["fo_o.txt"]),
    ("upper", ["Upper.txt"]),
])  # fmt: skip
@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("column", ["name", "created_at"])
async def test_v1_searches_a_literal_beginning(
    db: asyncpg.Connection, search: str, expected: list[str], column: str
) -> None:
    rows = await db.fetch("select name from storage.search('', 'b', 100, 1, 0, $1, $2)", search, column)
    assert sorted(row["name"] for row in rows) == expected


@pytest.mark.parametrize(("names", "order", "expected"), [
    (("a.txt", "fo_o.txt", "folder/1", "folder2/1", "z"), "asc", ["a.txt", "fo_o.txt", "folder", "folder2", "z"]),
    (("a.txt", "folder2/q.png", "folder/x", "zed.txt"), "desc", ["zed.txt", "folder2", "folder", "a.txt"]),
    (("folder/a", "Folder/b"), "asc", ["folder"]),
    (("b", "A", "a"), "asc", ["A", "a", "b"]),
])  # fmt: skip
async def test_v1_sorts_by_lower_case_and_merges_folders(
    db: asyncpg.Connection, names: tuple[str, ...], order: str, expected: list[str]
) -> None:
    await db.execute("insert into storage.buckets (id, name) values ('b', 'b')")
    await db.executemany("insert into storage.objects (bucket_id, name) values ('b', $1)", [(name,) for name in names])
    rows = await db.fetch("select name from storage.search('', 'b', 100, 1, 0, '', 'name', $1)", order)
    assert sorted(row["name"] for row in rows) == sorted(expected)
    assert [row["name"].lower() for row in rows] == [name.lower() for name in expected]


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("order", ["asc", "desc"])
async def test_v1_by_another_column_lists_folders_first(db: asyncpg.Connection, order: str) -> None:
    rows = await db.fetch("select name, id from storage.search('', 'b', 100, 1, 0, '', 'created_at', $1)", order)
    folders = ["100%", "folder", "folder2", "photos"]
    files = ["a.txt", "fo_o.txt", "zed.txt", "photos", "photos-old.txt", "Upper.txt"]
    if order == "desc":
        folders, files = folders[::-1], files[::-1]
    assert [row["name"] for row in rows] == folders + files
    assert [row["id"] is None for row in rows] == [True] * len(folders) + [False] * len(files)


@pytest.mark.usefixtures("bucket")
async def test_listings_show_only_what_policies_allow(db: asyncpg.Connection) -> None:
    await db.execute(
        "create policy p on storage.objects for select to anon using (name like 'folder/%'); set role anon"
    )
    for listing_of in ("storage.search('', 'b')", "storage.search_v2('', 'b')"):
        assert [row["name"] for row in await db.fetch(f"select name from {listing_of}")] == ["folder"]


@pytest.mark.usefixtures("bucket")
async def test_a_page_of_v1_has_1500_rows_at_most(db: asyncpg.Connection) -> None:
    await db.execute(
        "insert into storage.objects (bucket_id, name) select 'other', 'n' || n from generate_series(1, 1600) n"
    )
    assert await db.fetchval("select count(*) from storage.search('', 'other', 5000)") == 1500


@pytest.mark.usefixtures("bucket")
async def test_start_after_is_any_key(db: asyncpg.Connection) -> None:
    rows = await db.fetch("select name from storage.list_objects_with_delimiter('b', '', '/', 100, 'photos/0')")
    assert [row["name"] for row in rows] == ["photos", "zed.txt"]


async def test_multipart_uploads_are_listed_with_folders(db: asyncpg.Connection) -> None:
    await db.execute("insert into storage.buckets (id, name) values ('b', 'b')")
    await db.executemany(
        "insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version)"
        " values ($1, '', 'b', $2, '')",
        [("1", "a.bin"), ("2", "dir/x"), ("3", "dir/y"), ("4", "z.bin")],
    )
    listed = "select key from storage.list_multipart_uploads_with_delimiter('b', '', '/', $1, $2)"
    assert [row["key"] for row in await db.fetch(listed, 2, "")] == ["a.bin", "dir/"]
    assert [row["key"] for row in await db.fetch(listed, 2, "dir/")] == ["z.bin"]
