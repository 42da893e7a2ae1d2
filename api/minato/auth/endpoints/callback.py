"""GET and POST /callback: back from a provider, on to the page that asked, with a code, a session or an error."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import parse_qsl
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import flow_states, users
from minato.auth.call import Answer, Call
from minato.auth.errors import RACES, AuthError, OAuthError, lost_race
from minato.auth.external import client_states
from minato.auth.external.accounts import accept_invitation, link_profile, sign_in_profile
from minato.auth.external.catalogue import find_provider
from minato.auth.external.custom_providers import PREFIX
from minato.auth.external.provider import Profile, Provider, ProviderError, ProviderTokens
from minato.auth.redirects import with_fragment, with_query, without_fragment
from minato.auth.sign_in import start_session
from minato.auth.users import User

ERRORS = {400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 503: "temporarily_unavailable"}
DENIED = frozenset({"signup_disabled", "user_banned", "provider_email_needs_verification"})


async def callback(call: Call) -> Answer:
    given = _given(call)
    try:
        flow = await _load_flow(call, given.get("state", ""))
    except AuthError as error:
        site = call.settings.site_url or call.backend.public_url
        return Answer(status=303, headers={"Location": with_query(site, error_values(error))})
    target = call.settings.external_redirect_url or flow["referrer"] or call.site_url
    try:
        profile, tokens = await _ask(call, flow, given)
        location = await _settle(call, given["state"], profile, tokens, target)
    except AuthError as error:
        await undo(call, error)
        values = error_values(error)
        location = with_fragment(with_query(without_fragment(target), values), values)
    return Answer(status=302, headers={"Location": location})


def _given(call: Call) -> Mapping[str, str]:
    if call.request.method == "POST":
        posted = dict(parse_qsl(call.body.decode("utf-8", "replace").replace("\0", "")))
        return {**call.query, **posted}
    return call.query


async def _load_flow(call: Call, state: str) -> RowMapping:
    if not state:
        raise AuthError(400, "bad_oauth_callback", "OAuth state parameter missing")
    try:
        flow_id = UUID(state)
    except ValueError as error:
        raise AuthError(400, "bad_oauth_state", "OAuth state parameter is invalid") from error
    flow = await flow_states.find_by_state(call.db, flow_id)
    if flow is None or flow["authentication_method"] != "oauth":
        raise AuthError(400, "bad_oauth_state", "OAuth state not found or expired")
    if flow["created_at"] + timedelta(seconds=call.settings.external_flow_state_expiry_duration) < call.now:
        raise AuthError(400, "bad_oauth_state", "OAuth state has expired")
    if flow["auth_code"] and flow["user_id"]:
        raise _already_used()
    return flow


async def _ask(call: Call, flow: RowMapping, given: Mapping[str, str]) -> tuple[Profile, ProviderTokens]:
    """Trade the code for the provider's tokens, and them for who came."""
    if given.get("error"):
        raise OAuthError(given["error"], given.get("error_description", ""))
    code = given.get("code", "")
    if not code:
        message = "OAuth callback with missing authorization code missing"
        raise AuthError(400, "bad_oauth_callback", message)
    try:
        provider = await find_provider(call, flow["provider_type"])
    except ProviderError as error:
        raise AuthError(400, "oauth_provider_not_supported", f"Unsupported provider: {error}") from error
    if provider.issuer and given.get("iss", provider.issuer) != provider.issuer:
        # RFC 9207: the answer of one provider is not taken to another.
        raise AuthError(400, "bad_oauth_callback", "OAuth callback of another issuer")
    verifier = await _verifier(call, flow, provider)
    try:
        async with call.without_connection():
            tokens = await _exchange(call, provider, code, verifier)
    except ProviderError as error:
        call.backend.log.warning("code exchange failed", provider=provider.name, reason=str(error))
        raise AuthError(500, "unexpected_failure", f"Unable to exchange external code: {code[:4]}") from error
    try:
        async with call.without_connection():
            profile = await provider.read(tokens)
    except ProviderError as error:
        call.backend.log.warning("profile refused", provider=provider.name, reason=str(error))
        message = "Error getting user profile from external provider"
        raise AuthError(500, "unexpected_failure", message) from error
    if not profile.subject:
        raise AuthError(500, "unexpected_failure", "Error getting user profile from external provider")
    if not profile.addresses and not flow["email_optional"]:
        raise AuthError(500, "unexpected_failure", "Error getting user email from external provider")
    return profile, tokens


