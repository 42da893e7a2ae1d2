"""A snapshot leaves one server as a file and comes into another one; whatever else is in a file is refused."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import httpx
import pytest

from tests.support.hosted import BUCKET, CONTENT, FILE, Hosted, hosting
from tests.support.postgres import Cluster

SNAPSHOTS = "/_dev/v1/snapshots"
IMPORT = f"{SNAPSHOTS}/import"
NOON = "2026-12-01T12:00:00.000Z"

# Everything that has an owner and rights, whatever the order in which they were given.
SCHEMA = """
with rights as (
    select 'relation' as kind, oid::regclass::text as name, relowner as owner,
        coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner)) as acl
        from pg_class where relkind not in ('i', 't', 'I', 'c')
    union all select 'routine', oid::regprocedure::text, proowner, coalesce(proacl, acldefault('f', proowner))
        from pg_proc
    union all select 'schema', nspname, nspowner, coalesce(nspacl, acldefault('n', nspowner))
        from pg_namespace where nspname !~ '^pg_(toast|temp)'
    union all select 'type', oid::regtype::text, typowner, coalesce(typacl, acldefault('T', typowner))
        from pg_type where typelem = 0 and typrelid = 0
    union all select 'database', 'it', datdba, coalesce(datacl, acldefault('d', datdba))
        from pg_database where datname = current_database()
    union all select 'default', format('%s %s', defaclnamespace::regnamespace, defaclobjtype), defaclrole, defaclacl
        from pg_default_acl)
select array(select format('%s %s %s %s', kind, name, owner::regrole, (select array_agg(each order by each)
        from unnest(acl::text[]) as each)) from rights
    union all select format('policy %s %s %s', polrelid::regclass, polname, polcmd) from pg_policy
    union all select format('publication %s %s', pubname, puballtables) from pg_publication
    union all select format('published %s', prrelid::regclass) from pg_publication_rel
    union all select format('trigger %s %s', evtname, evtenabled) from pg_event_trigger
    union all select format('extension %s %s %s', extname, extversion, extowner::regrole) from pg_extension
    union all select format('setting %s %s', setrole::regrole, setconfig) from pg_db_role_setting
        join pg_database d on d.oid = setdatabase where datname = current_database())
"""


@pytest.fixture(scope="module")
async def other(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Hosted]:
    """Another installation: main's database, folder and address are its own."""
    folder = tmp_path_factory.mktemp("other")
    async with cluster.fresh_database() as address, hosting(cluster, folder, address) as serving:
        yield serving


@pytest.fixture(scope="module")
async def exported(hosted: Hosted) -> AsyncIterator[bytes]:
    """A snapshot of a branch with a row, a file, a moved clock and a mail."""
    source = await hosted.branch(seed=7)
    async with source.client() as client:
        await client.put("/_dev/v1/clock", json={"freeze": NOON, "sql": True})
        await client.post("/rest/v1/notes", json={"body": "kept"})
        await client.post("/auth/v1/signup", json={"email": "anna@example.com", "password": "correct horse"})
    saved = await hosted.control.post(SNAPSHOTS, json={"name": "paid", "of": source.told["id"], "replace": True})
    assert saved.status_code == 201, saved.text
    answer = await hosted.control.get(f"{SNAPSHOTS}/paid/export")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/gzip"
    yield answer.content
    (await hosted.control.delete(f"{SNAPSHOTS}/paid")).raise_for_status()


async def arrived(hosted: Hosted, file: bytes, **query: str) -> httpx.Response:
    return await hosted.control.post(IMPORT, params=query, content=file)


async def databases(hosted: Hosted) -> list[str]:
    async with hosted.branches.databases._asking() as session:
        found = await session.fetch("select datname from pg_database where datname like 'minato_snapshot_%'")
        return sorted(name for (name,) in found)


def entries(file: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(file), mode="r:gz") as tar:
        return {entry.name: opened.read() for entry in tar if (opened := tar.extractfile(entry))}


def packed(contents: Mapping[str, bytes], *more: tarfile.TarInfo) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as tar:
        for name, content in contents.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        for entry in more:
            tar.addfile(entry, io.BytesIO(b"x" * entry.size))
    return target.getvalue()


