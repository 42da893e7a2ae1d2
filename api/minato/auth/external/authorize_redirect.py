"""Leaving for a provider: the URL people are sent to, and the flow that waits for their return."""

from __future__ import annotations

from typing import Any

from minato.auth.external import client_states
from minato.auth.external.catalogue import find_provider
from minato.auth.providers.provider import Provider, ProviderError, SignedWay
from minato.auth.request.call import Call
from minato.auth.rows import flow_states, users
from minato.auth.rows.users import User
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.redirects import with_query
from minato.auth.wire.validation import validate_pkce

# what this server decides about, whatever the caller adds
RESERVED = frozenset(
    "client_id client_secret redirect_uri response_type state code_challenge code_challenge_method "
    "code_verifier".split()
)
# what could not be passed on under its own name
RENAMED = {"workos_provider": "provider"}


async def authorize_url(call: Call, linking: User | None = None) -> str:
    """Where to send the caller; `linking` is the account that wants one more identity."""
    name, query = call.query.get("provider", ""), call.query
    try:
        provider = await find_provider(call, name, query.get("scopes", ""))
    except ProviderError as error:
        raise invalid(f"Unsupported provider: {error}") from error
    invitation = query.get("invite_token", "")
    if invitation and await users.find_by_confirmation_token(call.db, invitation) is None:
        raise AuthError(404, "user_not_found", "User identified by token not found")
    pkce = (query.get("code_challenge", ""), query.get("code_challenge_method", ""))
    validate_pkce(*pkce)
    flow_id = call.backend.entropy.uuid4()
    values: dict[str, Any] = {"referrer": call.redirect_to, "email_optional": provider.email_optional}
    values |= {"invite_token": invitation or None, "linking_target_id": linking.id if linking else None}
    extra, values["oauth_client_state_id"] = await _challenge_provider(call, provider)
    code = call.backend.entropy.uuid4() if pkce[0] else None
    await flow_states.begin_external(call.db, flow_id, provider.name, code, pkce, call.now, **values)
    if provider.oauth1 is not None:
        return await _signed_url(call, provider, provider.oauth1, str(flow_id))
    return _url(call, provider, str(flow_id), extra)


async def _challenge_provider(call: Call, provider: Provider) -> tuple[dict[str, str], Any]:
    if not provider.pkce:
        return {}, None
    state_id, verifier = call.backend.entropy.uuid4(), client_states.new_verifier(call.backend.entropy)
    await client_states.keep(call.db, state_id, provider.name, verifier, call.now)
    challenge = {"code_challenge": client_states.challenge_of(verifier), "code_challenge_method": "S256"}
    return challenge, state_id


async def _signed_url(call: Call, provider: Provider, way: SignedWay, state: str) -> str:
    callback = with_query(provider.redirect_uri, {"state": state})
    try:
        async with call.without_connection():
            token = await way.begin(callback)
    except ProviderError as error:
        call.backend.log.warning("no request token", provider=provider.name, reason=str(error))
        raise AuthError(500, "unexpected_failure", "Unable to retrieve request token") from error
    return with_query(provider.authorize_url, {"oauth_token": token})


def _url(call: Call, provider: Provider, state: str, extra: dict[str, str]) -> str:
    passed = {name: value for name, value in call.query.items() if name.lower() not in RESERVED}
    values = {RENAMED.get(name, name): value for name, value in passed.items() if name not in ("provider", "scopes")}
    values |= {"client_id": provider.client_id, "redirect_uri": provider.redirect_uri, "response_type": "code"}
    values |= {"state": state, **extra, **provider.params}
    if provider.scopes:
        values["scope"] = " ".join(dict.fromkeys(provider.scopes))
    return with_query(provider.authorize_url, values)
