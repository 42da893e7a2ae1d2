"""Files in a folder: whole or not at all, the same bytes whether memory or the disk has them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from minato.storage.backend.object_store import LocalBackend

SMALL, LARGE = bytes(range(256)) * 40, bytes(range(256)) * 12_000


async def pieces(content: bytes, end: Exception | None = None) -> AsyncIterator[bytes]:
    yield content[:1000]
    yield content[1000:]
    if end is not None:
        raise end


async def read(backend: LocalBackend, path: str, start: int, stop: int) -> bytes:
    return b"".join([piece async for piece in await backend.read(path, start, stop)])


def stored(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file()]


def reads_nothing_at_once(*_: object) -> int:
    raise BlockingIOError


@pytest.mark.parametrize("in_memory", [True, False])
@pytest.mark.parametrize("content", [b"", SMALL, LARGE])
async def test_what_was_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, in_memory: bool
) -> None:
    if not in_memory:
        monkeypatch.setattr(os, "preadv", reads_nothing_at_once, raising=False)
    backend = LocalBackend(tmp_path)
    await backend.write("b/ab/abc", pieces(content))
    assert await read(backend, "b/ab/abc", 0, len(content)) == content
    assert await read(backend, "b/ab/abc", 5, 500) == content[5:500]
    assert stored(tmp_path) == ["abc"]
    with pytest.raises(FileNotFoundError):
        await backend.read("b/ab/abd", 0, 1)


@pytest.mark.parametrize("content", [SMALL, LARGE])
async def test_a_source_that_breaks_off_leaves_nothing(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ValueError, match="broke off"):
        await LocalBackend(tmp_path).write("b/ab/abc", pieces(content, ValueError("broke off")))
    assert stored(tmp_path) == []


async def test_a_small_file_that_can_not_take_its_place_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "b/ab/abc").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        await LocalBackend(tmp_path).write("b/ab/abc", pieces(SMALL))
    assert stored(tmp_path) == []


async def test_a_file_is_stored_though_a_deletion_takes_its_folder_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_open, deletions = os.open, [(tmp_path / "b/ab").rmdir]

    def open_after_a_deletion(path: Path, *arguments: int) -> int:
        if deletions:
            deletions.pop()()
        return real_open(path, *arguments)

    monkeypatch.setattr(os, "open", open_after_a_deletion)
    backend = LocalBackend(tmp_path)
    await backend.write("b/ab/abc", pieces(SMALL))
    assert await read(backend, "b/ab/abc", 0, len(SMALL)) == SMALL
    assert deletions == []
