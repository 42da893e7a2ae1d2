"""Files in a folder: whole or not at all, the same bytes whether memory or the disk has them."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from minato.storage.backend.object_store import LocalBackend

NEW = "b/ab/ab3f2a51-0000-4000-8000-000000000001"
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
    (tmp_path / "b/ab").mkdir(parents=True)
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


async def test_a_part_that_a_crash_left_is_replaced_when_the_file_is_written_again(tmp_path: Path) -> None:
    (tmp_path / NEW).parent.mkdir(parents=True)
    (tmp_path / NEW).write_bytes(SMALL[:5])
    backend = LocalBackend(tmp_path)
    await backend.write(NEW, pieces(SMALL))
    assert await read(backend, NEW, 0, len(SMALL)) == SMALL
    assert stored(tmp_path) == [Path(NEW).name]


@pytest.mark.parametrize("path", [NEW, "b/ab/minato.json"])
async def test_a_disk_that_is_full_keeps_nothing_of_a_small_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    real_write = os.write

    def write_half(descriptor: int, content: memoryview) -> int:
        if len(content) < len(SMALL):
            raise OSError(errno.ENOSPC, "no space left")
        return real_write(descriptor, content[: len(content) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write_half)
        with pytest.raises(OSError, match="no space left"):
            await LocalBackend(tmp_path).write(path, pieces(SMALL))
    assert stored(tmp_path) == []


@dataclass
class Disk:
    """What a kill leaves: the bytes and entries that were synced, noted at each sync with what was asked before."""

    folder: Path
    calls: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)

    def watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real_open, real_fsync, real_mkdir, real_replace = os.open, os.fsync, os.mkdir, os.replace

        def watched_open(path: str, flags: int, *mode: int) -> int:
            descriptor = real_open(path, flags, *mode)
            self.names[descriptor] = self.short(path)
            if flags & os.O_CREAT:
                self.calls.append(f"create{' O_SYNC' if flags & os.O_SYNC else ''} {self.short(path)}")
            return descriptor

        def watched_fsync(descriptor: int) -> None:
            real_fsync(descriptor)
            self.calls.append(f"fsync {self.names[descriptor]}")

        def watched_mkdir(path: str, *mode: int) -> None:
            real_mkdir(path, *mode)
            self.calls.append(f"mkdir {self.short(path)}")

        def watched_replace(source: str, target: str) -> None:
            real_replace(source, target)
            self.calls.append(f"rename {self.short(target)}")

        for name, watched in (
            ("open", watched_open),
            ("fsync", watched_fsync),
            ("mkdir", watched_mkdir),
            ("replace", watched_replace),
        ):
            monkeypatch.setattr(os, name, watched)

    def short(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(Path(NEW).name, "<version>")


async def test_the_disk_has_file_and_entry_of_a_new_version_when_its_write_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, backend = Disk(tmp_path), LocalBackend(tmp_path)
    disk.watch(monkeypatch)
    await backend.write(NEW, pieces(SMALL))
    made = ["mkdir b", "fsync .", "mkdir b/ab", "fsync b"]
    assert disk.calls == [*made, "create O_SYNC b/ab/<version>", "fsync b/ab"]


async def test_an_empty_file_is_synced_though_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NEW).parent.mkdir(parents=True)
    disk = Disk(tmp_path)
    disk.watch(monkeypatch)
    await LocalBackend(tmp_path).write(NEW, pieces(b""))
    assert disk.calls == ["create O_SYNC b/ab/<version>", "fsync b/ab/<version>", "fsync b/ab"]


async def test_a_file_that_may_be_read_meanwhile_changes_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, backend = Disk(tmp_path), LocalBackend(tmp_path)
    await backend.write("minato.json", pieces(SMALL))
    disk.watch(monkeypatch)
    await backend.write("minato.json", pieces(SMALL))
    assert disk.calls == ["create O_SYNC minato.json#0", "rename minato.json", "fsync ."]


async def test_a_small_file_costs_one_change_of_threads_to_write_and_one_to_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit, changes = ThreadPoolExecutor.submit, []

    def counted(pool: ThreadPoolExecutor, work: Any, /, *arguments: Any) -> Any:
        changes.append(work)
        return submit(pool, work, *arguments)

    monkeypatch.setattr(ThreadPoolExecutor, "submit", counted)
    backend = LocalBackend(tmp_path)
    await backend.write(NEW, pieces(SMALL))
    assert len(changes) == 1
    await backend.delete([NEW])
    assert len(changes) == 2
    assert stored(tmp_path) == []


async def test_files_are_removed_together_whichever_of_them_are_gone_already(tmp_path: Path) -> None:
    backend, paths = LocalBackend(tmp_path), [f"{NEW[:-1]}{number}" for number in range(5)]
    for path in paths[::2]:
        await backend.write(path, pieces(SMALL))
    await backend.delete(paths)
    assert stored(tmp_path) == []


async def test_writes_that_wait_for_the_disk_leave_the_loop_s_own_threads_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    real_write = os.write

    def noted(descriptor: int, content: memoryview) -> int:
        names.append(threading.current_thread().name)
        return real_write(descriptor, content)

    monkeypatch.setattr(os, "write", noted)
    await LocalBackend(tmp_path).write(NEW, pieces(SMALL))
    assert [name.partition("_")[0] for name in names] == ["disk"]


async def test_the_threads_that_wrote_end_with_their_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writers: list[threading.Thread] = []
    real_write = os.write

    def noted(descriptor: int, content: memoryview) -> int:
        writers.append(threading.current_thread())
        return real_write(descriptor, content)

    monkeypatch.setattr(os, "write", noted)
    backend = LocalBackend(tmp_path)
    await backend.write(NEW, pieces(SMALL))
    backend.close()
    for writer in writers:
        writer.join(30)
        assert not writer.is_alive()


async def test_housekeeping_takes_empty_folders_of_ours_away_and_no_others(tmp_path: Path) -> None:
    backend = LocalBackend(tmp_path)
    await backend.write(NEW, pieces(SMALL))
    await backend.write(f"k{NEW[1:]}", pieces(SMALL))
    (tmp_path / "someone/else").mkdir(parents=True)
    await backend.delete([NEW])
    await backend.clear_partial("", datetime.now(UTC))
    assert sorted(os.listdir(tmp_path)) == ["k", "someone"]
    assert (tmp_path / "someone/else").is_dir()
