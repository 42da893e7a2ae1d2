"""The code that came back for the provider's tokens."""

from __future__ import annotations

from minato.auth.providers.provider import BadStatus, Provider, ProviderError, ProviderTokens
from minato.auth.providers.web import Web


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
