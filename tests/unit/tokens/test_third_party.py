"""Tokens of other issuers count by that issuer's public keys alone, and may say less than ours."""

from __future__ import annotations

import base64
import hmac
import json
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jose import jwk
from minato.json_text import JsonObject
from minato.tokens.caller import Caller, ThirdPartyClaims
from minato.tokens.errors import TokenError, TokenErrorKind
from minato.tokens.jwk_set import public_keys
from minato.tokens.keys import KeySet, key_from_jwk, secret_key
from minato.tokens.third_party import NO_EXPIRY, NO_ROLE, AcceptedKeys, Issuer, ThirdParty

CLERK, OTHER, OWN = "https://clerk.harbour.example", "https://other.example", "http://127.0.0.1:54321/auth/v1"
SECRET = "super-secret-jwt-token-with-at-least-32-characters-long"
USERS = frozenset({"anon", "authenticated"})
CLAIMS = {"iss": CLERK, "sub": "user_2x", "role": "authenticated", "exp": 2_000_000_000}


def elliptic(kid: str | None = "one") -> JsonObject:
    document: JsonObject = jwk.construct(ec.generate_private_key(ec.SECP256R1()), "ES256").to_dict()
    return {**document, "key_ops": ["sign"], **({"kid": kid} if kid else {})}


