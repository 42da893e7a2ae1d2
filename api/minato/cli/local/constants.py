"""What every local project of the Supabase CLI has alike: everybody has these keys, so they are for development."""

from __future__ import annotations

from typing import Final

from minato.cli import published

PASSWORD: Final = "postgres"
JWT_SECRET: Final = "super-secret-jwt-token-with-at-least-32-characters-long"
PUBLISHABLE_KEY: Final = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
S3_ACCESS_KEY_ID: Final = "625729a08b95bf1b7ff351a663f3a23c"
S3_REGION: Final = "local"
# The key that user tokens are signed with.
SIGNING_KEY: Final = {
    "kty": "EC",
    "kid": "b81269f1-21d8-4f2e-b719-c2240a840d90",
    "use": "sig",
    "key_ops": ["sign", "verify"],
    "alg": "ES256",
    "ext": True,
    "crv": "P-256",
    "x": "M5Sjqn5zwC9Kl1zVfUUGvv9boQjCGd45G8sdopBExB4",
    "y": "P6IXMvA2WYXSHSOMTBH2jsw_9rrzGy89FjPf6oOsIxQ",
    "d": published.PRIVATE_KEYS[0],
}
S3_SECRET: Final = published.CLI_S3_SECRET
SECRET_KEY: Final = published.CLI_SECRET_KEY


def database_url(port: int, host: str = "127.0.0.1") -> str:
    """As the CLI prints it."""
    return f"postgresql://postgres:{PASSWORD}@{host}:{port}/postgres"
