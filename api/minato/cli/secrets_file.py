"""The JWT secret: the environment's, else one generated once per data folder. Every key follows from it."""

from __future__ import annotations

import json
from pathlib import Path

from minato.cli.errors import CommandError
from minato.config.server import ServerSettings
from minato.entropy import Entropy
from minato.kept_files import create_kept

SHORTEST = 32


def jwt_secret(settings: ServerSettings) -> str:
    """The secret this server signs with. Raises `CommandError` when the given one is too short."""
    if settings.jwt_secret is None:
        return _generated_secret(settings.data_dir)
    secret = settings.jwt_secret.get_secret_value()
    if len(secret) < SHORTEST:
        raise CommandError(f"MINATO_JWT_SECRET must have at least {SHORTEST} characters.")
    return secret


def stored_secret(data_dir: Path) -> str | None:
    """The generated secret, None before the first start."""
    return _generated_secret(data_dir) if (data_dir / "secrets.json").exists() else None


def keep_secret(data_dir: Path, secret: str) -> None:
    """Let a data folder that has no secret yet have this one from now on."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "secrets.json"
    if not path.exists():
        create_kept(path, json.dumps({"jwt_secret": secret}, indent=2) + "\n")


def _generated_secret(data_dir: Path) -> str:
    path = data_dir / "secrets.json"
    if not path.exists():
        keep_secret(data_dir, Entropy().bytes(32).hex())
    try:
        return str(json.loads(path.read_text())["jwt_secret"])
    except (ValueError, KeyError, TypeError):
        raise CommandError(f"{path} holds no jwt_secret: repair it, or remove it for a new one.") from None
