"""The code that came back for the provider's tokens, and OAuth 1.0a (RFC 5849), which one provider still speaks.

There requests are signed by HMAC-SHA1, and a token comes before the token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from minato.auth.providers.provider import BadStatus, Provider, ProviderError, ProviderTokens
from minato.auth.providers.web import Web
from minato.clock import Clock
from minato.entropy import Entropy

Params = Mapping[str, str]
# What its userinfo is asked for.
WANTED = {"include_entities": "false", "skip_status": "true", "include_email": "true"}


async def exchange(web: Web, provider: Provider, code: str, verifier: str) -> ProviderTokens:
    """The tokens for `code`. Raises ProviderError."""
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": provider.redirect_uri}
    if verifier:
        form["code_verifier"] = verifier
    if provider.secret_in_header is None:
        try:
            return await _tokens(web, provider, form, in_header=True)
        except (BadStatus, _NoToken):
            # As Go's client does where it is told nothing of the provider.
            return await _tokens(web, provider, form, in_header=False)
    return await _tokens(web, provider, form, provider.secret_in_header)


class _NoToken(ProviderError):
    """A success without an access token."""


async def _tokens(web: Web, provider: Provider, form: dict[str, str], in_header: bool) -> ProviderTokens:
    auth = (provider.client_id, provider.secret) if in_header else None
    if auth is None:
        form = {**form, "client_id": provider.client_id, "client_secret": provider.secret}
    answer = await web.post_form(provider.token_url, form, auth)
    answer = answer if isinstance(answer, dict) else {}
    texts = {name: value for name, value in answer.items() if isinstance(value, str)}
    if not texts.get("access_token"):
        raise _NoToken(f"no access token: {texts.get('error', 'no error')}")
    return ProviderTokens(texts["access_token"], texts.get("refresh_token", ""), texts.get("id_token", ""), answer)


@dataclass(frozen=True, slots=True)
class OAuth1:
    """One provider, to which this server is the consumer `key` with `secret`."""

    web: Web
    clock: Clock
    entropy: Entropy
    key: str
    secret: str = field(repr=False)
    request_url: str
    access_url: str
    userinfo_url: str

    async def begin(self, callback: str) -> str:
        """The request token that people leave with, to come back to `callback`. Raises ProviderError."""
        return _required(await self._post(self.request_url, {"oauth_callback": callback}), "oauth_token")

    async def exchange(self, token: str, verifier: str) -> ProviderTokens:
        """The access token for what came back, with the person as `user` of the answer. Raises ProviderError."""
        answer = await self._post(self.access_url, {"oauth_token": token, "oauth_verifier": verifier})
        access = _required(answer, "oauth_token")
        header = self._header("GET", self.userinfo_url, {"oauth_token": access}, answer["oauth_token_secret"], WANTED)
        url = f"{self.userinfo_url}?{urlencode(WANTED)}"
        return ProviderTokens(access, answer={"user": await self.web.get_json(url, headers={"authorization": header})})

    async def _post(self, url: str, given: Params) -> dict[str, str]:
        return await self.web.post_signed(url, self._header("POST", url, given, "", {}))

    def _header(self, method: str, url: str, given: Params, token_secret: str, query: Params) -> str:
        fields = {
            "oauth_consumer_key": self.key,
            "oauth_nonce": self.entropy.base32(32),
            "oauth_signature_method": "HMAC-SHA1",
            "oauth_timestamp": str(int(self.clock.timestamp())),
            "oauth_version": "1.0",
            **given,
        }
        key = f"{_quoted(self.secret)}&{_quoted(token_secret)}"
        fields["oauth_signature"] = sign(method, url, {**fields, **query}, key)
        return "OAuth " + ", ".join(f'{name}="{_quoted(value)}"' for name, value in sorted(fields.items()))


def sign(method: str, url: str, params: Params, key: str) -> str:
    """The signature of RFC 5849, section 3.4.

    >>> sign("GET", "http://a.example/b", {"c": "d e"}, "secret&")
    'BPhruFhFufwpXCjqW+zS2ZMnGI8='
    """
    pairs = sorted((_quoted(name), _quoted(value)) for name, value in params.items())
    told = "&".join(f"{name}={value}" for name, value in pairs)
    base = "&".join(map(_quoted, (method, url, told)))
    return base64.b64encode(hmac.new(key.encode(), base.encode(), hashlib.sha1).digest()).decode()


def _quoted(value: str) -> str:
    return quote(value, safe="~")


def _required(answer: Params, name: str) -> str:
    if not answer.get(name) or not answer.get("oauth_token_secret"):
        raise ProviderError(f"no {name} came")
    return answer[name]
