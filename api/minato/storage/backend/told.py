"""A remote store whose failures are told: in one sentence each to who asked, and in one log line for all of them.

A store that is away, or whose credentials were changed, fails each request. Its client's own words for that are some
thirty lines with the request's address, and the store's may repeat the key that it was shown: neither is passed on.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final
from urllib.parse import parse_qs, urlsplit

import structlog
from obstore.exceptions import BaseError, InvalidPathError
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from minato.storage.backend.base import FileBackend, StoredFile

OPERATIONS: Final = ("read", "write", "copy", "delete", "list")
STATUS: Final = re.compile(r"\bstatus code: (\d{3})\b")
CODE: Final = re.compile(r"<Code>([A-Za-z0-9.]{1,64})</Code>")
NO_BUCKET: Final = "NoSuchBucket"


class StoreFailed(Exception):
    """The store refused an operation, or did not answer: `status` and `code` are its own, as far as it gave any."""

    def __init__(self, operation: str, store: str, status: int | None, code: str | None) -> None:
        self.operation = operation
        self.status = status
        self.code = code
        self.reason = " ".join(str(part) for part in (status, code) if part) or "no answer"
        super().__init__(f"the file store {store} fails to {operation}: {self.reason}")


class StoreHealth(Collector):
    """Which operations of a store fail at present. Of each the log tells the first failure, and when it works again:
    a store may refuse writes alone."""

    def __init__(self, store: str, log: structlog.stdlib.BoundLogger) -> None:
        self.failing: dict[str, str] = {}
        self._store = store
        self._log = log
        self._failures = dict.fromkeys(OPERATIONS, 0)

    def failed(self, operation: str, reason: str) -> None:
        """It did; another reason is news, too."""
        self._failures[operation] += 1
        if self.failing.get(operation) != reason:
            self.failing[operation] = reason
            self._log.error("the file store fails", operation=operation, store=self._store, reason=reason)

    def worked(self, operation: str) -> None:
        """It did. What failed for the same reason is thought to work, too: it may be long until somebody asks."""
        reason = self.failing.get(operation)
        if reason is not None:
            self.failing = {other: told for other, told in self.failing.items() if told != reason}
            self._log.warning("the file store works again", operation=operation, store=self._store)

    def hampered(self) -> str | None:
        """What the store does not do at present, for whoever asks whether the server is ready."""
        return f"the file store fails to {', '.join(self.failing)}" if self.failing else None

    def collect(self) -> Iterator[Metric]:
        """Every series with its value now."""
        failing = GaugeMetricFamily(
            "minato_file_store_failing", "1 while the store of STORAGE_URL fails in it", None, ["operation"]
        )
        failures = CounterMetricFamily("minato_file_store_failures", "How often it did", None, ["operation"])
        for operation, count in self._failures.items():
            failing.add_metric([operation], operation in self.failing)
            failures.add_metric([operation], count)
        yield from (failing, failures)


class ToldStore:
    """A `FileBackend` above a remote one. Where that fails it raises `StoreFailed`, and `health` knows."""

    def __init__(self, files: FileBackend, url: str, health: StoreHealth) -> None:
        self._files = files
        self._store = shown_store(url)
        self._health = health

    async def write(self, path: str, chunks: AsyncIterable[bytes]) -> None:
        with self._telling("write"):
            await self._files.write(path, chunks)

    async def create(self, path: str, content: bytes) -> None:
        with self._telling("write"):
            await self._files.create(path, content)

    async def read(self, path: str, start: int, stop: int) -> AsyncIterator[bytes]:
        with self._telling("read"):
            chunks = await self._files.read(path, start, stop)
        return self._told_chunks(chunks)

    async def _told_chunks(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        with self._telling("read"):
            async for chunk in chunks:
                yield chunk

    async def copy(self, source: str, target: str) -> None:
        with self._telling("copy"):
            await self._files.copy(source, target)

    async def delete(self, paths: list[str]) -> None:
        with self._telling("delete"):
            await self._files.delete(paths)

    async def list(self, prefix: str, after: str = "") -> AsyncIterator[list[StoredFile]]:
        with self._telling("list"):
            async for batch in self._files.list(prefix, after):
                yield batch

    async def clear_partial(self, prefix: str, before: datetime) -> None:
        await self._files.clear_partial(prefix, before)

    def close(self) -> None:
        self._files.close()

    @contextmanager
    def _telling(self, operation: str) -> Iterator[None]:
        """Raise `StoreFailed` for what the store did; what was raised by others passes, and says nothing of it."""
        try:
            yield
        except InvalidPathError:
            raise
        except (BaseError, FileNotFoundError) as error:
            failed = self._failure(operation, error)
            if failed is None:
                self._health.worked(operation)
                raise
            self._health.failed(operation, failed.reason)
            raise failed from None
        self._health.worked(operation)

    def _failure(self, operation: str, error: Exception) -> StoreFailed | None:
        """What is to be told; None where a file is missing, which is for who asked for it."""
        text = str(error)
        status, code = STATUS.search(text), CODE.search(text)
        is_missing = isinstance(error, FileNotFoundError)
        if is_missing and operation in ("read", "copy", "delete") and (code is None or code[1] != NO_BUCKET):
            return None
        told = int(status[1]) if status else 404 if is_missing else None
        return StoreFailed(operation, self._store, told, code[1] if code else None)


def shown_store(url: str) -> str:
    """Which store that is, without what may be a password.

    >>> shown_store("s3://files/mine?endpoint=http://me:secret@10.0.0.1:9000&region=eu")
    's3://files/mine at 10.0.0.1:9000'
    >>> shown_store("https://me:secret@files.example/mine")
    'https://files.example/mine'
    """
    parts = urlsplit(url)
    endpoint = parse_qs(parts.query).get("endpoint", [""])[0]
    place = f"{parts.scheme}://{_host(parts.netloc)}{parts.path}"
    return f"{place} at {_host(urlsplit(endpoint).netloc)}" if endpoint else place


def _host(netloc: str) -> str:
    return netloc.rpartition("@")[2]
