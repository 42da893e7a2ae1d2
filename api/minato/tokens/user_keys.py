"""Which keys sign and verify the tokens of a backend's users, by its settings."""

from __future__ import annotations

from minato.config.server import ServerSettings
from minato.tokens.keys import KeySet, load_keys


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
