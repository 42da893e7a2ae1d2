"""How often a request to storage waits for PostgreSQL: what is known together is asked together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from minato.database.wire.session import Command, Session

from tests.integration.storage.conftest import Storage


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[Command]]:
    """The commands of each flush, of every caller."""
    flushes: list[Sequence[Command]] = []

    def counted(then: Any) -> Any:
        async def asking(self: Session, commands: Sequence[Command], *options: Any, **named: Any) -> Any:
            flushes.append(commands)
            return await then(self, commands, *options, **named)

        return asking

    for way in ("run", "attempt", "run_begun"):
        monkeypatch.setattr(Session, way, counted(getattr(Session, way)))
    return flushes


def of(asked: list[Sequence[Command]], bucket: str) -> int:
    """The flushes that were about this bucket."""
    return sum(any(bucket in str(command.values) for command in commands) for commands in asked)


FORMS: list[dict[str, Any]] = [{"content": b"bytes"}, {"files": {"": ("f.txt", b"bytes", "text/plain")}}]
EVERYBODY = "create policy writes on storage.objects for insert to anon with check (bucket_id like 'b-%' and {})"


@pytest.mark.parametrize("form", FORMS)
async def test_who_was_allowed_uploads_a_small_file_in_one_flush_and_strangers_in_two(
    storage: Storage, asked: list[Sequence[Command]], form: dict[str, Any]
) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        for key, flushes in (("a", 2), ("b", 1), ("a", 1)):
            asked.clear()
            answer = await service.post(f"/object/{bucket}/{key}", **form, headers={"x-upsert": "true"})
            assert answer.status_code == 200, answer.text
            assert of(asked, bucket) == flushes
            assert (await service.get(f"/object/{bucket}/{key}")).content == b"bytes"
    assert await storage.orphans() == 0


async def test_a_large_file_takes_two_flushes_of_whoever(storage: Storage, asked: list[Sequence[Command]]) -> None:
    bucket = await storage.bucket()
    await storage.put(bucket, "known", b"bytes")
    asked.clear()
    await storage.put(bucket, "large", b"bytes" * 20_000)
    assert of(asked, bucket) == 2


async def test_who_was_allowed_is_judged_anew_and_leaves_nothing_behind_when_refused(storage: Storage) -> None:
    bucket = await storage.bucket()
    await storage.minato.db.execute(EVERYBODY.format("name <> 'no'"))
    async with storage.client(storage.minato.anon_key) as anybody, storage.service() as service:
        assert (await anybody.post(f"/object/{bucket}/yes", content=b"bytes")).status_code == 200
        refused = await anybody.post(f"/object/{bucket}/no", content=b"bytes")
        assert (await anybody.post(f"/object/{bucket}/again", content=b"bytes")).status_code == 200
        there = await anybody.post(f"/object/{bucket}/yes", content=b"other")
        rows = (await service.post(f"/object/list/{bucket}", json={"prefix": ""})).json()
    await storage.minato.db.execute("drop policy writes on storage.objects")
    assert refused.json()["message"] == "new row violates row-level security policy"
    assert there.json()["error"] == "Duplicate"
    assert [row["name"] for row in rows] == ["again", "yes"]
    assert await storage.orphans() == 0


@pytest.mark.parametrize(
    ("limits", "code"),
    [
        ({"file_size_limit": "2b"}, "EntityTooLarge"),
        ({"allowed_mime_types": ["image/png"]}, "InvalidMimeType"),
        (None, "NoSuchBucket"),
    ],
)
async def test_what_the_bucket_asks_by_now_holds_for_who_was_allowed_before(
    storage: Storage, limits: dict[str, Any] | None, code: str
) -> None:
    bucket = await storage.bucket()
    async with storage.service() as service:
        for key in ("first", "second"):
            assert (await service.post(f"/object/{bucket}/{key}", content=b"bytes")).status_code == 200
        if limits is not None:
            assert (await service.put(f"/bucket/{bucket}", json={"public": False, **limits})).status_code == 200
        else:
            await service.post(f"/bucket/{bucket}/empty")
            assert (await service.delete(f"/bucket/{bucket}")).status_code == 200
        headers = {"content-type": "text/plain"}
        answer = await service.post(f"/object/{bucket}/third", content=b"bytes", headers=headers)
    assert answer.json()["code"] == code, answer.text
    assert await storage.orphans() == 0


async def test_a_refused_upload_asks_once_more_for_the_bucket_and_writes_nothing(
    storage: Storage, asked: list[Sequence[Command]]
) -> None:
    bucket = await storage.bucket()
    asked.clear()
    async with storage.client(storage.minato.anon_key) as stranger:
        answer = await stranger.post(f"/object/{bucket}/f", content=b"bytes")
    assert answer.json()["message"] == "new row violates row-level security policy"
    assert of(asked, bucket) == 2
    assert await storage.orphans() == 0


async def test_a_download_takes_one_flush(storage: Storage, asked: list[Sequence[Command]]) -> None:
    bucket = await storage.bucket(public=True)
    await storage.put(bucket, "f", b"bytes")
    asked.clear()
    async with storage.client() as anybody:
        assert (await anybody.get(f"/object/public/{bucket}/f")).content == b"bytes"
    assert of(asked, bucket) == 1


@pytest.mark.parametrize(
    ("bucket_is_there", "limits", "headers", "code"),
    [
        (False, {}, {"content-type": "text/plain", "x-robots-tag": "nonsense"}, "NoSuchBucket"),
        (False, {}, {"content-type": "multipart/form-data"}, "NoSuchBucket"),
        (True, {}, {"content-type": "text/plain", "x-robots-tag": "nonsense"}, "InvalidRequest"),
        (True, {"allowed_mime_types": ["image/png"]}, {"content-type": "text/plain"}, "InvalidMimeType"),
        (True, {"file_size_limit": "2b"}, {"content-type": "text/plain"}, "EntityTooLarge"),
        (True, {}, {"content-type": "text/plain"}, "AccessDenied"),
    ],
)
async def test_of_several_reasons_to_refuse_an_upload_the_bucket_s_come_first(
    storage: Storage, bucket_is_there: bool, limits: dict[str, Any], headers: dict[str, str], code: str
) -> None:
    bucket = await storage.bucket(**limits) if bucket_is_there else "there-is-none"
    async with storage.client(storage.minato.anon_key) as stranger:
        answer = await stranger.post(f"/object/{bucket}/f", content=b"bytes", headers=headers)
    assert answer.json()["code"] == code, answer.text
