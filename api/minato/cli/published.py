"""Secrets that stand in public examples, ours and Supabase's: whoever reads those has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from minato.tokens.api_keys import ApiKeys

# Of the accounts a seed makes.
DEMO_PASSWORD = "minato-demo"
# The secret of every local project of the Supabase CLI.
CLI_JWT_SECRET: Final = "super-secret-jwt-token-with-at-least-32-characters-long"
# Of the Supabase CLI, of its self-hosting example, of PostgREST's documentation.
JWT_SECRETS = frozenset(
    {
        CLI_JWT_SECRET,
        "your-super-secret-jwt-token-with-at-least-32-characters-long",
        "reallyreallyreallyreallyverysafe",
    }
)
# The private part of the key that the CLI signs with unless it is given another.
PRIVATE_KEYS = ("dIhR8wywJlqlua4y_yMq2SLhlFXDZJBCvFrY1DCHyVU",)
CLI_SECRET_KEY = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"
CLI_S3_SECRET = "850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907"
# What such a project is reached by, under the names of the settings; the last one signs users' tokens.
CLI_KEYS: Final[Mapping[str, str]] = {
    "MINATO_JWT_SECRET": CLI_JWT_SECRET,
    "MINATO_PUBLISHABLE_KEY": "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
    "MINATO_SECRET_KEY": CLI_SECRET_KEY,
    "S3_PROTOCOL_ACCESS_KEY_ID": "625729a08b95bf1b7ff351a663f3a23c",
    "S3_PROTOCOL_ACCESS_KEY_SECRET": CLI_S3_SECRET,
    "GOTRUE_JWT_KEYS": json.dumps(
        [
            {
                "kty": "EC",
                "kid": "b81269f1-21d8-4f2e-b719-c2240a840d90",
                "use": "sig",
                "key_ops": ["sign", "verify"],
                "alg": "ES256",
                "ext": True,
                "crv": "P-256",
                "x": "M5Sjqn5zwC9Kl1zVfUUGvv9boQjCGd45G8sdopBExB4",
                "y": "P6IXMvA2WYXSHSOMTBH2jsw_9rrzGy89FjPf6oOsIxQ",
                "d": PRIVATE_KEYS[0],
            }
        ]
    ),
}
PASSWORDS = frozenset(
    {
        "postgres",
        "password",
        "supabase",
        "your-super-secret-and-long-postgres-password",
        "minato-development",
        DEMO_PASSWORD,
    }
)
OBJECT_STORE_SECRETS = frozenset({"minato-development", "minioadmin", "secret1234", CLI_S3_SECRET})
# With these the judges of captchas let everybody pass.
CAPTCHA_SECRETS = frozenset({"0x0000000000000000000000000000000000000000", "1x0000000000000000000000000000000AA"})


def is_published_secret_key(key: str) -> bool:
    """Whether everybody knows this `sb_secret_…` key."""
    return key == CLI_SECRET_KEY or key in {keys.secret for keys in _derived()}


def is_published_s3_secret(secret: str) -> bool:
    """Whether everybody knows this secret of the S3 protocol."""
    return secret == CLI_S3_SECRET or secret in {keys.s3_access_key_secret for keys in _derived()}


def _derived() -> list[ApiKeys]:
    """What follows from a published secret is as public as that."""
    # The constants alone need neither settings nor cryptography.
    from minato.config.server import ServerSettings
    from minato.tokens.api_keys import derive_api_keys

    nothing_given = ServerSettings.model_validate({})
    return [derive_api_keys(secret, nothing_given) for secret in JWT_SECRETS]
