"""Which keys sign and verify the tokens of a backend's users, by its settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import orjson

from minato.config.server import ServerSettings
from minato.json_text import JsonMapping, JsonObject
from minato.tokens.keys import Key, KeySet, key_from_jwk, secret_key
from minato.tokens.own_key import own_jwk

BRIEFLY: Final = 600


def user_keys(server: ServerSettings, jwt_secret: str) -> KeySet:
    """In development a key signs, as in the Supabase CLI's local stack. In production the secret does, where nobody has
    given a key or asked for one: services out there may verify with it."""
    by_secret = server.hs256_tokens
    if by_secret is None and server.environment == "development":
        by_secret = False
    return KeySet(load_keys(jwt_secret, server.jwt_keys.get_secret_value() if server.jwt_keys else None, by_secret))


def signs_by_key(keys: KeySet) -> bool:
    """Whether programs verify these tokens by the published keys, not with the secret."""
    return keys.signing_key is not None and keys.signing_key.public_jwk is not None


def claims_of(user: JsonMapping, issuer: str, audience: str, now: float) -> JsonObject:
    """What a developer's token for a user says, for ten minutes from `now` on. It is of no session."""
    return {
        "iss": issuer,
        "sub": user["id"],
        "aud": user.get("aud") or audience,
        "iat": int(now),
        "exp": int(now) + BRIEFLY,
        "email": user.get("email") or "",
        "phone": user.get("phone") or "",
        "app_metadata": user.get("app_metadata") or {},
        "user_metadata": user.get("user_metadata") or {},
        "role": user.get("role") or "authenticated",
        "aal": "aal1",
        "is_anonymous": False,
    }


class UnusableKeys(ValueError):
    """GOTRUE_JWT_KEYS holds what is no key of ours; none of it is in the text."""


def load_keys(secret: str, jwks: str | None, by_secret: bool | None = False) -> list[Key]:
    """The keys of a backend, the one that signs first; all of them verify, so that sessions outlive a change.

    `jwks` is a JWK array, of which one may sign; without such a key the backend's own does, which follows from the
    secret. With `by_secret` the secret signs instead, with None only where `jwks` has no key that signs. Raises
    `UnusableKeys`.
    """
    try:
        given = [key_from_jwk(document) for document in orjson.loads(jwks or "[]")]
    except ValueError as error:
        raise UnusableKeys(f"GOTRUE_JWT_KEYS: {error}.") from error
    own, shared = key_from_jwk(own_jwk(secret)), secret_key(secret)
    has_signer = any(key.signer is not None for key in given)
    if by_secret or (by_secret is None and not has_signer):
        return [shared, *given, _unpublished(own)]
    return [*given, _unpublished(own) if has_signer else own, shared]


def _unpublished(key: Key) -> Key:
    """One that verifies what it signed before, and is told nobody."""
    return replace(key, signer=None, public_jwk=None)
