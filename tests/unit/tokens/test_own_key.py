"""The key of a backend that was given none, and which key signs."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest
from minato.config import Settings
from minato.database.address import DatabaseAddress
from minato.host.host import Host
from minato.tokens.keys import KeySet, secret_key
from minato.tokens.own_key import ORDER, own_jwk
from minato.tokens.user_keys import load_keys

from tests.support.signing_key import es256_jwks

SECRET = "s" * 32


def header_of(token: str) -> dict[str, str]:
    segment = token.split(".")[0]
    found: dict[str, str] = json.loads(base64.urlsafe_b64decode(segment + "=" * (-len(segment) % 4)))
    return found


def number(text: object) -> int:
    return int.from_bytes(base64.urlsafe_b64decode(f"{text}="), "big")


def test_the_key_follows_from_the_secret_alone() -> None:
    one, again, other = own_jwk(SECRET), own_jwk(SECRET), own_jwk("t" * 32)
    assert one == again
    assert {one[name] for name in ("d", "x", "kid")}.isdisjoint({other[name] for name in ("d", "x", "kid")})
    assert (one["alg"], one["crv"], one["key_ops"]) == ("ES256", "P-256", ["sign", "verify"])
    assert len({own_jwk(f"{count:032}")["d"] for count in range(50)}) == 50


def test_every_number_of_it_has_all_its_bytes() -> None:
    for count in range(300):
        made = own_jwk(f"{count:032}")
        assert {len(str(made[name])) for name in ("d", "x", "y")} == {43}
        assert 1 <= number(made["d"]) < ORDER


def test_without_a_key_that_signs_the_backends_own_does_and_tells_its_public_half() -> None:
    keys = KeySet(load_keys(SECRET, None))
    token = keys.sign({"sub": "someone"})
    [published] = keys.public_jwks
    assert header_of(token) == {"alg": "ES256", "kid": published["kid"], "typ": "JWT"}
    assert "d" not in published
    assert keys.verify(token) == {"sub": "someone"}


@pytest.mark.parametrize("jwks", [None, es256_jwks()])
def test_where_the_secret_signs_the_keys_still_verify(jwks: str | None) -> None:
    by_key, by_secret = KeySet(load_keys(SECRET, jwks)), KeySet(load_keys(SECRET, jwks, by_secret=True))
    assert header_of(by_secret.sign({})) == {"alg": "HS256", "typ": "JWT"}
    assert by_secret.verify(by_key.sign({"sub": "before"})) == {"sub": "before"}
    assert by_key.verify(by_secret.sign({"sub": "before"})) == {"sub": "before"}
    assert [key["kid"] for key in by_secret.public_jwks] == ([] if jwks is None else ["harbour"])


def test_sessions_outlive_a_key_that_is_given_later() -> None:
    before = KeySet(load_keys(SECRET, None)).sign({"sub": "before"})
    later = KeySet(load_keys(SECRET, es256_jwks()))
    assert later.verify(before) == {"sub": "before"}
    assert [key["kid"] for key in later.public_jwks] == ["harbour"]


def test_what_only_we_verify_is_signed_by_the_secret() -> None:
    token = KeySet(load_keys(SECRET, es256_jwks())).sign_for_ourselves({"url": "a/b"})
    assert KeySet([secret_key(SECRET)]).verify(token) == {"url": "a/b"}


@pytest.mark.parametrize(
    ("environment", "given", "algorithm"),
    [
        ("development", {}, "ES256"),
        ("development", {"MINATO_HS256_TOKENS": "true"}, "HS256"),
        ("development", {"MINATO_HS256_TOKENS": "true", "GOTRUE_JWT_KEYS": es256_jwks()}, "HS256"),
        ("production", {}, "HS256"),
        ("production", {"MINATO_HS256_TOKENS": "false"}, "ES256"),
        ("production", {"GOTRUE_JWT_KEYS": es256_jwks()}, "ES256"),
    ],
)
def test_a_key_signs_in_development_and_the_secret_in_production_unless_somebody_says_otherwise(
    tmp_path: Path, environment: str, given: dict[str, str], algorithm: str
) -> None:
    named = {"MINATO_ENVIRONMENT": environment, "MINATO_WEB_ROOT": "", "MINATO_PROJECT": ""}
    settings = Settings.of({**given, **named, "MINATO_DATA_DIR": str(tmp_path)})
    address = DatabaseAddress(admin="postgresql://nobody@localhost/x", authenticator="postgresql://nobody@localhost/x")
    backend = Host(1, 1).create(settings, address, "http://localhost", SECRET).backend
    assert header_of(backend.keys.sign({}))["alg"] == algorithm
    assert header_of(backend.api_keys.anon) == {"alg": "HS256", "typ": "JWT"}
