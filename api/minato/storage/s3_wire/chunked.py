"""`aws-chunked`: a body in pieces, each with its size and mostly its signature, then trailers.

https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
from collections.abc import AsyncIterator

from minato.storage.errors import invalid_request
from minato.storage.s3_wire.caller import Proof
from minato.storage.s3_wire.errors import signature_mismatch

SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
SIGNED_TRAILER = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
KINDS = (SIGNED, SIGNED_TRAILER, UNSIGNED_TRAILER)
HEADER = re.compile(rb"([0-9a-fA-F]{1,15})(?:;chunk-signature=([0-9a-f]{64}))?")
LONGEST_LINE = 1024
MOST_TRAILERS = 8
# Of one byte each, ten thousand pieces come at once: between so many, others are served.
AT_ONCE = 200
EMPTY = hashlib.sha256().hexdigest()


class ChunkedPayload:
    """The bytes inside; `trailers` is filled when they have all been read. Raises StorageError while being read."""

    def __init__(self, body: AsyncIterator[bytes], kind: str, proof: Proof) -> None:
        self.trailers: dict[str, str] = {}
        self._body = body
        self._kind = kind
        self._proof = proof
        self._previous = proof.signature.signature
        self._buffer = bytearray()
        self._pieces = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            size, signature = await self._header()
            digest = hashlib.sha256()
            async for piece in self._take(size):
                digest.update(piece)
                yield piece
            self._verify("AWS4-HMAC-SHA256-PAYLOAD", signature, EMPTY, digest.hexdigest())
            if not size:
                break
            if await self._line() != b"":
                raise invalid_request("Missing CRLF after chunk data")
        await self._read_trailers()
        if self._buffer or await anext(self._body, None) is not None:
            raise invalid_request("Unexpected data after final chunk")

    async def _header(self) -> tuple[int, bytes | None]:
        self._pieces += 1
        if self._pieces % AT_ONCE == 0:
            await asyncio.sleep(0)
        found = HEADER.fullmatch(await self._line())
        if found is None:
            raise invalid_request("Invalid chunk header")
        return int(found[1], 16), found[2]

    def _verify(self, kind: str, signature: bytes | None, *lines: str) -> None:
        if self._kind == UNSIGNED_TRAILER:
            return
        expected = self._proof.signer.sign(kind, self._previous, *lines)
        if signature is None or not hmac.compare_digest(expected.encode(), signature):
            raise signature_mismatch()
        self._previous = expected

    async def _read_trailers(self) -> None:
        signature, signed = None, ""
        while line := await self._line():
            name, _, value = line.decode("latin-1").partition(":")
            if name.strip().lower() == "x-amz-trailer-signature":
                signature = value.strip().encode("latin-1")
                continue
            if len(self.trailers) == MOST_TRAILERS:
                raise invalid_request("Invalid trailer")
            self.trailers[name.strip().lower()] = value.strip()
            signed += f"{name.strip().lower()}:{value.strip()}\n"
        if self._kind == SIGNED_TRAILER:
            self._verify("AWS4-HMAC-SHA256-TRAILER", signature, hashlib.sha256(signed.encode("latin-1")).hexdigest())

    async def _line(self) -> bytes:
        """Up to the next CRLF, which is taken too."""
        while (end := self._buffer.find(b"\r\n")) < 0:
            if len(self._buffer) > LONGEST_LINE:
                raise invalid_request("Invalid chunk header")
            await self._fill()
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 2]
        return line

    async def _take(self, size: int) -> AsyncIterator[bytes]:
        while size:
            if not self._buffer:
                await self._fill()
            piece = bytes(self._buffer[:size])
            del self._buffer[:size]
            size -= len(piece)
            yield piece

    async def _fill(self) -> None:
        chunk = await anext(self._body, None)
        if chunk is None:
            raise invalid_request("Unexpected end of chunk data")
        self._buffer += chunk
