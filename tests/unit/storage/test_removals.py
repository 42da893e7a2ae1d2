"""Files that were replaced go a moment later, many at once, and none is forgotten."""

from __future__ import annotations

import asyncio

import structlog
from minato.storage.removals import MOST_WAITING, Removals
from structlog.testing import capture_logs


class Files:
    """Notes what is deleted; fails while it is told to."""

    def __init__(self) -> None:
        self.deleted: list[list[str]] = []
        self.full = False
        self.removing = asyncio.Event()

    async def delete(self, paths: list[str]) -> None:
        if self.full:
            raise OSError("no")
        self.deleted.append(paths)
        self.removing.set()
        await asyncio.sleep(0)


def removals() -> tuple[Removals, Files]:
    files = Files()
    return Removals(files, structlog.stdlib.get_logger()), files


async def test_files_replaced_in_the_same_moment_go_at_once() -> None:
    those, files = removals()
    for name in "abc":
        await those.soon(name)
    assert files.deleted == []
    await those.end()
    assert files.deleted == [["a", "b", "c"]]


async def test_what_is_replaced_while_others_are_removed_goes_too() -> None:
    those, files = removals()
    await those.soon("a")
    await files.removing.wait()
    await those.soon("b")
    await those.end()
    await those.soon("c")
    await those.end()
    assert files.deleted == [["a"], ["b"], ["c"]]


async def test_a_file_that_stays_is_told_of_and_holds_up_no_other() -> None:
    those, files = removals()
    files.full = True
    await those.soon("a")
    with capture_logs() as logs:
        await those.end()
    files.full = False
    await those.soon("b")
    await those.end()
    assert [(line["event"], line["first"]) for line in logs] == [("files left behind", "a")]
    assert files.deleted == [["b"]]


async def test_who_replaces_files_faster_than_they_go_waits_for_them() -> None:
    those, files = removals()
    for number in range(MOST_WAITING - 1):
        await those.soon(str(number))
    assert files.deleted == []
    await those.soon("one too many")
    assert [len(paths) for paths in files.deleted] == [MOST_WAITING]


async def test_a_store_that_does_not_answer_holds_up_no_stop() -> None:
    those, files = removals()
    answer = asyncio.Event()

    async def never(_: list[str]) -> None:
        await answer.wait()

    files.delete = never  # type: ignore[method-assign,assignment]
    await those.soon("a")
    async with asyncio.timeout(5):
        await those.end(within=0.05)
    answer.set()
    await those.end()
