"""`jwt-secret` in all its forms: a text, bytes in base64, a JWK, a set of them, or `@` and the file that holds one."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path

import orjson

from minato.config.rest import RestSettings
from minato.json_text import JsonMapping
from minato.tokens.jwk_set import algorithms_of
from minato.tokens.keys import Key, KeySet, TokenKeys, key_from_jwk, secret_key

SHORTEST = 32


class Keyring:
    """The keys that verify tokens under the settings in force, which the database may change."""

    def __init__(self, otherwise: TokenKeys | None) -> None:
        self._otherwise = otherwise
        self._made: tuple[tuple[object, ...], KeySet] | None = None

    def of(self, settings: RestSettings) -> TokenKeys | None:
        """The keys of `settings`, which alone count where there are some, else those we were made with.

        Raises ValueError for a secret that can't be.
        """
        secret = settings.jwt_secret
        if secret is None:
            return self._otherwise
        basis = (secret, settings.jwt_secret_is_base64, settings.jwt_cache_max_entries)
        if self._made is None or self._made[0] != basis:
            keys = read_secret(secret.get_secret_value(), settings.jwt_secret_is_base64)
            self._made = (basis, KeySet(keys, settings.jwt_cache_max_entries))
        return self._made[1]


def read_secret(text: str, is_base64: bool) -> list[Key]:
    """The keys `text` stands for. Raises ValueError."""
    if text.startswith("@"):
        text = Path(text[1:]).read_text().removesuffix("\n")
    secret = _decoded(text) if is_base64 else text.encode()
    try:
        document = orjson.loads(secret)
    except orjson.JSONDecodeError:
        document = None
    if isinstance(document, dict) and "keys" in document:
        return [key for each in document["keys"] for key in _keys(each)]
    if isinstance(document, dict) and "kty" in document:
        return _keys(document)
    if len(secret) < SHORTEST:
        raise ValueError("The JWT secret must be at least 32 characters long.")
    return [secret_key(secret)]


def _keys(document: JsonMapping) -> list[Key]:
    return [key_from_jwk({**document, "alg": each}) for each in algorithms_of(document)]


def _decoded(text: str) -> bytes:
    # The reference takes the URL-safe alphabet too, and a dot for padding.
    plain = text.strip().translate(str.maketrans("_-.", "/+="))
    try:
        return base64.b64decode(plain, validate=True)
    except binascii.Error as error:
        raise ValueError(f"jwt-secret is not base64: {error}") from None
