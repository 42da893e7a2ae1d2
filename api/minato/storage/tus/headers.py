"""The headers of the protocol, read strictly; refusals are plain text, in the words of tus-node-server."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Mapping
from dataclasses import dataclass

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,creation-defer-length,termination,expiration,checksum"
# Name in Upload-Checksum → name in hashlib.
CHECKSUMS = {"sha1": "sha1", "sha256": "sha256", "md5": "md5"}
OFFSET_STREAM = "application/offset+octet-stream"
LENGTH_REQUIRED = "Upload-Length or Upload-Defer-Length header required\n"
NUMBER = re.compile(r"\d{1,18}", re.ASCII)


class TusError(Exception):
    """A refusal: HTTP status and body."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(body)
        self.status = status
        self.body = body


@dataclass(frozen=True)
class Checksum:
    """`algorithm` as hashlib knows it."""

    algorithm: str
    digest: bytes

    def require(self, found: bytes) -> None:
        """Raise 460, the protocol's own status, unless it is what was announced."""
        if not hmac.compare_digest(self.digest, found):
            raise TusError(460, "Checksum mismatch\n")


def require_version(headers: Mapping[str, str]) -> None:
    """Raise unless the client speaks this version."""
    version = headers.get("tus-resumable")
    if version is None:
        raise TusError(412, "Tus-Resumable Required\n")
    if version != VERSION:
        raise invalid("tus-resumable")


def read_number(headers: Mapping[str, str], name: str) -> int | None:
    """A header that is a number of bytes."""
    text = headers.get(name)
    if text is not None and not NUMBER.fullmatch(text):
        raise invalid(name)
    return None if text is None else int(text)


def read_length(headers: Mapping[str, str]) -> int | None:
    """The whole length a creation declares; None when it comes later. Exactly one of the two headers must be there."""
    length, defer = read_number(headers, "upload-length"), headers.get("upload-defer-length")
    if defer not in (None, "1"):
        raise invalid("upload-defer-length")
    if (length is None) == (defer is None):
        raise TusError(400, LENGTH_REQUIRED)
    return length


def read_checksum(headers: Mapping[str, str]) -> Checksum | None:
    """What the bytes of this request must hash to."""
    header = headers.get("upload-checksum")
    if header is None:
        return None
    name, _, value = header.partition(" ")
    if name not in CHECKSUMS:
        raise TusError(400, "Unsupported checksum algorithm\n")
    try:
        return Checksum(CHECKSUMS[name], base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError):
        raise invalid("upload-checksum") from None


def read_metadata(header: str | None) -> dict[str, str]:
    """Pairs of key and base64, with commas between.

    >>> read_metadata("a YQ==,b")
    {'a': 'a', 'b': ''}
    """
    if not header:
        raise TusError(400, "Metadata header is required")
    metadata: dict[str, str] = {}
    for pair in header.split(","):
        key, _, value = pair.strip().partition(" ")
        try:
            metadata[key] = base64.b64decode(value, validate=True).decode()
        except (binascii.Error, ValueError):
            raise invalid("upload-metadata") from None
        if not key or " " in value:
            raise invalid("upload-metadata")
    return metadata


def invalid(name: str) -> TusError:
    """The refusal of a header that is there and makes no sense."""
    return TusError(400, f"Invalid {name}\n")
