"""An S3 store that is silent, slow, or cuts its connections, by the eyes of who reads and writes files there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic

import pytest
import structlog
from minato.storage.backend.base import FileBackend
from minato.storage.backend.object_store import Patience, create_file_backend
from minato.storage.backend.told import StoreFailed, StoreHealth, ToldStore, shown_store
from obstore.exceptions import BaseError
from structlog.testing import capture_logs

SIZE = 6 * 1024 * 1024
IMPATIENT = Patience(silence=timedelta(seconds=0.5), retries=timedelta(seconds=0.2))
Answer = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def store(answer: Answer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FileBackend]:
    """The files of a store that answers each request, given its head, like this."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(await reader.readuntil(b"\r\n\r\n"), writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield create_file_backend(
            f"s3://files/x?endpoint=http://127.0.0.1:{port}&region=us-east-1", tmp_path, IMPATIENT
        )
    finally:
        server.close()


def wanted(head: bytes) -> int:
    """The first byte that is asked for."""
    found = re.search(rb"range: bytes=(\d+)-", head, re.IGNORECASE)
    return int(found[1]) if found else 0


async def begin(writer: asyncio.StreamWriter, start: int) -> None:
    """The head of the answer with all bytes from there on."""
    head = f"HTTP/1.1 206 OK\r\ncontent-length: {SIZE - start}\r\ncontent-range: bytes {start}-{SIZE - 1}/{SIZE}\r\n"
    writer.write(f'{head}etag: "e"\r\nlast-modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n\r\n'.encode())
    await writer.drain()


