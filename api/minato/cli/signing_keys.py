"""`minato gen signing-key` and `gen bearer-jwt`: keys that sign the tokens of users, and tokens signed with them."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import typer
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from minato.cli.local.failures import CommandFailure, bold
from minato.cli.local.plan import Place, load_config, say
from minato.cli.local.prompts import Console
from minato.cli.local.settings import CONSTANTS
from minato.cli.local.signed_keys import read_signing_keys, sign_with, signing_keys_file
from minato.json_text import JsonObject
from minato.kept_files import write_kept

EC_BYTES, RSA_BITS, EXPONENT = 32, 2048, 65537
ADVICE = """
To enable JWT signing keys in your local project:
1. Save the generated key to {file}
2. Update your {config} with the new keys path

[auth]
signing_keys_path = "./signing_keys.json"
"""


@dataclass(frozen=True)
class KeyFile:
    """The file that `auth.signing_keys_path` names; `shown` is how it is told."""

    path: Path
    shown: str

    def read(self) -> list[JsonObject]:
        """The keys in it; none where there is no file. Raises `CommandError`."""
        return read_signing_keys(self.path) if self.path.exists() else []

    def write(self, keys: Sequence[JsonObject]) -> None:
        """For its owner alone, also where it was there before."""
        # Where a link leads: the link itself stays.
        write_kept(self.path.resolve(), json.dumps(keys, indent=2) + "\n")


def make_signing_key(
    place: Place, environment: Mapping[str, str], console: Console, key: JsonObject, add: bool
) -> None:
    """Print the key, or put it into the project's file. Raises `CommandFailure` and `Declined`."""
    file = key_file(place, environment)
    if file is None:
        typer.echo(json.dumps(key, separators=(",", ":")))
        say(ADVICE.format(file=bold("supabase/signing_keys.json"), config=bold("supabase/config.toml")))
        return
    kept = file.read() if add else []
    if not add:
        console.require(f"Do you want to overwrite the existing {bold(file.shown)} file?", True)
    file.write([*kept, key])
    say(f"JWT signing key appended to: {bold(file.shown)} (now contains {len(kept) + 1} keys)")
    if not kept:
        say("IMPORTANT: Add your signing key path to .gitignore to prevent committing to version control.")


def bearer_jwt(place: Place, environment: Mapping[str, str], console: Console, claims: Mapping[str, object]) -> str:
    """A token of these claims. Raises `CommandFailure`."""
    return sign_with(_chosen_key(key_file(place, environment), console), dict(sorted(claims.items())))


def bearer_claims(role: str, sub: str, begins: datetime, expires: datetime, payload: str) -> dict[str, object]:
    """What the token says; the payload is laid over it. Raises `CommandFailure`.

    >>> from datetime import UTC
    >>> day = datetime(2026, 1, 1, tzinfo=UTC)
    >>> bearer_claims("authenticated", "", day, day, '{"aud": "app"}')
    {'role': 'authenticated', 'iat': 1767225600, 'exp': 1767225600, 'is_anonymous': True, 'aud': 'app'}
    """
    claims: dict[str, object] = {"role": role, "iat": int(begins.timestamp()), "exp": int(expires.timestamp())}
    if sub:
        claims["sub"] = sub
    elif role.lower() == "authenticated":
        claims["is_anonymous"] = True
    try:
        given = json.loads(payload)
    except ValueError as error:
        raise CommandFailure(f"failed to parse payload: {error}") from None
    if not isinstance(given, dict):
        raise CommandFailure("failed to parse payload: it is no JSON object")
    return {**claims, **given}


def new_key(algorithm: str, kid: str) -> JsonObject:
    """A private key as JWK, its members in the CLI's order."""
    head = {"kid": kid, "use": "sig", "key_ops": ["sign", "verify"], "alg": algorithm, "ext": True}
    if algorithm == "ES256":
        pair = ec.generate_private_key(ec.SECP256R1()).private_numbers()
        point = pair.public_numbers
        numbers = {"d": pair.private_value, "x": point.x, "y": point.y}
        shown = {name: _encoded(number, EC_BYTES) for name, number in numbers.items()}
        return {"kty": "EC", **head, "d": shown["d"], "crv": "P-256", "x": shown["x"], "y": shown["y"]}
    secret = rsa.generate_private_key(public_exponent=EXPONENT, key_size=RSA_BITS).private_numbers()
    public = {"n": secret.public_numbers.n, "e": secret.public_numbers.e, "d": secret.d}
    rest = {"p": secret.p, "q": secret.q, "dp": secret.dmp1, "dq": secret.dmq1, "qi": secret.iqmp}
    return {"kty": "RSA", **head, **{name: _encoded(number) for name, number in {**public, **rest}.items()}}


def key_file(place: Place, environment: Mapping[str, str]) -> KeyFile | None:
    """Where the project has its keys; None where it has the ones everybody has."""
    config = load_config(place.workdir, environment)
    path, given = signing_keys_file(config, place.workdir), config.text("auth.signing_keys_path")
    if path is None:
        return None
    return KeyFile(path, given if Path(given).is_absolute() else os.path.normpath(Path("supabase", given)))


def _chosen_key(file: KeyFile | None, console: Console) -> JsonObject:
    if file is None:
        text = console.ask("Enter your signing key in JWK format (or leave blank to use local default): ")
        try:
            default: JsonObject = json.loads(CONSTANTS["GOTRUE_JWT_KEYS"])[0]
            return dict(json.loads(text)) if text else default
        except (ValueError, TypeError) as error:
            raise CommandFailure(f"failed to parse JWK: {error}") from None
    keys = file.read()
    kid = console.ask("Enter the kid of your signing key (or leave blank to use the first one): ")
    found = next((key for key in keys if key.get("kid") == kid), keys[0] if keys and not kid else None)
    if found is None:
        raise CommandFailure(f"signing key not found: {kid}")
    return found


def _encoded(number: int, length: int | None = None) -> str:
    octets = number.to_bytes(length or (number.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()
