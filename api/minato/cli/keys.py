"""`minato keys`: the keys a client is given, and the secret they follow from."""

from __future__ import annotations

from pathlib import Path

import orjson
import typer

from minato.cli.options import load_settings
from minato.cli.secrets_file import jwt_secret
from minato.tokens.api_keys import derive_api_keys
from minato.tokens.user_keys import signs_by_key, user_keys

BY_KEY = """
Users' tokens are signed with a key (ES256): programs verify them by /auth/v1/.well-known/jwks.json. For programs that
verify with jwt_secret set MINATO_HS256_TOKENS=true."""


def show_keys(data_dir: Path | None, as_json: bool) -> None:
    """Print them; made first when the data folder is new."""
    settings = load_settings(data_dir)
    secret = jwt_secret(settings.server)
    keys = derive_api_keys(secret, settings.server)
    access_key, s3_secret = settings.storage.s3_key_pair(keys.s3_access_key_id, keys.s3_access_key_secret)
    shown = {
        "anon_key": keys.anon,
        "service_role_key": keys.service_role,
        "publishable_key": keys.publishable,
        "secret_key": keys.secret,
        "jwt_secret": secret,
        "s3_access_key_id": access_key,
        "s3_access_key_secret": s3_secret,
    }
    if as_json:
        typer.echo(orjson.dumps(shown))
        return
    for name, value in shown.items():
        typer.echo(f"{name:<20} {value}")
    if signs_by_key(user_keys(settings.server, secret)):
        typer.echo(BY_KEY, err=True)
