"""OpenID Connect: a provider's discovery document and keys, and the ID tokens they sign.

Documents and keys are kept for a while; a token that names an unknown key has the keys asked for again.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping

from jose import jwk, jws
from jose.exceptions import JOSEError

from minato.auth.providers.provider import IncompleteDiscovery, ProviderError
from minato.auth.providers.web import Web
from minato.clock import Clock
from minato.issuer_keys import discovery_url
from minato.json_text import JsonMapping
from minato.tokens.errors import TokenError
from minato.tokens.keys import ASYMMETRIC, read_claims, read_header

KEPT_FOR = 3600.0
LEEWAY = 300
REQUIRED = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
_HASHES = {"256": hashlib.sha256, "384": hashlib.sha384, "512": hashlib.sha512}


class OIDCProviders:
    """The discovery documents and keys this backend has seen."""

    def __init__(self, web: Web, clock: Clock) -> None:
        self.web = web
        self._clock = clock
        self._documents: dict[str, tuple[float, object]] = {}

    async def discover(self, issuer: str, url: str = "") -> JsonMapping:
        """The issuer's document. Raises ProviderError when it is another's or lacks a required field."""
        url = discovery_url(issuer, url)
        document = await self._document(url)
        if not isinstance(document, dict):
            raise ProviderError(f"{url} is not a discovery document")
        if document.get("issuer") != issuer:
            raise ProviderError(f"the issuer of {url} is {document.get('issuer')!r} instead of {issuer!r}")
        missing = [name for name in REQUIRED if not isinstance(document.get(name), str)]
        if missing:
            raise IncompleteDiscovery(missing)
        return document

    def forget(self, issuer: str, url: str = "") -> None:
        """Ask anew the next time."""
        self._documents.pop(discovery_url(issuer, url), None)

    async def verify(self, token: str, issuer: str, url: str = "", also: Iterable[str] = ()) -> Mapping[str, object]:
        """The claims of an ID token of `issuer`: its signature, issuer and times are right. Raises ProviderError.

        `also` are further names of the same issuer.
        """
        document = await self.discover(issuer, url)
        try:
            header = read_header(token)
            algorithm, kid = header.get("alg"), header.get("kid")
            if algorithm not in ASYMMETRIC:
                raise ProviderError(f"an ID token signed by {algorithm!r}")
            key = await self._key(document["jwks_uri"], algorithm, kid)
            claims = read_claims(jws.verify(token, key, algorithms=[algorithm]))
        except (TokenError, JOSEError) as error:
            raise ProviderError(f"bad ID token: {error}") from error
        self._require_valid(claims, issuer, also)
        return claims

    async def _key(self, uri: str, algorithm: str, kid: object) -> object:
        for fresh in (False, True):
            document = await self._document(uri, fresh)
            keys = document.get("keys") if isinstance(document, dict) else None
            for key in keys if isinstance(keys, list) else []:
                if isinstance(key, dict) and (kid is None or key.get("kid") == kid) and _fits(key, algorithm):
                    return jwk.construct(key, algorithm)
        raise ProviderError(f"{uri} has no key {kid!r} for {algorithm}")

    async def _document(self, url: str, fresh: bool = False) -> object:
        now = self._clock.timestamp()
        kept = self._documents.get(url)
        if kept is None or fresh or now - kept[0] > KEPT_FOR:
            kept = self._documents[url] = (now, await self.web.get_json(url))
        return kept[1]

    def _require_valid(self, claims: Mapping[str, object], issuer: str, also: Iterable[str]) -> None:
        now = self._clock.timestamp()
        # Google signs its tokens with and without the scheme.
        known = (issuer, issuer.removeprefix("https://") if "google" in issuer else issuer, *also)
        if claims.get("iss") not in known:
            raise ProviderError(f"an ID token of {claims.get('iss')!r} instead of {issuer!r}")
        expires, begins = claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(expires, int | float) or expires <= now:
            raise ProviderError("the ID token is expired")
        if not isinstance(begins, int | float) or begins > now + LEEWAY:
            raise ProviderError("the ID token is not valid yet")


def audiences(claims: Mapping[str, object]) -> list[str]:
    """Whom a token is for."""
    given = claims.get("aud")
    return [str(one) for one in given] if isinstance(given, list) else [str(given)] if given else []


def is_meant_for(claims: Mapping[str, object], client_ids: Iterable[str]) -> bool:
    """Whether a token is for one of `client_ids`. One for several parties may say which of them got it (`azp`).

    >>> is_meant_for({"aud": ["a", "b"], "azp": "b"}, ["a"]), is_meant_for({"aud": "a", "azp": "b"}, ["a"])
    (False, True)
    """
    known, given = set(filter(None, client_ids)), audiences(claims)
    others = len(set(given)) > 1 and claims.get("azp") not in {None, *known}
    return bool(known & set(given)) and not others


def at_hash_matches(claims: Mapping[str, object], token: str, access_token: str) -> bool:
    """Whether the ID token was issued together with this access token; true when it does not say."""
    expected = claims.get("at_hash")
    if not expected:
        return True
    size = str(read_header(token)["alg"])[2:]
    digest = _HASHES[size](access_token.encode()).digest()
    actual = base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()
    return hmac.compare_digest(actual.encode(), str(expected).encode())


def _fits(key: Mapping[str, object], algorithm: str) -> bool:
    # jose makes no keys of EdDSA: none fits.
    family = {"RS": "RSA", "ES": "EC"}.get(algorithm[:2], "")
    return key.get("kty") == family and key.get("alg", algorithm) == algorithm and key.get("use", "sig") == "sig"