async def _verifier(call: Call, flow: RowMapping, provider: Provider) -> str:
    state_id = flow["oauth_client_state_id"]
    kept = await client_states.take(call.db, state_id) if state_id else None
    if state_id and kept is None:
        raise AuthError(422, "oauth_client_state_not_found", "OAuth state not found")
    if kept is not None and kept["provider_type"] != provider.name:
        raise AuthError(400, "oauth_invalid_state", "OAuth provider mismatch")
    if (
        kept is not None
        and kept["created_at"] + timedelta(seconds=call.settings.external_flow_state_expiry_duration) < call.now
    ):
        raise AuthError(422, "oauth_client_state_expired", "OAuth state expired")
    if provider.pkce and kept is None:
        raise AuthError(400, "oauth_invalid_state", "OAuth PKCE code verifier missing")
    return str(kept["code_verifier"]) if kept else ""


async def _exchange(call: Call, provider: Provider, code: str, verifier: str) -> ProviderTokens:
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": provider.redirect_uri}
    if verifier:
        form["code_verifier"] = verifier
    auth = (provider.client_id, provider.secret) if provider.secret_in_header else None
    if auth is None:
        form |= {"client_id": provider.client_id, "client_secret": provider.secret}
    web = (call.entered if provider.name.startswith(PREFIX) else call.oidc).web
    answer = await web.post_form(provider.token_url, form, auth)
    texts = (
        {name: value for name, value in answer.items() if isinstance(value, str)} if isinstance(answer, dict) else {}
    )
    if not texts.get("access_token"):
        raise ProviderError(f"no access token: {texts.get('error', 'no error')}")
    return ProviderTokens(texts["access_token"], texts.get("refresh_token", ""), texts.get("id_token", ""))


async def undo(call: Call, error: AuthError) -> None:
    """A redirect tells of a refusal, and so the edge would keep what was written before it, or not run again what
    only lost a race."""
    if lost_race(error):
        raise error
    if not error.commits:
        await call.undo()


async def _settle(call: Call, state: str, profile: Profile, tokens: ProviderTokens, target: str) -> str:
    """Where the browser goes. What lost a race is done again from here: the provider's code is good only once."""
    for _ in range(RACES):
        try:
            return await _arrive(call, state, profile, tokens, target)
        except Exception as error:
            if not lost_race(error):
                raise
            await call.undo()
    return await _arrive(call, state, profile, tokens, target)


async def _arrive(call: Call, state: str, profile: Profile, tokens: ProviderTokens, target: str) -> str:
    flow = await _load_flow(call, state)
    user = await _account(call, flow, profile)
    return await _deliver(call, flow, user, tokens, target)


async def _account(call: Call, flow: RowMapping, profile: Profile) -> User:
    provider = flow["provider_type"]
    if flow["linking_target_id"]:
        target = await users.find(call.db, flow["linking_target_id"])
        if target is None:
            raise AuthError(422, "user_not_found", "Linking target user not found")
        return await link_profile(call, target, profile, provider)
    if flow["invite_token"]:
        return await accept_invitation(call, flow["invite_token"], profile, provider)
    return await sign_in_profile(call, profile, provider, flow["email_optional"])


async def _deliver(call: Call, flow: RowMapping, user: User, tokens: ProviderTokens, target: str) -> str:
    if flow["auth_code"]:
        given = (tokens.access_token, tokens.refresh_token)
        if not await flow_states.claim(call.db, flow["id"], user.id, given, call.now):
            raise _already_used()
        return with_query(target, {"code": flow["auth_code"]})
    body, _ = await start_session(call, user, "oauth")
    await flow_states.end(call.db, flow["id"])
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    values = {name: str(body[name]) for name in names} | {"provider_token": tokens.access_token}
    if tokens.refresh_token:
        values["provider_refresh_token"] = tokens.refresh_token
    return with_fragment(target, values)


def _already_used() -> AuthError:
    return AuthError(400, "flow_state_already_used", "State has already been used")


def error_values(error: AuthError) -> dict[str, str]:
    """What a redirect tells of a refusal."""
    if isinstance(error, OAuthError):
        return {"error": error.code, "error_description": error.message}
    name = "access_denied" if error.code in DENIED else ERRORS.get(error.status, "server_error")
    return {"error": name, "error_code": error.code, "error_description": error.message}
