"""Leaving for a provider: the URL people are sent to, and the flow that waits for their return."""

from __future__ import annotations

from typing import Any

from minato.auth import flow_states, users
from minato.auth.call import Call
from minato.auth.errors import AuthError, invalid
from minato.auth.external import client_states
from minato.auth.external.catalogue import find_provider
from minato.auth.external.provider import Provider, ProviderError
from minato.auth.redirects import with_query
from minato.auth.users import User
from minato.auth.validation import validate_pkce

# what this server decides about, whatever the caller adds
RESERVED = frozenset(
    "client_id client_secret redirect_uri response_type state code_challenge code_challenge_method "
    "code_verifier".split()
)


async def depart(call: Call, linking: User | None = None) -> str:
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
    return _url(call, provider, str(flow_id), extra)


async def _challenge_provider(call: Call, provider: Provider) -> tuple[dict[str, str], Any]:
    if not provider.pkce:
        return {}, None
    state_id, verifier = call.backend.entropy.uuid4(), client_states.new_verifier(call.backend.entropy)
    await client_states.keep(call.db, state_id, provider.name, verifier, call.now)
    challenge = {"code_challenge": client_states.challenge_of(verifier), "code_challenge_method": "S256"}
    return challenge, state_id


def _url(call: Call, provider: Provider, state: str, extra: dict[str, str]) -> str:
    passed = {name: value for name, value in call.query.items() if name.lower() not in RESERVED}
    values = {name: value for name, value in passed.items() if name not in ("provider", "scopes")}
    values |= {"client_id": provider.client_id, "redirect_uri": provider.redirect_uri, "response_type": "code"}
    values |= {"state": state, **extra, **provider.params}
    if provider.scopes:
        values["scope"] = " ".join(dict.fromkeys(provider.scopes))
    return with_query(provider.authorize_url, values)
