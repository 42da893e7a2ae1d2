"""GET and POST /callback: back from a provider, on to the page that asked, with a code, a session or an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from minato.auth.accounts.registration import NewAccount
from minato.auth.external import client_states
from minato.auth.external.accounts import accept_invitation, announce_profile, link_profile, sign_in_profile
from minato.auth.external.catalogue import find_provider
from minato.auth.external.custom_providers import PREFIX
from minato.auth.providers.exchange import exchange
from minato.auth.providers.provider import Profile, Provider, ProviderError, ProviderTokens
from minato.auth.providers.reading import named
from minato.auth.providers.web import Web
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import flow_states, users
from minato.auth.rows.flow_states import FlowState
from minato.auth.rows.users import User
from minato.auth.sessions.sign_in import start_session
from minato.auth.wire.body import parse_form
from minato.auth.wire.errors import RACES, AuthError, OAuthError, lost_race
from minato.auth.wire.redirects import with_fragment, with_query, without_fragment

ERRORS = {400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 503: "temporarily_unavailable"}
DENIED = frozenset({"signup_disabled", "user_banned", "provider_email_needs_verification"})


@dataclass(frozen=True)
class Arrival:
    """Who came back from the provider, with which tokens of its, and the page that asked."""

    profile: Profile
    tokens: ProviderTokens
    target: str


async def callback(context: RequestContext) -> Response:
    given = _given(context)
    try:
        async with context.read() as tx:
            flow = await _load_flow(tx, given.get("state", ""))
    except AuthError as error:
        site = context.settings.site_url or context.backend.public_url
        return Response(status=303, headers={"Location": with_query(site, error_values(error))})
    target = context.settings.external_redirect_url or flow.referrer or context.site_url
    try:
        profile, tokens = await _ask(context, flow, given)
        location = await _settle(context, flow, Arrival(profile, tokens, target))
    except AuthError as error:
        if lost_race(error):
            raise
        values = error_values(error)
        known = {name: value for name, value in values.items() if value}
        location = with_fragment(with_query(without_fragment(target), values), known)
    return Response(status=302, headers={"Location": location})


def _given(context: RequestContext) -> Mapping[str, str]:
    if context.http.method == "POST":
        return {**context.query, **parse_form(context.body)}
    return context.query


async def _load_flow(tx: ReadTransaction, state: str, lock: bool = False) -> FlowState:
    if not state:
        raise AuthError(400, "bad_oauth_callback", "OAuth state parameter missing")
    try:
        flow_id = UUID(state)
    except ValueError as error:
        raise AuthError(400, "bad_oauth_state", "OAuth state parameter is invalid") from error
    flow = await flow_states.find_by_state(tx.db, flow_id, lock)
    if flow is None or flow.authentication_method != "oauth":
        raise AuthError(400, "bad_oauth_state", "OAuth state not found or expired")
    if flow.created_at + timedelta(seconds=tx.settings.external_flow_state_expiry_duration) < tx.now:
        raise AuthError(400, "bad_oauth_state", "OAuth state has expired")
    if flow.auth_code and flow.user_id:
        raise _already_used()
    return flow


async def _ask(context: RequestContext, flow: FlowState, given: Mapping[str, str]) -> tuple[Profile, ProviderTokens]:
    """Trade the code for the provider's tokens, and them for who came."""
    if given.get("error"):
        raise OAuthError(given["error"], given.get("error_description", ""))
    if not given.get("code") and not given.get("oauth_token"):
        message = "OAuth callback with missing authorization code missing"
        raise AuthError(400, "bad_oauth_callback", message)
    try:
        provider = await find_provider(context, flow.provider_type)
    except ProviderError as error:
        raise AuthError(400, "oauth_provider_not_supported", f"Unsupported provider: {error}") from error
    if provider.issuer and given.get("iss", provider.issuer) != provider.issuer:
        # RFC 9207: the answer of one provider is not taken to another.
        raise AuthError(400, "bad_oauth_callback", "OAuth callback of another issuer")
    tokens = await _trade(context, flow, provider, given)
    try:
        profile = await provider.read(tokens)
        if provider.browser_tells_name and given.get("user"):
            profile = named(profile, given["user"])
    except ProviderError as error:
        context.backend.log.warning("profile refused", provider=provider.name, reason=str(error))
        message = "Error getting user profile from external provider"
        raise AuthError(500, "unexpected_failure", message) from error
    if not profile.subject:
        raise AuthError(500, "unexpected_failure", "Error getting user profile from external provider")
    if not profile.addresses and not flow.email_optional:
        raise AuthError(500, "unexpected_failure", "Error getting user email from external provider")
    return profile, tokens


