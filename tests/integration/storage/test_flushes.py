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

    for way in ("run", "attempt"):
        monkeypatch.setattr(Session, way, counted(getattr(Session, way)))
    return flushes


def of(asked: list[Sequence[Command]], bucket: str) -> int:
    """The flushes that were about this bucket."""
    return sum(any(bucket in str(command.values) for command in commands) for commands in asked)


async def test_an_upload_takes_two_flushes_in_either_form(storage: Storage, asked: list[Sequence[Command]]) -> None:
    bucket = await storage.bucket()
    for form in ({"content": b"bytes"}, {"files": {"": ("f.txt", b"bytes", "text/plain")}}):
        asked.clear()
        async with storage.service() as service:
            answer = await service.post(f"/object/{bucket}/{len(form)}{next(iter(form))}", **form)
        assert answer.status_code == 200, answer.text
        assert of(asked, bucket) == 2


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
