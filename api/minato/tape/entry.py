"""One line of a tape: a request and its answer, without whatever opens a door."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import orjson

from minato.json_text import JsonObject

ANON, SERVICE = "anon", "service_role"
SECRET: Final = "«secret»"
LARGEST_BODY: Final = 1024 * 1024
# What a request is besides its method, path and body.
SENT: Final = (
    *("accept", "accept-profile", "content-profile", "content-type", "prefer", "range", "range-unit"),
    *("x-upsert", "cache-control", "x-region"),
)
# What is compared of an answer, a difference being one of grade S4.
COMPARED: Final = (
    *("content-type", "content-range", "content-location", "content-profile", "location", "preference-applied"),
    *("range-unit", "www-authenticate", "x-supabase-api-version", "allow"),
)
_JWT: Final = re.compile(r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}")
_KEY: Final = re.compile(r"sb_(?:publishable|secret)_[\w-]+")
_SECRET_NAMES: Final = frozenset(
    "password token token_hash access_token refresh_token provider_token provider_refresh_token apikey secret "
    "client_secret code code_verifier nonce hashed_token email_otp action_link captcha_token current_password "
    "qr_code samlresponse x-amz-credential x-amz-signature x-amz-security-token".split()
)
_SECRETS: Final = re.compile(rf"((?:^|[?&#])(?:{'|'.join(sorted(_SECRET_NAMES))})=)[^&#]+", re.IGNORECASE)
# What an authenticator app reads.
_SEED: Final = re.compile(r"otpauth://[^\s\"]+")


@dataclass(frozen=True)
class Entry:
    """`number` is the order in which requests came; `caller` anon, service_role, or user1, user2 …. A body that is no
    text, or too long, is None, and so is one that is not there."""

    number: int
    method: str
    path: str
    caller: str
    sent: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    answer: str | None = None

    def line(self) -> bytes:
        return orjson.dumps(asdict(self)) + b"\n"


class NotATape(Exception):
    """What is wrong with the file, in one sentence."""


def read_tape(path: Path) -> list[Entry]:
    """The entries, in the order in which the requests came. Raises NotATape."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise NotATape(f"{path} can't be read: {error.strerror}") from None
    try:
        return sorted((Entry(**orjson.loads(line)) for line in lines if line.strip()), key=lambda each: each.number)
    except (ValueError, TypeError) as error:
        raise NotATape(f"{path} is no tape: {error}") from None


def kept_body(body: bytes, content_type: str) -> str | None:
    """A body as it is kept.

    >>> kept_body(b'{"email": "a@b.c", "password": "x"}', "application/json")
    '{"email":"a@b.c","password":"«secret»"}'
    """
    if not body or len(body) > LARGEST_BODY:
        return None
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return None
    if "json" in content_type:
        try:
            return without_keys(orjson.dumps(_hidden(orjson.loads(body))).decode())
        except ValueError:
            pass
    return without_keys(_SECRETS.sub(rf"\1{SECRET}", text) if "urlencoded" in content_type else text)


def kept_path(path: str) -> str:
    """A path with its query, as it is kept.

    >>> kept_path("/auth/v1/verify?token=abc&type=signup")
    '/auth/v1/verify?token=«secret»&type=signup'
    """
    return without_keys(_SECRETS.sub(rf"\1{SECRET}", path))


def without_keys(text: str) -> str:
    """Without tokens and keys, wherever they stand."""
    return _SEED.sub(SECRET, _KEY.sub(SECRET, _JWT.sub(SECRET, text)))


def _hidden(value: object) -> object:
    if isinstance(value, dict):
        return {
            name: SECRET if name.lower() in _SECRET_NAMES and isinstance(each, str) else _hidden(each)
            for name, each in value.items()
        }
    return [_hidden(each) for each in value] if isinstance(value, list) else value


class Callers:
    """Who asks, by a name of this tape's own: users are counted in the order in which they come."""

    def __init__(self) -> None:
        self._users: dict[str, str] = {}

    def name(self, headers: Mapping[str, str]) -> str:
        """Anon where nobody says otherwise. What stands in a token is believed: nothing depends on it."""
        bearer = headers.get("authorization", "")
        given = bearer[7:].strip() if bearer[:7].lower() == "bearer " else ""
        for key in (given, headers.get("apikey", "")):
            if key.startswith("sb_secret_"):
                return SERVICE
            claims = _claims(key)
            if claims.get("sub"):
                return self._users.setdefault(str(claims["sub"]), f"user{len(self._users) + 1}")
            if claims:
                return SERVICE if claims.get("role") == SERVICE else ANON
        return ANON


def _claims(token: str) -> JsonObject:
    parts = token.split(".")
    if len(parts) != 3:
        return {}
    try:
        claims = orjson.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
    except (ValueError, binascii.Error):
        return {}
    return claims if isinstance(claims, dict) else {}