def edwards() -> JsonObject:
    key = ed25519.Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    parts = {"x": public, "d": key.private_bytes_raw()}
    encoded = {name: base64.urlsafe_b64encode(part).rstrip(b"=").decode() for name, part in parts.items()}
    return {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": "ed", "key_ops": ["sign"], **encoded}


def rivest(bits: int = 2048) -> JsonObject:
    document: JsonObject = jwk.construct(rsa.generate_private_key(65537, bits), "RS256").to_dict()
    texts = {name: part.decode() if isinstance(part, bytes) else part for name, part in document.items()}
    return {**texts, "kid": "rsa", "key_ops": ["sign"]}


KEY, FOREIGN = elliptic(), elliptic()


def signed(claims: JsonObject, key: JsonObject = KEY) -> str:
    return KeySet([key_from_jwk(key)]).sign(claims)


def handmade(header: JsonObject, claims: JsonObject, signature: bytes = b"") -> str:
    parts = (orjson.dumps(header), orjson.dumps(claims), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


def parties(*keys: JsonObject, roles: frozenset[str] | None = USERS) -> ThirdParty:
    found = ThirdParty([CLERK, OTHER], roles)
    found.issuers[CLERK].replace(public_keys(list(keys)))
    found.issuers[OTHER].replace(public_keys([FOREIGN]))
    return found


def own_keys(third_party: ThirdParty) -> KeySet:
    keys = KeySet([secret_key(SECRET)])
    keys.judges.append(third_party.require_ours)
    return keys


def accepted(*keys: JsonObject, roles: frozenset[str] | None = USERS) -> AcceptedKeys:
    third_party = parties(*keys, roles=roles)
    return AcceptedKeys(own_keys(third_party), third_party)


@pytest.mark.parametrize("key", [KEY, rivest(), edwards(), elliptic(None)], ids=["ES256", "RS256", "EdDSA", "no kid"])
def test_a_token_of_an_issuer_gives_its_claims(key: JsonObject) -> None:
    keys = accepted(key)
    claims = keys.verify(signed(CLAIMS, key))
    assert claims == CLAIMS
    assert isinstance(claims, ThirdPartyClaims)


def test_a_token_without_role_has_none() -> None:
    claims = accepted(KEY).verify(signed({"iss": CLERK, "exp": 2_000_000_000}))
    assert "role" not in claims


def test_our_own_tokens_are_verified_as_before() -> None:
    keys = accepted(KEY)
    token = KeySet([secret_key(SECRET)]).sign({"iss": OWN, "role": "service_role"})
    claims = keys.verify(token)
    assert claims == {"iss": OWN, "role": "service_role"}
    assert keys.recall(token) is claims
    assert not isinstance(claims, ThirdPartyClaims)


PUBLIC = jwk.construct({**KEY, "key_ops": None}, "ES256").public_key().to_pem()
HEADER = {"alg": "HS256", "kid": "one", "typ": "JWT"}


def by_public_key_as_secret() -> str:
    message = handmade(HEADER, CLAIMS).rpartition(".")[0]
    return handmade(HEADER, CLAIMS, hmac.digest(PUBLIC, message.encode(), "sha256"))


REFUSED: dict[str, tuple[str, TokenErrorKind]] = {
    "an issuer nobody named": (signed({**CLAIMS, "iss": "https://evil.example"}), TokenErrorKind.ALGORITHM),
    "no issuer": (signed({"sub": "x", "exp": 2_000_000_000}), TokenErrorKind.ALGORITHM),
    "an issuer that begins alike": (signed({**CLAIMS, "iss": f"{CLERK}.evil.example"}), TokenErrorKind.ALGORITHM),
    "a slash more": (signed({**CLAIMS, "iss": f"{CLERK}/"}), TokenErrorKind.ALGORITHM),
    "a list of issuers": (signed({**CLAIMS, "iss": [CLERK]}), TokenErrorKind.ALGORITHM),
    "our own issuer": (signed({**CLAIMS, "iss": OWN}), TokenErrorKind.ALGORITHM),
    "another issuer's key": (signed(CLAIMS, FOREIGN), TokenErrorKind.SIGNATURE),
    "another issuer's name": (signed({**CLAIMS, "iss": OTHER}), TokenErrorKind.SIGNATURE),
    "our key": (KeySet([secret_key(SECRET)]).sign(CLAIMS), TokenErrorKind.ALGORITHM),
    "the public key as a secret": (by_public_key_as_secret(), TokenErrorKind.ALGORITHM),
    "no algorithm": (handmade({"alg": "none", "kid": "one"}, CLAIMS), TokenErrorKind.ALGORITHM),
    "another algorithm": (handmade({"alg": "RS256", "kid": "one"}, CLAIMS, b"x"), TokenErrorKind.NO_KEY),
    "an algorithm of another type": (handmade({"alg": ["ES256"], "kid": "one"}, CLAIMS), TokenErrorKind.ALGORITHM),
    "another kid": (signed(CLAIMS, {**KEY, "kid": "two"}), TokenErrorKind.NO_KEY),
    "a kid of another type": (handmade({"alg": "ES256", "kid": ["one"]}, CLAIMS), TokenErrorKind.NO_KEY),
    "a key in its header": (handmade({"alg": "ES256", "jwk": FOREIGN}, CLAIMS, b"x" * 64), TokenErrorKind.SIGNATURE),
    "a critical extension": (handmade({"alg": "ES256", "crit": ["b64"]}, CLAIMS), TokenErrorKind.HEADER),
    "no expiry": (signed({name: value for name, value in CLAIMS.items() if name != "exp"}), TokenErrorKind.CLAIM),
    "an expiry that is no number": (signed({**CLAIMS, "exp": "2000000000"}), TokenErrorKind.CLAIM),
    "an expiry that is true": (signed({**CLAIMS, "exp": True}), TokenErrorKind.CLAIM),
    **{
        f"the role {role!r}": (signed({**CLAIMS, "role": role}), TokenErrorKind.CLAIM)
        for role in (
            "service_role",
            "postgres",
            "supabase_admin",
            "supabase_storage_admin",
            "authenticator",
            "none",
            "",
        )
    },
    "roles": (signed({**CLAIMS, "role": ["authenticated"]}), TokenErrorKind.CLAIM),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_third_party_may_not_is_refused(what: str) -> None:
    token, kind = REFUSED[what]
    with pytest.raises(TokenError) as refused:
        accepted(KEY).verify(token)
    assert refused.value.kind is kind


def test_an_issuer_itself_takes_no_token_that_names_another() -> None:
    issuer = Issuer(CLERK, USERS)
    issuer.replace(public_keys([KEY]))
    with pytest.raises(TokenError) as refused:
        issuer.verify(signed({**CLAIMS, "iss": OTHER}))
    assert refused.value.kind is TokenErrorKind.SIGNATURE


def test_keys_of_ours_alone_take_no_token_in_the_name_of_an_issuer() -> None:
    third_party = parties(KEY)
    keys = own_keys(third_party)
    with pytest.raises(TokenError):
        keys.verify(signed(CLAIMS))
    for issuer in (CLERK, OTHER):
        with pytest.raises(TokenError):
            keys.verify(KeySet([secret_key(SECRET)]).sign({**CLAIMS, "iss": issuer}))
    unusual: Any = {"iss": [CLERK], "role": "anon"}
    assert keys.verify(KeySet([secret_key(SECRET)]).sign(unusual)) == unusual


def test_any_role_may_be_named_where_the_operator_wants_the_references_way() -> None:
    claims = accepted(KEY, roles=None).verify(signed({**CLAIMS, "role": "service_role"}))
    assert claims["role"] == "service_role"


def test_a_refusal_says_what_is_wrong_with_the_claims() -> None:
    for claims, hint in (({**CLAIMS, "exp": None}, NO_EXPIRY), ({**CLAIMS, "role": "postgres"}, NO_ROLE)):
        with pytest.raises(TokenError) as refused:
            accepted(KEY).verify(signed(claims))
        assert refused.value.hint == hint


def test_what_a_withdrawn_key_verified_is_forgotten_and_the_same_keys_again_change_nothing() -> None:
    third_party = parties(KEY)
    issuer, token = third_party.issuers[CLERK], signed(CLAIMS)
    claims = issuer.verify(token)
    issuer.replace(public_keys([KEY]))
    assert issuer.recall(token) is claims
    issuer.replace(public_keys([elliptic("two")]))
    assert issuer.recall(token) is None
    with pytest.raises(TokenError):
        issuer.verify(token)


def test_who_keeps_the_keys_hears_of_a_key_that_is_not_there_and_of_no_other_refusal() -> None:
    third_party, missed = parties(KEY), []
    issuer = third_party.issuers[CLERK]
    issuer.missed = lambda: missed.append(issuer.url)
    for what in ("the public key as a secret", "no algorithm", "another issuer's key", "no expiry"):
        with pytest.raises(TokenError):
            issuer.verify(REFUSED[what][0])
    assert missed == []
    with pytest.raises(TokenError):
        issuer.verify(signed(CLAIMS, {**KEY, "kid": "two"}))
    assert missed == [CLERK]


def test_an_issuer_remembers_so_many_tokens_and_no_more() -> None:
    issuer = Issuer(CLERK, USERS, cache_size=2)
    issuer.replace(public_keys([KEY]))
    tokens = [signed({**CLAIMS, "sub": name}) for name in "abc"]
    for token in tokens:
        issuer.verify(token)
    assert [issuer.recall(token) is not None for token in tokens] == [False, True, True]


def test_of_a_set_of_keys_only_public_ones_that_sign_are_taken() -> None:
    odd: list[object] = [
        {"kty": "oct", "k": "c2VjcmV0", "alg": "HS256"},
        {"kty": "oct", "k": "c2VjcmV0"},
        {**KEY, "use": "enc"},
        {**KEY, "alg": "HS256"},
        {**KEY, "alg": "none"},
        {**KEY, "kid": 7},
        {**KEY, "x": 1},
        {"kty": "EC", "crv": ["P-256"]},
        {"kty": "RSA", "n": 7, "e": None},
        {"kty": ["RSA"]},
        {"kty": "OKP", "crv": "Ed448", "x": ""},
        rivest(1024),
        {},
        "key",
        None,
    ]
    assert public_keys(odd) == []
    [key] = public_keys([KEY])
    assert key.signer is None
    assert key.public_jwk is not None
    assert "d" not in key.public_jwk


def test_a_key_without_an_algorithm_serves_those_of_its_type() -> None:
    document = {name: part for name, part in rivest().items() if name != "alg"}
    assert [key.algorithm for key in public_keys([document])] == ["RS256", "RS384", "RS512"]
    assert [key.algorithm for key in public_keys([{k: v for k, v in KEY.items() if k != "alg"}])] == ["ES256"]


def test_a_session_that_another_issuer_names_is_none_of_ours() -> None:
    subject = "7f2a8b7e-9c1d-4a53-8a63-0d9f4d1e2c3b"
    claims = {"iss": CLERK, "sub": subject, "session_id": subject}
    theirs, ours = Caller("authenticated", ThirdPartyClaims(claims, USERS)), Caller("authenticated", claims)
    assert (theirs.has_session, ours.has_session) == (False, True)
    assert theirs.share("1.2.3.4") != ours.share("1.2.3.4")
    assert json.loads(theirs.claims_json) == {**claims, "role": "authenticated"}