async def never(head: bytes, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def whole(head: bytes, writer: asyncio.StreamWriter) -> None:
    await begin(writer, wanted(head))
    writer.write(bytes(SIZE - wanted(head)))
    await writer.drain()


async def a_part(head: bytes, writer: asyncio.StreamWriter) -> None:
    await begin(writer, wanted(head))
    writer.write(bytes(min(SIZE - wanted(head), 2_000_000)))
    await writer.drain()


async def half_and_no_more(head: bytes, writer: asyncio.StreamWriter) -> None:
    await begin(writer, wanted(head))
    writer.write(bytes(max(0, SIZE // 2 - wanted(head))))
    await writer.drain()


async def one() -> AsyncIterator[bytes]:
    yield b"x"


async def length(chunks: AsyncIterator[bytes], pause: float = 0) -> int:
    size = 0
    async for chunk in chunks:
        size += len(chunk)
        await asyncio.sleep(pause)
    return size


async def test_nobody_waits_long_for_a_store_that_never_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store(never, tmp_path, monkeypatch) as files:
        begun = monotonic()
        with pytest.raises(BaseError):
            await files.read("a", 0, 10)
        with pytest.raises(BaseError):
            await files.write("a", one())
        assert monotonic() - begun < 10


async def test_a_reader_may_take_longer_than_the_store_may_be_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with store(whole, tmp_path, monkeypatch) as files:
        assert await length(await files.read("a", 0, SIZE), pause=0.6) == SIZE


async def test_a_download_goes_on_where_the_store_cut_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with store(a_part, tmp_path, monkeypatch) as files:
        assert await length(await files.read("a", 0, SIZE), pause=0.1) == SIZE


async def test_a_download_that_gets_no_further_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with store(half_and_no_more, tmp_path, monkeypatch) as files:
        with pytest.raises(BaseError):
            await length(await files.read("a", 0, SIZE))


@pytest.mark.parametrize("status", ["501 Not Implemented", "200 OK"])
async def test_a_store_that_knows_no_conditional_writes_is_asked_for_one_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    asked: list[bool] = []

    async def answer(head: bytes, writer: asyncio.StreamWriter) -> None:
        asked.append(b"if-none-match" in head.lower())
        told = status if asked[-1] else "200 OK"
        writer.write(f'HTTP/1.1 {told}\r\netag: "e"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'.encode())
        await writer.drain()

    async with store(answer, tmp_path, monkeypatch) as files:
        await files.create("a", b"x")
        known = len(asked)
        await files.create("a", b"x")
    # One that does not know says so, or does it without a word.
    assert asked[known:] == [status == "200 OK"]


async def test_a_refusal_of_another_kind_is_no_sign_of_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def answer(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()

    async with store(answer, tmp_path, monkeypatch) as files:
        with pytest.raises(BaseError):
            await files.create("a", b"x")


async def test_what_is_there_is_not_created(tmp_path: Path) -> None:
    files = create_file_backend(f"file://{tmp_path}", tmp_path)
    await files.create("a/b", b"one")
    with pytest.raises(FileExistsError):
        await files.create("a/b", b"two")
    assert await length(await files.read("a/b", 0, 3)) == 3
    files.close()


OPERATIONS: dict[str, Callable[[FileBackend], Awaitable[object]]] = {
    "read": lambda files: files.read("a", 0, 10),
    "write": lambda files: files.write("a", one()),
    "copy": lambda files: files.copy("a", "b"),
    "delete": lambda files: files.delete(["a", "b"]),
    "list": lambda files: anext(files.list("a")),
}


REFUSALS = [
    pytest.param(
        "403 Forbidden\r\n\r\n<Error><Code>SignatureDoesNotMatch</Code><Key>secret</Key></Error>",
        "403 SignatureDoesNotMatch",
        id="refused",
    ),
    pytest.param("500 Internal Server Error\r\n\r\n", "500", id="broken"),
    pytest.param(None, "no answer", id="silent"),
]
NO_BUCKET = pytest.param("404 Not Found\r\n\r\n<Error><Code>NoSuchBucket</Code></Error>", "404 NoSuchBucket", id="gone")
# Of a bucket that is gone there is nothing to delete.
MET = [
    pytest.param(operation, *answer.values, id=f"{operation}-{answer.id}")
    for operation in OPERATIONS
    for answer in (*REFUSALS, *([NO_BUCKET] if operation != "delete" else []))
]


@pytest.mark.parametrize(("operation", "answer", "reason"), MET)
async def test_what_a_store_refuses_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str, answer: str | None, reason: str
) -> None:
    async def refuse(head: bytes, writer: asyncio.StreamWriter) -> None:
        if answer is not None:
            said, _, body = answer.partition("\r\n\r\n")
            writer.write(f"HTTP/1.1 {said}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode())
            await writer.drain()

    async with store(refuse, tmp_path, monkeypatch) as files:
        url = "s3://files/x?endpoint=http://me:secret@store.example:9000"
        health = StoreHealth(shown_store(url), structlog.stdlib.get_logger())
        told = ToldStore(files, url, health)
        with capture_logs() as logged, pytest.raises(StoreFailed) as raised:
            await OPERATIONS[operation](told)
    assert str(raised.value) == f"the file store s3://files/x at store.example:9000 fails to {operation}: {reason}"
    assert [line["event"] for line in logged] == ["the file store fails"]
    assert health.hampered() == f"the file store fails to {operation}"


async def test_a_file_that_a_store_lacks_is_no_failure_of_the_store(tmp_path: Path) -> None:
    files = create_file_backend(f"file://{tmp_path}", tmp_path)
    health = StoreHealth("s3://files", structlog.stdlib.get_logger())
    with pytest.raises(FileNotFoundError):
        await ToldStore(files, "s3://files", health).read("a/b", 0, 3)
    assert health.hampered() is None
    files.close()


def test_what_failed_for_one_reason_works_again_together_and_the_log_says_each_once() -> None:
    health = StoreHealth("s3://files", structlog.stdlib.get_logger())
    with capture_logs() as logged:
        for operation in ("write", "delete", "write"):
            health.failed(operation, "403 AccessDenied")
        health.failed("copy", "500")
        health.worked("write")
    told = [(line["event"].rpartition(" ")[2], line["operation"]) for line in logged]
    assert told == [("fails", "write"), ("fails", "delete"), ("fails", "copy"), ("again", "write")]
    assert health.hampered() == "the file store fails to copy"
