"""The anon and service_role keys of a project with `auth.signing_keys_path`: its first key signs them, as the Supabase
CLI has it; other projects' follow from the JWT secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from minato.cli.errors import CommandError
from minato.json_text import JsonMapping, JsonObject
from minato.project.config_file import ProjectConfig
from minato.project.workdir import Workdir

ALGORITHMS: Final = ("RS256", "ES256")
LASTING: Final = timedelta(days=3650)
ISSUER: Final = "supabase-demo"
SETTINGS: Final = {"anon": "MINATO_ANON_KEY", "service_role": "MINATO_SERVICE_ROLE_KEY"}


def signing_keys_file(config: ProjectConfig, workdir: Workdir) -> Path | None:
    """The file `auth.signing_keys_path` names; None where the project signs with what everybody has."""
    given = config.text("auth.signing_keys_path")
    return workdir.supabase / given if given else None


def read_signing_keys(path: Path) -> list[JsonObject]:
    """The JWKs in a file. Raises `CommandError` in the CLI's words."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise CommandError(f"failed to read signing keys: {error}") from None
    try:
        keys = json.loads(text)
    except ValueError as error:
        raise CommandError(f"failed to decode signing keys: {error}") from None
    if not isinstance(keys, list) or not all(isinstance(key, dict) for key in keys):
        raise CommandError("failed to decode signing keys: the file holds no array of JWKs")
    return keys


def signed_api_keys(config: ProjectConfig, workdir: Workdir, now: datetime) -> dict[str, str]:
    """The settings of both keys, good for ten years from `now`; nothing where the secret makes them. Raises
    `CommandError`."""
    path = signing_keys_file(config, workdir)
    keys = read_signing_keys(path) if path is not None and config.flag("auth.enabled") else []
    expires = int((now + LASTING).timestamp())
    return {
        setting: sign_with(keys[0], {"iss": ISSUER, "role": role, "exp": expires})
        for role, setting in SETTINGS.items()
        if keys
    }


def sign_with(document: JsonMapping, claims: Mapping[str, object]) -> str:
    """A JWT signed with a private JWK, whatever its `key_ops` say. Raises `CommandError` in the CLI's words."""
    from minato.tokens.keys import KeySet, key_from_jwk  # most projects have no keys to sign with

    algorithm = document.get("alg")
    if algorithm not in ALGORITHMS:
        raise CommandError(f"unsupported algorithm: {algorithm}")
    if not document.get("d"):
        raise CommandError("failed to convert JWK to private key: it has no private part")
    try:
        return KeySet([key_from_jwk({**document, "key_ops": ["sign", "verify"]})]).sign(claims)
    except (ValueError, TypeError, AttributeError) as error:
        raise CommandError(f"failed to convert JWK to private key: {error}") from None