def with_manifest(file: bytes, change: Callable[[dict[str, Any]], None]) -> dict[str, bytes]:
    contents = entries(file)
    manifest = json.loads(contents["manifest.json"])
    change(manifest)
    return {**contents, "manifest.json": json.dumps(manifest).encode()}


def adding(file: bytes, name: str, content: bytes) -> dict[str, bytes]:
    """The same with a file more, which the manifest names."""
    told = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return {**with_manifest(file, lambda one: one["files"].update({name: told})), name: content}


async def test_rows_people_files_mails_time_and_rights_are_there_on_another_server(
    exported: bytes, other: Hosted
) -> None:
    made = await arrived(other, exported)
    assert made.status_code == 201, made.text
    assert made.json()["name"] == "paid"

    branch = await other.branch(**{"from": "snapshot:paid"})

    async with branch.client() as client:
        assert [row["body"] for row in (await client.get("/rest/v1/notes")).json()][-1] == "kept"
        assert (await client.get(f"/storage/v1/object/{BUCKET}/{FILE}")).content == CONTENT
        clock = (await client.get("/_dev/v1/clock")).json()
        assert (clock["now"], clock["frozen"], clock["sql"]) == (NOON, True, "on")
        (mail,) = (await client.get("/_dev/outbox")).json()
        assert (mail["to"], mail["link"].startswith(branch.url)) == ("anna@example.com", True)
        people = (await client.get("/auth/v1/admin/users")).json()["users"]
        assert [one["email"] for one in people] == ["anna@example.com"]
    async with branch.public() as client:
        answer = await client.get(mail["link"])
        assert "access_token" in answer.headers["location"], answer.headers


async def test_its_schema_is_the_one_it_left_with(exported: bytes, hosted: Hosted, other: Hosted) -> None:
    assert (await arrived(other, exported, name="same", replace="true")).status_code == 201
    here, there = await hosted.branch(**{"from": "snapshot:paid"}), await other.branch(**{"from": "snapshot:same"})
    async with hosted.session(here) as one, other.session(there) as two:
        left, came = set(await one.fetchval(SCHEMA)), set(await two.fetchval(SCHEMA))
    assert (left - came, came - left) == (set(), set())


async def test_a_name_that_is_taken_is_refused_unless_it_is_to_be_replaced(exported: bytes, other: Hosted) -> None:
    assert (await arrived(other, exported, name="twice")).status_code == 201
    again = await arrived(other, exported, name="twice")
    assert (again.status_code, again.json()["code"]) == (409, "snapshot_exists")
    before = await databases(other)
    assert (await arrived(other, exported, name="twice", replace="true")).status_code == 201
    assert len(await databases(other)) == len(before)


async def test_main_comes_back_to_what_came_from_elsewhere(exported: bytes, other: Hosted) -> None:
    assert (await arrived(other, exported, name="forth")).status_code == 201
    restored = await other.control.post("/_dev/v1/branches/main/reset", json={"to": "snapshot:forth"})
    assert restored.status_code == 200, restored.text
    async with other.main.client() as client:
        assert [row["body"] for row in (await client.get("/rest/v1/notes")).json()][-1] == "kept"


DAMAGED: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda file: b"",
    "no archive": lambda file: b"not at all",
    "no tar": lambda file: gzip.compress(b"not at all"),
    "half of it": lambda file: file[: len(file) // 2],
    "no manifest": lambda file: packed({n: c for n, c in entries(file).items() if n != "manifest.json"}),
    "a manifest of nothing": lambda file: packed({"manifest.json": b"{}"}),
    "a manifest that is no text": lambda file: packed({"manifest.json": b"\xff"}),
    "a file that is missing": lambda file: packed({n: c for n, c in entries(file).items() if n != "database.dump"}),
    "a dump that is not named": lambda file: packed(with_manifest(file, lambda one: one["files"].clear())),
    "another dump": lambda file: packed({**entries(file), "database.dump": b"another"}),
    "a longer dump": lambda file: packed({**entries(file), "database.dump": entries(file)["database.dump"] + b"x"}),
    "a file that is not named": lambda file: packed({**entries(file), "storage/more": b"x"}),
    "a name that leads out": lambda file: packed(adding(file, "storage/../../out", b"x")),
    "a name from the root": lambda file: packed(adding(file, "/tmp/out", b"x")),
    "a name of Windows": lambda file: packed(adding(file, "storage\\..\\out", b"x")),
    "a name of ours": lambda file: packed(adding(file, "snapshot.json", b"x")),
    "a name with an empty part": lambda file: packed(adding(file, "storage//out", b"x")),
    "the same twice": lambda file: packed(entries(file), plain("database.dump", 1)),
    "a link": lambda file: packed(named(file, "storage/link"), special("storage/link", tarfile.SYMTYPE)),
    "a hard link": lambda file: packed(named(file, "storage/link"), special("storage/link", tarfile.LNKTYPE)),
    "a device": lambda file: packed(named(file, "storage/dev"), special("storage/dev", tarfile.CHRTYPE)),
    "a pipe": lambda file: packed(named(file, "storage/pipe"), special("storage/pipe", tarfile.FIFOTYPE)),
    "a folder": lambda file: packed(named(file, "storage/folder"), special("storage/folder", tarfile.DIRTYPE)),
    "an endless head": lambda file: packed({}, special("x", tarfile.XHDTYPE, 100_000)),
}


