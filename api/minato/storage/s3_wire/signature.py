"""Signature Version 4: what a client signed, read from headers or from a presigned URL, and signed again.

https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote_plus

from minato.http.asgi import Header
from minato.storage.s3_wire.errors import bad_signature, denied

ALGORITHM = "AWS4-HMAC-SHA256"
UNSIGNED = "UNSIGNED-PAYLOAD"
TIME = re.compile(r"\d{8}T\d{6}Z", re.ASCII)
LONGEST_LIFE = 7 * 24 * 3600
UNRESERVED = "-_.~"


@dataclass(frozen=True)
class ClientSignature:
    """`time` as the client wrote it, `lifetime` in seconds for a presigned URL, `payload_hash` as it was signed."""

    access_key: str
    date: str
    region: str
    service: str
    signed_headers: tuple[str, ...]
    signature: str
    time: str
    payload_hash: str
    session_token: str | None = field(repr=False)
    lifetime: int | None = None

    @property
    def scope(self) -> str:
        return f"{self.date}/{self.region}/{self.service}/aws4_request"


def read_signature(headers: Mapping[str, str], query: Mapping[str, str]) -> ClientSignature:
    """The request's signature. Raises AccessDenied without one, InvalidSignature when it can't be read."""
    authorization = headers.get("authorization", "")
    if authorization.startswith(f"{ALGORITHM} "):
        return _from_headers(authorization, headers)
    if "X-Amz-Credential" in query:
        return _from_query(query)
    raise denied("Missing signature")


def _from_headers(authorization: str, headers: Mapping[str, str]) -> ClientSignature:
    pairs = (part.strip().partition("=") for part in authorization.removeprefix(ALGORITHM).split(","))
    said = {name: value for name, _, value in pairs}
    return _read(
        said.get("Credential"),
        said.get("SignedHeaders"),
        said.get("Signature"),
        headers.get("x-amz-date"),
        headers.get("x-amz-content-sha256", UNSIGNED),
        headers.get("x-amz-security-token"),
        None,
    )


def _from_query(query: Mapping[str, str]) -> ClientSignature:
    if query.get("X-Amz-Algorithm", ALGORITHM) != ALGORITHM:
        raise bad_signature("Unsupported authorization type")
    lifetime = query.get("X-Amz-Expires", "")
    # A signature that says no end would be good for ever; AWS refuses it too.
    if not re.fullmatch(r"\d{1,6}", lifetime, re.ASCII) or int(lifetime) > LONGEST_LIFE:
        raise bad_signature("Invalid expiration")
    return _read(
        query.get("X-Amz-Credential"),
        query.get("X-Amz-SignedHeaders"),
        query.get("X-Amz-Signature"),
        query.get("X-Amz-Date"),
        query.get("X-Amz-Content-Sha256", UNSIGNED),
        query.get("X-Amz-Security-Token"),
        int(lifetime),
    )


def _read(
    credential: str | None,
    signed_headers: str | None,
    signature: str | None,
    time: str | None,
    payload_hash: str,
    session_token: str | None,
    lifetime: int | None,
) -> ClientSignature:
    if credential is None or not signed_headers or not signature or time is None or not TIME.fullmatch(time):
        raise bad_signature()
    parts = credential.rsplit("/", 4)
    if len(parts) != 5 or parts[1] != time[:8] or parts[4] != "aws4_request":
        raise bad_signature("Invalid credentials")
    names = tuple(sorted(signed_headers.lower().split(";")))
    return ClientSignature(
        parts[0], parts[1], parts[2], parts[3], names, signature, time, payload_hash, session_token, lifetime
    )


@dataclass(frozen=True)
class Signer:
    """Signs as the client would: `key` is derived from the secret for one day, region and service."""

    key: bytes = field(repr=False)
    time: str
    scope: str

    @classmethod
    def of(cls, secret: str, signature: ClientSignature) -> Signer:
        key = f"AWS4{secret}".encode()
        for part in (signature.date, signature.region, signature.service, "aws4_request"):
            key = hmac.digest(key, part.encode(), "sha256")
        return cls(key, signature.time, signature.scope)

    def sign(self, kind: str, *lines: str) -> str:
        """The hex signature of `lines`; `kind` names the algorithm and what is signed."""
        text = "\n".join((kind, self.time, self.scope, *lines))
        return hmac.new(self.key, text.encode(), "sha256").hexdigest()

    def sign_request(self, canonical: str) -> str:
        return self.sign(ALGORITHM, hashlib.sha256(canonical.encode("latin-1", "replace")).hexdigest())


def canonical_request(
    method: str, raw_path: str, query_string: str, headers: Iterable[Header], signature: ClientSignature
) -> str:
    """The request in the one form both sides sign; the path is taken as it was sent."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name.decode("latin-1"), []).append(" ".join(value.decode("latin-1").split()))
    signed = [f"{name}:{','.join(values[name])}\n" for name in signature.signed_headers if name in values]
    return "\n".join(
        (
            method,
            raw_path,
            canonical_query(query_string),
            "".join(signed),
            ";".join(signature.signed_headers),
            signature.payload_hash,
        )
    )


def canonical_query(query_string: str) -> str:
    """Parameters encoded alike and sorted, without the signature itself.

    >>> canonical_query("b=2&a=x+y&c&X-Amz-Signature=9")
    'a=x%20y&b=2&c='
    """
    pairs = (part.partition("=") for part in query_string.split("&") if part)
    encoded = sorted((_encode(name), _encode(value)) for name, _, value in pairs)
    return "&".join(f"{name}={value}" for name, value in encoded if name != "X-Amz-Signature")


def _encode(text: str) -> str:
    return quote(unquote_plus(text, encoding="utf-8", errors="surrogateescape"), UNRESERVED, errors="surrogateescape")
