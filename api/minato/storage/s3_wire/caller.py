"""Who signed: the holder of the key pair, who may everything, or a user whose token came along, under its policies."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from datetime import UTC, datetime

from minato.clock import Clock
from minato.storage.access_token import read_caller
from minato.storage.request import Request
from minato.storage.s3_wire.errors import bad_signature, denied, expired, signature_mismatch, skewed, unknown_access_key
from minato.storage.s3_wire.signature import ClientSignature, Signer, canonical_request, read_signature
from minato.tokens.caller import SERVICE_ROLE, Caller
from minato.tokens.keys import TokenKeys

SERVICE = "s3"
ANY_REGION = ("auto", "us-east-1", "")
# What AWS allows a client's clock to be wrong.
SKEW = 15 * 60


@dataclass(frozen=True)
class S3Credentials:
    """`access_key` with `secret` is the service; `tenant` with `anon_key` and a session token is that token's user."""

    access_key: str
    secret: str = field(repr=False)
    tenant: str
    anon_key: str
    region: str
    enforce_region: bool
    prefix: str


@dataclass(frozen=True)
class Proof:
    """What was signed, and the means to check the signatures of a body that comes in signed pieces."""

    signature: ClientSignature
    signer: Signer


def authenticate(
    credentials: S3Credentials, keys: TokenKeys, clock: Clock, request: Request, raw_path: str
) -> tuple[Caller, Proof]:
    """The caller and the proof. Raises StorageError."""
    signature = read_signature(request.headers, request.query)
    signer = Signer.of(_secret(credentials, signature), signature)
    _require_signed(signature, request)
    query = request.scope["query_string"].decode("latin-1")
    headers = _as_the_client_sent(request)
    canonical = canonical_request(request.method, credentials.prefix + raw_path, query, headers, signature)
    if not hmac.compare_digest(signer.sign_request(canonical).encode(), signature.signature.encode()):
        raise signature_mismatch()
    _require_current(signature, clock.timestamp())
    if signature.session_token is None:
        return Caller(SERVICE_ROLE, {"role": SERVICE_ROLE}), Proof(signature, signer)
    return read_caller(keys, clock, f"Bearer {signature.session_token}"), Proof(signature, signer)


def _secret(credentials: S3Credentials, signature: ClientSignature) -> str:
    if signature.service != SERVICE:
        raise denied("Invalid Service")
    foreign = signature.region not in (credentials.region, *(() if credentials.enforce_region else ANY_REGION))
    if foreign:
        raise denied("Invalid Region")
    as_user = signature.session_token is not None
    known = credentials.tenant if as_user else credentials.access_key
    if not hmac.compare_digest(known.encode(), signature.access_key.encode()):
        raise unknown_access_key()
    return credentials.anon_key if as_user else credentials.secret


def _require_signed(signature: ClientSignature, request: Request) -> None:
    """What steers the request must be signed, or whoever carries it could turn an upload into a copy."""
    steering = {name for name in request.headers if name.startswith("x-amz-") and name != "x-amz-content-sha256"}
    if signature.lifetime is None:
        steering.add("x-amz-date")
    if not {"host", *steering} <= set(signature.signed_headers):
        raise denied("There were headers present in the request which were not signed")


def _as_the_client_sent(request: Request) -> list[tuple[bytes, bytes]]:
    """The headers; behind a trusted proxy the client named another host."""
    headers: list[tuple[bytes, bytes]] = list(request.scope["headers"])
    host = request.headers.get("x-forwarded-host")
    if host is None:
        return headers
    return [*(header for header in headers if header[0] != b"host"), (b"host", host.encode("latin-1"))]


def _require_current(signature: ClientSignature, now: float) -> None:
    try:
        signed = datetime.strptime(signature.time, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise bad_signature() from None
    if signed - now > SKEW or (signature.lifetime is None and now - signed > SKEW):
        raise skewed()
    if signature.lifetime is not None and now > signed + signature.lifetime:
        raise expired()