def plain(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size = size
    return entry


def special(name: str, kind: bytes, size: int = 0) -> tarfile.TarInfo:
    entry = plain(name, size)
    entry.type, entry.linkname = kind, "/etc/passwd"
    return entry


def named(file: bytes, name: str) -> dict[str, bytes]:
    """The same, whose manifest names a file more that is empty."""
    contents = adding(file, name, b"")
    del contents[name]
    return contents


@pytest.mark.parametrize("damage", DAMAGED)
async def test_what_is_no_whole_snapshot_is_refused_and_leaves_nothing(
    exported: bytes, other: Hosted, damage: str
) -> None:
    before = await databases(other)
    answer = await arrived(other, DAMAGED[damage](exported), name="spoiled")
    assert (answer.status_code, answer.json()["code"]) == (400, "snapshot_damaged"), answer.text
    assert await databases(other) == before
    places = {place.name for place in (other.folder / "branches" / ".snapshots").iterdir()}
    assert not {place for place in places if place.startswith("_")}
    assert not (other.folder / "branches" / "out").exists()


@pytest.mark.parametrize(
    "newer", [{"format": 2}, {"platform": "29990101_0001"}, {"postgres": 990000}], ids=["file", "platform", "postgres"]
)
async def test_a_file_of_a_newer_server_is_refused(exported: bytes, other: Hosted, newer: dict[str, Any]) -> None:
    answer = await arrived(other, packed(with_manifest(exported, lambda one: one.update(newer))), name="newer")
    assert (answer.status_code, answer.json()["code"]) == (400, "snapshot_too_new"), answer.text


async def test_a_dump_that_does_not_run_leaves_nothing(exported: bytes, other: Hosted) -> None:
    before = await databases(other)
    wrong = with_manifest(
        exported, lambda one: one["beside"].append("alter database minato_travelling owner to nobody")
    )
    for contents in (adding(exported, "database.dump", b"no dump"), wrong):
        answer = await arrived(other, packed(contents), name="unrun")
        assert answer.status_code in (409, 503), answer.text
    assert await databases(other) == before


async def test_what_is_not_there_cannot_leave_and_odd_names_are_refused(exported: bytes, other: Hosted) -> None:
    gone = await other.control.get(f"{SNAPSHOTS}/nothing/export")
    assert (gone.status_code, gone.json()["code"]) == (404, "snapshot_not_found")
    odd = await arrived(other, exported, name="../out")
    assert (odd.status_code, odd.json()["code"]) == (400, "bad_request")


async def test_pages_of_others_bring_and_take_nothing(exported: bytes, other: Hosted) -> None:
    foreign = {"origin": "https://evil.example"}
    assert (await other.control.post(IMPORT, content=exported, headers=foreign)).status_code == 403
    assert (await other.control.get(f"{SNAPSHOTS}/paid/export", headers=foreign)).status_code == 403


async def test_what_came_is_its_owner_s_alone(exported: bytes, other: Hosted) -> None:
    assert (await arrived(other, exported, name="private")).status_code == 201
    below = (other.folder / "branches" / ".snapshots" / "private").rglob("*")
    assert {oct(path.stat().st_mode & 0o077) for path in below if path.is_file() and "storage" in path.parts} == {"0o0"}
