"""What a branch may have of its own beside its database: keys, and chance that repeats itself."""

from __future__ import annotations

import hashlib
import hmac
from typing import Literal, NamedTuple

from minato.backend import Backend, Kin
from minato.config.server import ServerSettings
from minato.tokens.api_keys import derive_api_keys
from minato.tokens.user_keys import user_keys

Keys = Literal["shared", "own"]
# Settings that would give it main's.
GIVEN = ("jwt_secret", "jwt_keys", "anon_key", "service_role_key", "publishable_key", "secret_key")


class Own(NamedTuple):
    """`shared` keys are main's; a `seed` makes ids, codes and tokens repeatable."""

    keys: Keys = "shared"
    seed: int | None = None


AS_MAIN = Own()


def secret_of(name: str, own: Own, jwt_secret: str) -> str:
    """The JWT secret of a branch, the same whenever there is one of this name."""
    if own.keys == "shared":
        return jwt_secret
    return hmac.new(jwt_secret.encode(), f"minato branch {name}".encode(), hashlib.sha256).hexdigest()


def kin_of(name: str, own: Own, main: Backend, jwt_secret: str) -> Kin:
    """What the branch is given when it is made; `jwt_secret` is main's."""
    if own.keys == "shared":
        return Kin(name, main.keys, main.api_keys, main.third_party, own.seed)
    secret, server = secret_of(name, own, jwt_secret), without_keys(main.settings.server)
    return Kin(name, user_keys(server, secret), derive_api_keys(secret, server), main.third_party, own.seed)


def without_keys(server: ServerSettings) -> ServerSettings:
    """The settings without the keys that somebody gave main."""
    return server.model_copy(update=dict.fromkeys(GIVEN))
