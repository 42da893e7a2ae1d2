"""The body of an S3 request: unpacked, and compared with every hash and checksum the client gave of it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import zlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from minato.json_text import JsonObject
from minato.storage.errors import invalid_request, too_large
from minato.storage.request import Request
from minato.storage.s3_wire.caller import Proof
from minato.storage.s3_wire.chunked import KINDS, ChunkedPayload
from minato.storage.s3_wire.errors import denied, malformed_xml, refuse
from minato.storage.s3_wire.signature import UNSIGNED
from minato.storage.s3_wire.xml import Element, NotXml, parse_xml
from minato.storage.upload_content import body_chunks, counted, declared_length

SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
XML_LIMIT = 2 * 1024 * 1024
CHECKSUM = "x-amz-checksum-"


class Digest(Protocol):
    """Part of what hashlib's objects do."""

    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


class Crc32:
    """zlib's checksum in the shape of a hash."""

    def __init__(self) -> None:
        self._value = 0

    def update(self, data: bytes, /) -> None:
        self._value = zlib.crc32(data, self._value)

    def digest(self) -> bytes:
        return self._value.to_bytes(4, "big")


# CRC-32C and CRC-64 would have to run in Python, at a hundredth of the disk's speed: they are not compared.
DIGESTS: JsonObject = {
    "crc32": Crc32,
    "sha1": lambda: hashlib.sha1(usedforsecurity=False),
    "sha256": hashlib.sha256,
}


@dataclass
class S3Request(Request):
    """A request with the proof of who sent it. The caller is always known."""

    proof: Proof = field(kw_only=True)


def payload_length(request: S3Request) -> int | None:
    """Bytes of the object itself, when declared."""
    if request.proof.signature.payload_hash in KINDS:
        text = request.headers.get("x-amz-decoded-content-length", "")
        return int(text) if re.fullmatch(r"\d{1,18}", text, re.ASCII) else None
    return declared_length(request)


async def payload(request: S3Request, names_checksums: bool = True) -> AsyncIterator[bytes]:
    """The object's bytes; raises StorageError at their end when they are not what was announced.

    Without `names_checksums` the checksums among the headers are of something else than this body.
    """
    signed = request.proof.signature.payload_hash
    body = counted(request, body_chunks(request.receive))
    chunked = ChunkedPayload(body, signed, request.proof) if signed in KINDS else None
    if chunked is None and signed != UNSIGNED and not SHA256.fullmatch(signed):
        raise denied("Invalid x-amz-content-sha256")
    digests = _expected(request, names_checksums)
    size = 0
    async for chunk in chunked or body:
        size += len(chunk)
        for digest in digests.values():
            digest.update(chunk)
        yield chunk
    if payload_length(request) not in (None, size):
        raise refuse(400, "IncompleteBody", "You did not provide the number of bytes specified by the Content-Length")
    _compare(request, digests, chunked.trailers if chunked is not None else {})


async def compared(request: S3Request, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The chunks of a whole object; raises StorageError at their end when a header gives them another checksum."""
    digests = _checksums(request.headers)
    async for chunk in chunks:
        for digest in digests.values():
            digest.update(chunk)
        yield chunk
    _compare(request, digests, {})


def _checksums(names: Iterable[str]) -> dict[str, Digest]:
    """What to compute of those that are checksums we know."""
    kinds = {name: name.removeprefix(CHECKSUM) for name in names if name.startswith(CHECKSUM)}
    return {name: DIGESTS[kind]() for name, kind in kinds.items() if kind in DIGESTS}


def _expected(request: S3Request, names_checksums: bool) -> dict[str, Digest]:
    """What to compute, by the name of what it is compared with."""
    digests: dict[str, Digest] = {}
    if SHA256.fullmatch(request.proof.signature.payload_hash):
        digests["payload"] = hashlib.sha256()
    if "content-md5" in request.headers:
        digests["content-md5"] = hashlib.md5(usedforsecurity=False)
    announced = [name.strip().lower() for name in request.headers.get("x-amz-trailer", "").split(",")]
    return digests | _checksums([*(request.headers if names_checksums else ()), *announced])


def _compare(request: S3Request, digests: dict[str, Digest], trailers: dict[str, str]) -> None:
    for name, digest in digests.items():
        if name == "payload":
            given, found = request.proof.signature.payload_hash, digest.digest().hex()
        else:
            given = trailers.get(name) or request.headers.get(name, "")
            found = base64.b64encode(digest.digest()).decode()
        if not hmac.compare_digest(given.encode(), found.encode()):
            code = "XAmzContentSHA256Mismatch" if name == "payload" else "BadDigest"
            raise refuse(400, code, f"The {name} you specified did not match what we received")


async def xml_payload(request: S3Request, names_checksums: bool = True) -> Element:
    """The body as XML. Raises MalformedXML or EntityTooLarge."""
    content = bytearray()
    async for chunk in payload(request, names_checksums):
        content += chunk
        if len(content) > XML_LIMIT:
            raise too_large()
    try:
        return parse_xml(bytes(content))
    except NotXml:
        raise malformed_xml() from None


def amz_metadata(request: Request) -> dict[str, str] | None:
    """The `x-amz-meta-*` headers, the user's own metadata."""
    prefix = "x-amz-meta-"
    found = {name.removeprefix(prefix): value for name, value in request.headers.items() if name.startswith(prefix)}
    return found or None


def read_count(request: Request, name: str, default: int, least: int = 0, most: int = 1000) -> int:
    """A parameter that is a number; over `most` it is `most`."""
    text = request.query.get(name) or str(default)
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or int(text) < least:
        raise invalid_request(f"querystring/{name} must be integer >= {least}", "Error")
    return min(int(text), most)
