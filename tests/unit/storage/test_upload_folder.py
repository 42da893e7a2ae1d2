"""Parts of resumable uploads on disk: what is said to have arrived is there."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from minato.storage.tus.headers import TusError
from minato.storage.tus.upload_folder import BLOCK, UploadFolder
from minato.storage.tus.uploads import Upload

from tests.support.nearly_full import room_for


async def sent(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def test_an_upload_is_not_whole_while_the_disk_had_room_for_a_part_of_it(tmp_path: Path) -> None:
    folder = UploadFolder(tmp_path)
    upload = Upload("cars", "a", str(uuid4()), 2 * BLOCK, "", 0)
    await folder.save(upload)
    with room_for(BLOCK + BLOCK // 2), pytest.raises(OSError, match="File too large"):
        await folder.append(upload, sent(b"x" * 2 * BLOCK), 2 * BLOCK)
    assert await folder.offset(upload) == BLOCK + BLOCK // 2
    assert await folder.append(upload, sent(b"x" * (BLOCK // 2)), 2 * BLOCK) == 2 * BLOCK
    assert await folder.offset(upload) == 2 * BLOCK


async def test_an_upload_is_written_by_one_process_at_a_time(tmp_path: Path) -> None:
    ours, theirs = UploadFolder(tmp_path), UploadFolder(tmp_path)
    upload = Upload("cars", "a", str(uuid4()), 1, "", 0)
    async with ours.alone(upload.id), theirs.alone(upload.id):
        pass
    await ours.save(upload)
    async with ours.alone(upload.id):
        with pytest.raises(TusError, match="locked"):
            await theirs.alone(upload.id).__aenter__()
    async with theirs.alone(upload.id):
        await theirs.save(replace(upload, finished=True))
    async with ours.alone(upload.id), theirs.alone(upload.id):
        assert (await ours.find(upload.id, 0)).finished


async def test_an_upload_whose_bytes_still_come_is_not_cleared(tmp_path: Path) -> None:
    folder, upload = UploadFolder(tmp_path), Upload("cars", "a", str(uuid4()), 1, "", 0)
    await folder.save(upload)
    record, part = (tmp_path / f"{upload.version}.{suffix}" for suffix in ("json", "part"))
    os.utime(record, (1, 1))
    assert await folder.clear(2) == 0
    os.utime(part, (1, 1))
    assert await folder.clear(2) == 1
    with pytest.raises(TusError, match="not found"):
        await folder.find(upload.id, 0)
