"""Bodies of S3 that come in pieces: what one upload costs leaves time for others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from minato.storage.s3_wire.caller import Proof
from minato.storage.s3_wire.chunked import AT_ONCE, UNSIGNED_TRAILER, ChunkedPayload
from minato.storage.s3_wire.signature import ClientSignature, Signer

SIGNATURE = ClientSignature("key", "20260101", "local", "s3", ("host",), "0", "20260101T000000Z", "", None)
PROOF = Proof(SIGNATURE, Signer.of("secret", SIGNATURE))


async def test_an_upload_in_pieces_of_a_byte_lets_others_go_on() -> None:
    turns = 0

    async def at_once() -> AsyncIterator[bytes]:
        yield b"1\r\nx\r\n" * (10 * AT_ONCE) + b"0\r\n\r\n"

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(others())
    read = [piece async for piece in ChunkedPayload(at_once(), UNSIGNED_TRAILER, PROOF)]
    beside.cancel()
    assert len(read) == 10 * AT_ONCE
    assert turns >= 10