async def _trade(
    context: RequestContext, flow: FlowState, provider: Provider, given: Mapping[str, str]
) -> ProviderTokens:
    code, verifier = given.get("code", ""), await _take_verifier(context, flow, provider)
    try:
        if provider.oauth1 is not None:
            return await provider.oauth1.exchange(given.get("oauth_token", ""), given.get("oauth_verifier", ""))
        return await exchange(_web(context, provider), provider, code, verifier)
    except ProviderError as error:
        context.backend.log.warning("code exchange failed", provider=provider.name, reason=str(error))
        failed = f"Unable to exchange external code: {code[:4]}" if code else "Unable to retrieve access token"
        raise AuthError(500, "unexpected_failure", failed) from error


async def _take_verifier(context: RequestContext, flow: FlowState, provider: Provider) -> str:
    """The verifier that was kept for this sign-in; empty where there is none.

    A step of its own, committed before the provider is asked, whether or not that goes well: who comes with the same
    state again finds it used. supabase/auth does the same (internal/api/external_oauth.go deletes it outside of any
    transaction). A state that is another provider's, or too old, stays until it is cleaned up.
    """
    state_id = flow.oauth_client_state_id
    if state_id is None:
        if provider.pkce:
            raise AuthError(400, "oauth_invalid_state", "OAuth PKCE code verifier missing")
        return ""
    lifetime = timedelta(seconds=context.settings.external_flow_state_expiry_duration)
    async with context.transaction() as tx:
        kept = await client_states.take(tx.db, state_id)
        if kept is None:
            raise AuthError(422, "oauth_client_state_not_found", "OAuth state not found")
        if kept.provider_type != provider.name:
            raise AuthError(400, "oauth_invalid_state", "OAuth provider mismatch")
        if kept.created_at + lifetime < tx.now:
            raise AuthError(422, "oauth_client_state_expired", "OAuth state expired")
    return str(kept.code_verifier)


def _web(context: RequestContext, provider: Provider) -> Web:
    services = context.services
    return (services.entered if provider.name.startswith(PREFIX) else services.oidc).web


async def _settle(context: RequestContext, flow: FlowState, arrival: Arrival) -> str:
    """Where the browser goes. What lost a race is done again from here: the provider's code is good only once."""
    for _ in range(RACES):
        try:
            return await _arrive(context, flow, arrival)
        except Exception as error:
            if not lost_race(error):
                raise
    return await _arrive(context, flow, arrival)


async def _arrive(context: RequestContext, flow: FlowState, arrival: Arrival) -> str:
    signs_in = not flow.linking_target_id and not flow.invite_token
    new = await announce_profile(context, arrival.profile, flow.provider_type) if signs_in else None
    async with context.transaction() as tx:
        flow = await _load_flow(tx, str(flow.id), lock=True)
        return await _hand_over(tx, flow, await _account(tx, flow, arrival.profile, new), arrival)


async def _account(tx: Transaction, flow: FlowState, profile: Profile, new: NewAccount | None) -> User:
    provider = flow.provider_type
    if flow.linking_target_id:
        linking = await users.find(tx.db, flow.linking_target_id)
        if linking is None:
            raise AuthError(422, "user_not_found", "Linking target user not found")
        return await link_profile(tx, linking, profile, provider)
    if flow.invite_token:
        return await accept_invitation(tx, flow.invite_token, profile, provider)
    return await sign_in_profile(tx, profile, provider, new, flow.email_optional)


async def _hand_over(tx: Transaction, flow: FlowState, user: User, arrival: Arrival) -> str:
    tokens = arrival.tokens
    if flow.auth_code:
        given = (tokens.access_token, tokens.refresh_token)
        if not await flow_states.claim(tx.writer, flow.id, user.id, given):
            raise _already_used()
        return with_query(arrival.target, {"code": flow.auth_code})
    body, _ = await start_session(tx, user, "oauth")
    await flow_states.end(tx.db, flow.id)
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    values = {name: str(body[name]) for name in names} | {"provider_token": tokens.access_token}
    if tokens.refresh_token:
        values["provider_refresh_token"] = tokens.refresh_token
    return with_fragment(arrival.target, values)


def _already_used() -> AuthError:
    return AuthError(400, "flow_state_already_used", "State has already been used")


def error_values(error: AuthError) -> dict[str, str]:
    """What a redirect tells of a refusal."""
    if isinstance(error, OAuthError):
        return {"error": error.code, "error_description": error.message}
    name = "access_denied" if error.code in DENIED else ERRORS.get(error.status, "server_error")
    return {"error": name, "error_code": error.code, "error_description": error.message}
