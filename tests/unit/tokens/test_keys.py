"""A key set trusts its own signatures and nothing else."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from jose import jwk
from minato.config.server import ServerSettings
from minato.tokens.ed25519 import Ed25519Key
from minato.tokens.errors import TokenError, TokenErrorKind
from minato.tokens.keys import KeySet, key_from_jwk, secret_key
from minato.tokens.user_keys import load_keys

SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"


def elliptic_jwk(kid: str, *, signs: bool = True) -> dict[str, Any]:
    private = ec.generate_private_key(ec.SECP256R1())
    document: dict[str, Any] = jwk.construct(private, "ES256").to_dict()
    return {**document, "kid": kid, "key_ops": ["sign", "verify"] if signs else ["verify"]}


def encoded(document: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


def test_a_signed_token_gives_its_claims_back_in_order() -> None:
    keys = KeySet([secret_key(SECRET)])
    claims = {"iss": "here", "sub": "someone", "role": "authenticated", "exp": 1}
    token = keys.sign(claims)
    assert list(keys.verify(token).items()) == list(claims.items())
    assert json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "==")) == {"alg": "HS256", "typ": "JWT"}


def test_an_asymmetric_key_signs_with_its_kid_and_is_published_without_its_private_half() -> None:
    keys = KeySet(load_keys(SECRET, json.dumps([elliptic_jwk("first")])))
    token = keys.sign({"sub": "someone"})
    assert keys.verify(token) == {"sub": "someone"}
    [published] = keys.public_jwks
    assert published["kid"] == "first"
    assert published["key_ops"] == ["verify"]
    assert "d" not in published


def test_tokens_of_the_shared_secret_stay_valid_beside_asymmetric_keys() -> None:
    keys = KeySet(load_keys(SECRET, json.dumps([elliptic_jwk("first")])))
    assert keys.verify(KeySet([secret_key(SECRET)]).sign({"role": "anon"})) == {"role": "anon"}


def test_a_key_without_sign_among_its_operations_only_verifies() -> None:
    keys = KeySet([key_from_jwk(elliptic_jwk("old", signs=False)), secret_key(SECRET)])
    assert keys.signing_key is not None
    assert keys.signing_key.algorithm == "HS256"


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("", TokenErrorKind.EMPTY),
        ("one.two", TokenErrorKind.SEGMENTS),
        ("a.b.c", TokenErrorKind.HEADER),
        ("é.b.c", TokenErrorKind.HEADER),
        (f"{encoded([])}.e30.", TokenErrorKind.HEADER),
        (f"{encoded({'alg': 'HS256', 'crit': ['exp']})}.e30.x", TokenErrorKind.HEADER),
        (f"{encoded({'alg': 'none'})}.e30.", TokenErrorKind.ALGORITHM),
        (f"{encoded({'alg': 'ES256'})}.e30.x", TokenErrorKind.ALGORITHM),
        (f"{encoded({})}.e30.x", TokenErrorKind.ALGORITHM),
        (f"{encoded({'alg': 'HS256'})}.e30.AAAA", TokenErrorKind.SIGNATURE),
    ],
)
def test_a_token_that_is_not_ours_is_refused_by_kind(token: str, kind: TokenErrorKind) -> None:
    with pytest.raises(TokenError) as refused:
        KeySet([secret_key(SECRET)]).verify(token)
    assert refused.value.kind == kind


def test_a_token_naming_an_unknown_key_is_refused() -> None:
    foreign = KeySet([key_from_jwk(elliptic_jwk("theirs"))])
    with pytest.raises(TokenError) as refused:
        KeySet([key_from_jwk(elliptic_jwk("ours"))]).verify(foreign.sign({}))
    assert (refused.value.kind, refused.value.kid) == (TokenErrorKind.NO_KEY, "theirs")


def test_a_public_key_can_not_be_used_as_a_shared_secret() -> None:
    document = elliptic_jwk("first")
    keys = KeySet([key_from_jwk(document)])
    forged = KeySet([secret_key(json.dumps(keys.public_jwks[0]))]).sign({"role": "service_role"})
    with pytest.raises(TokenError) as refused:
        keys.verify(forged)
    assert refused.value.kind == TokenErrorKind.ALGORITHM


def test_only_the_newest_verified_tokens_are_remembered() -> None:
    keys = KeySet([secret_key(SECRET)], cache_size=2)
    for number in range(5):
        keys.verify(keys.sign({"n": number}))
    assert len(keys._verified) == 2


def edwards_jwk(kid: str) -> dict[str, Any]:
    private = ed25519.Ed25519PrivateKey.generate()
    members = {"x": private.public_key().public_bytes_raw(), "d": private.private_bytes_raw()}
    document = {name: base64.urlsafe_b64encode(raw).rstrip(b"=").decode() for name, raw in members.items()}
    return {**document, "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": kid, "key_ops": ["sign", "verify"]}


def test_an_edwards_key_signs_verifies_and_is_published() -> None:
    document = edwards_jwk("edwards")
    keys = KeySet(load_keys(SECRET, json.dumps([document])))
    token = keys.sign({"sub": "someone"})
    assert json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "==")) == {
        "alg": "EdDSA",
        "kid": "edwards",
        "typ": "JWT",
    }
    public = {name: value for name, value in document.items() if name != "d"}
    assert KeySet([key_from_jwk({**public, "key_ops": ["verify"]})]).verify(token) == {"sub": "someone"}
    assert keys.public_jwks == [{**public, "use": "sig", "key_ops": ["verify"]}]
    with pytest.raises(TokenError) as refused:
        KeySet([key_from_jwk(edwards_jwk("edwards"))]).verify(token)
    assert refused.value.kind is TokenErrorKind.SIGNATURE


def test_the_example_of_rfc_8037_verifies() -> None:
    document = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "alg": "EdDSA"}
    signed = (
        b"eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
    )
    assert Ed25519Key(document).verify(signed[0], base64.urlsafe_b64decode(signed[1] + "=="))


@pytest.mark.parametrize("algorithm", ["HS256", "HS384", "HS512"])
def test_a_symmetric_key_is_used_with_its_own_algorithm_only(algorithm: str) -> None:
    secret = base64.urlsafe_b64encode(b"k" * 64).decode()
    document = {"kty": "oct", "k": secret, "alg": algorithm, "kid": "shared", "key_ops": ["sign", "verify"]}
    token = KeySet([key_from_jwk(document)]).sign({"sub": "someone"})
    assert KeySet([key_from_jwk(document)]).verify(token) == {"sub": "someone"}
    others = [name for name in ("HS256", "HS384", "HS512") if name != algorithm]
    for other in others:
        with pytest.raises(TokenError) as refused:
            KeySet([key_from_jwk({**document, "alg": other})]).verify(token)
        assert refused.value.kind is TokenErrorKind.ALGORITHM


@pytest.mark.parametrize(
    "document",
    [
        {"kty": "OKP", "crv": "X25519", "x": "AA", "alg": "EdDSA"},
        {"kty": "OKP", "crv": "Ed25519", "x": "AA", "alg": "EdDSA"},
        {"kty": "EC", "crv": "P-256", "alg": "ES256"},
        {"kty": "oct", "k": "AA", "alg": "none"},
    ],
)
def test_an_unusable_key_is_refused_at_start(document: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"JWK|key"):
        key_from_jwk(document)


def test_keys_may_be_given_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("[]")
    settings = ServerSettings(GOTRUE_JWT_KEYS=f"@{tmp_path / 'keys.json'}")
    assert settings.jwt_keys is not None
    assert settings.jwt_keys.get_secret_value() == "[]"
