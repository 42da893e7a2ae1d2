"""What an upload brings, in either of its forms, and the measuring of its bytes while they pass."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from minato.http.asgi import Receive
from minato.json_text import JsonObject
from minato.storage.content import require_honest_type
from minato.storage.errors import StorageError, invalid_request, too_large
from minato.storage.multipart import open_form
from minato.storage.request import Request, parse_user_metadata

DEFAULT_TYPE = "application/octet-stream"
HEAD = 1024
# A file of at most so many bytes may be gathered in memory before anybody is asked about it.
AT_ONCE = 64 * 1024
# Of an upload at most so much is in memory: two parts of `object_store`, or a form's fields.
KEPT = 10 * 1024 * 1024


@dataclass
class UploadContent:
    """`length` is the declared length of the whole body, `raw` whether that is the file's own.

    `may_be_empty` is false where no bytes mean that the client sent none, not that the file has none.
    """

    mime_type: str
    cache_control: str
    user_metadata: JsonObject | None
    length: int | None
    raw: bool
    chunks: AsyncIterator[bytes]
    may_be_empty: bool = True

    async def gather(self) -> bytes | None:
        """The whole file; None where it ends before its end. `chunks` bring the same once more, the failure too."""
        try:
            whole = b"".join([chunk async for chunk in self.chunks])
        except StorageError as error:
            self.chunks = _failing(error)
            return None
        self.chunks = once(whole)
        return whole


async def open_content(request: Request) -> UploadContent:
    """The upload in the request's body, up to where the file's bytes begin."""
    content_type = request.headers.get("content-type", "")
    if content_type.lower().startswith("multipart/form-data"):
        return await _open_form(request, content_type)
    return UploadContent(
        mime_type=content_type or DEFAULT_TYPE,
        cache_control=request.headers.get("cache-control", "no-cache"),
        user_metadata=request.sent_metadata,
        length=declared_length(request),
        raw=True,
        chunks=counted(request, body_chunks(request.receive)),
        may_be_empty=request.method != "PUT" or bool(content_type),
    )


async def _open_form(request: Request, content_type: str) -> UploadContent:
    part = await open_form(content_type, counted(request, body_chunks(request.receive)))
    seconds = part.fields.get("cacheControl", b"").decode("latin-1")
    declared = part.fields.get("contentType", b"").decode("latin-1")
    sent = part.fields.get("metadata", part.fields.get("userMetadata"))
    return UploadContent(
        mime_type=declared or part.content_type or DEFAULT_TYPE,
        cache_control=f"max-age={seconds}" if seconds else "no-cache",
        user_metadata=parse_user_metadata(sent) if sent else None,
        length=declared_length(request),
        raw=False,
        chunks=part.chunks,
    )


def declared_length(request: Request) -> int | None:
    """The Content-Length, if there is one."""
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdecimal() else None


async def body_chunks(receive: Receive) -> AsyncIterator[bytes]:
    """The body as it comes. Raises InvalidRequest when the client goes before its end."""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise invalid_request("Request aborted")
        if message.get("body"):
            yield message["body"]
        if not message.get("more_body", False):
            return


async def counted(request: Request, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The chunks, of which what may be in memory counts to the sender's share. Raises SlowDown."""
    left = KEPT
    async for chunk in chunks:
        if more := min(left, len(chunk)):
            request.keep(more)
            left -= more
        yield chunk


async def once(content: bytes) -> AsyncIterator[bytes]:
    """The whole of it as a body that came."""
    if content:
        yield content


async def _failing(error: StorageError) -> AsyncIterator[bytes]:
    raise error
    yield b""


class Measured:
    """Bytes on their way to the disk: counted, hashed, and stopped at the limit."""

    def __init__(self, chunks: AsyncIterator[bytes], limit: int, honest_type: str | None = None) -> None:
        self._chunks = chunks
        self._limit = limit
        self._honest_type = honest_type
        self._md5 = hashlib.md5(usedforsecurity=False)
        self._head = b""
        self.size = 0

    @property
    def etag(self) -> str:
        """The quoted MD5 of what has passed."""
        return f'"{self._md5.hexdigest()}"'

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._chunks:
            self.take(chunk)
            yield chunk
        self.end()

    def take(self, chunk: bytes) -> None:
        """Some of the bytes. Raises EntityTooLarge."""
        self.size += len(chunk)
        if self.size > self._limit:
            raise too_large()
        self._md5.update(chunk)
        if self._honest_type is not None and len(self._head) < HEAD:
            self._head += chunk[: HEAD - len(self._head)]

    def end(self) -> None:
        """There are no more. Raises InvalidMimeType."""
        if self._honest_type is not None:
            require_honest_type(self._honest_type, self._head)
