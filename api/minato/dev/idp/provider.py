"""The provider itself: codes, tokens and who comes next. It keeps nothing but that: what it gives out says all."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from functools import cached_property
from urllib.parse import parse_qsl, unquote

from minato.backend import Backend
from minato.config.auth_external import FAKE, PROVIDERS, fake_url
from minato.dev.idp.person import Person
from minato.dev.idp.shapes import ID_TOKEN, WITH_TOKEN, oidc
from minato.tokens.errors import TokenError
from minato.tokens.keys import KeySet, key_from_jwk, secret_key
from minato.tokens.own_key import own_jwk

LIFETIME = 3600
CODE, ACCESS, REQUEST = "code", "access", "request"


class Refused(Exception):
    """What the token endpoint answers in place of tokens: an error of RFC 6749."""


class FakeProviders:
    """All of one backend. `next` says, by provider, who answers the next question: a person, or the error instead."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.next: dict[str, Person | str] = {}

    @cached_property
    def signing(self) -> KeySet:
        """What ID tokens are signed with; nobody's sessions are."""
        return KeySet([key_from_jwk(own_jwk(f"fake providers {self.backend.sealing_key}"))])

    @cached_property
    def _sealing(self) -> KeySet:
        return KeySet([secret_key(hashlib.sha256(f"fake codes {self.backend.sealing_key}".encode()).digest())])

    def is_routed_here(self, provider: str) -> bool:
        """Whether the settings send people here for it."""
        settings = self.backend.settings.auth.external.get(provider)
        return provider in PROVIDERS and settings is not None and FAKE in settings.client_ids[:1]

    def issuer(self, provider: str) -> str:
        return fake_url(self.backend.public_url, provider)

    def callback(self, provider: str) -> str:
        """Where people go from here, and nowhere else."""
        own = self.backend.settings.auth.external[provider].redirect_uri
        return own or f"{self.backend.public_url}/auth/v1/callback"

    def discovery(self, provider: str) -> dict[str, object]:
        url = self.issuer(provider)
        return {
            "issuer": url,
            "authorization_endpoint": f"{url}/authorize",
            "token_endpoint": f"{url}/token",
            "userinfo_endpoint": f"{url}/userinfo",
            "jwks_uri": f"{url}/jwks",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256", "plain"],
        }

    def code(self, one: Person, asked: Mapping[str, str]) -> str:
        """What is traded for tokens, once the browser has brought it."""
        names = ("redirect_uri", "code_challenge", "code_challenge_method", "nonce")
        return self._seal(CODE, one, {name: asked[name] for name in names if asked.get(name)})

    def tokens(self, provider: str, form: Mapping[str, str]) -> dict[str, object]:
        """The answer for a code. Raises Refused."""
        one, asked = self._open(CODE, form.get("code", ""))
        if asked.get("redirect_uri") != form.get("redirect_uri"):
            raise Refused("invalid_grant")
        _require_verifier(asked, form.get("code_verifier", ""))
        access = self._seal(ACCESS, one, {})
        known = {"access_token": access, "refresh_token": access, "token_type": "bearer", "expires_in": LIFETIME}
        beside = WITH_TOKEN[provider](one) if provider in WITH_TOKEN else {}
        assert isinstance(beside, dict)
        return {**known, "id_token": self.id_token(provider, one, asked.get("nonce")), **beside}

    def id_token(self, provider: str, one: Person, nonce: str | None) -> str:
        """A signed token that says who `one` is; `nonce` as it is to stand there."""
        now = int(self.backend.clock.timestamp())
        said = ID_TOKEN.get(provider, oidc)(one)
        dated = {"iss": self.issuer(provider), "aud": FAKE, "iat": now, "exp": now + LIFETIME}
        return self.signing.sign({**said, **dated, **({"nonce": nonce} if nonce else {})})

    def who(self, token: str) -> Person | None:
        """Whom an access token is about."""
        try:
            return self._open(ACCESS, token)[0]
        except Refused:
            return None

    # OAuth 1.0a, which signs each request: nobody checks that here.

    def request_token(self, callback: str) -> str:
        return self._seal(REQUEST, Person(), {"oauth_callback": callback})

    def callback_of(self, token: str) -> str:
        """Where a request token leads. Raises Refused."""
        return self._open(REQUEST, token)[1]["oauth_callback"]

    def access_token(self, one: Person) -> str:
        return self._seal(ACCESS, one, {})

    def _seal(self, kind: str, one: Person, asked: Mapping[str, str]) -> str:
        until = int(self.backend.clock.timestamp()) + LIFETIME
        return self._sealing.sign({"kind": kind, "exp": until, "asked": dict(asked), "person": one.model_dump()})

    def _open(self, kind: str, sealed: str) -> tuple[Person, dict[str, str]]:
        try:
            claims = self._sealing.verify(sealed)
        except TokenError:
            raise Refused("invalid_grant") from None
        until, asked = claims.get("exp"), claims.get("asked")
        if claims.get("kind") != kind or not isinstance(until, int) or until < self.backend.clock.timestamp():
            raise Refused("invalid_grant")
        assert isinstance(asked, dict), "it was sealed here"
        return Person.model_validate(claims["person"]), asked


def _require_verifier(asked: Mapping[str, str], verifier: str) -> None:
    challenge = asked.get("code_challenge")
    if challenge is None:
        return
    if asked.get("code_challenge_method", "plain").lower() == "s256":
        verifier = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    if not hmac.compare_digest(verifier.encode(), challenge.encode()):
        raise Refused("invalid_grant")


def oauth1_fields(header: str) -> dict[str, str]:
    """The fields of an Authorization header of OAuth 1.0a.

    >>> oauth1_fields('OAuth oauth_token="a%2Fb", oauth_nonce="c"')
    {'oauth_token': 'a/b', 'oauth_nonce': 'c'}
    """
    pairs = (one.partition("=") for one in header.removeprefix("OAuth ").split(","))
    return {name.strip(): unquote(value.strip().strip('"')) for name, _, value in pairs}


def form_of(body: bytes) -> dict[str, str]:
    """The fields of a form."""
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
