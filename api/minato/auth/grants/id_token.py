"""The ID token grant: what an app got from a provider itself, for a session or one more identity."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from minato.auth.external import custom_providers
from minato.auth.external.accounts import announce_profile, link_profile, sign_in_profile
from minato.auth.external.catalogue import provider_settings
from minato.auth.external.custom_providers import PREFIX
from minato.auth.providers.claims import generic_profile
from minato.auth.providers.oidc import at_hash_matches, audiences, is_meant_for
from minato.auth.providers.provider import Profile, ProviderError
from minato.auth.providers.reading import is_microsoft, profile_of, unverified_issuer
from minato.auth.providers.record import IdTokens, Record
from minato.auth.providers.records import RECORDS
from minato.auth.request.context import RequestContext
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows.users import User
from minato.auth.sessions.authentication import require_user
from minato.auth.sessions.sign_in import answer_session
from minato.auth.wire.errors import AuthError, OAuthError, invalid
from minato.config.auth_external import ProviderSettings


@dataclass
class IdTokenGrantParams:
    id_token: str = field(default="", repr=False)
    access_token: str = field(default="", repr=False)
    nonce: str = field(default="", repr=False)
    provider: str = ""
    client_id: str = ""
    issuer: str = ""
    link_identity: bool = False


@dataclass(frozen=True)
class Issuer:
    """Whose tokens are accepted, for whom, and how they are read."""

    provider: str
    issuer: str
    client_ids: tuple[str, ...]
    read: Callable[[Mapping[str, object]], Profile] = generic_profile
    discovery_url: str = ""
    also: tuple[str, ...] = ()
    skip_nonce_check: bool = False
    email_optional: bool = False


async def grant_id_token(context: RequestContext) -> Response:
    params = context.params(IdTokenGrantParams)
    if not params.id_token:
        raise _refused("id_token required")
    if not params.provider and not (params.client_id and params.issuer):
        raise _refused("provider or client_id and issuer required")
    if params.link_identity and not context.headers.get("authorization"):
        raise _refused("Linking requires a valid user access token in Authorization")
    target = await _target(context) if params.link_identity else None
    issuer = await _issuer(context, params)
    profile = await _verify(context, params, issuer)
    new = await announce_profile(context, profile, issuer.provider) if target is None else None
    async with context.transaction() as tx:
        if target is not None:
            user = await link_profile(tx, target, profile, issuer.provider)
        else:
            user = await sign_in_profile(tx, profile, issuer.provider, new, issuer.email_optional)
        return await answer_session(tx, user, "oauth")


async def _target(context: RequestContext) -> User:
    """The account that wants one more identity."""
    async with context.read() as tx:
        return (await require_user(tx)).user


async def _issuer(context: RequestContext, params: IdTokenGrantParams) -> Issuer:
    for record in RECORDS:
        settings = provider_settings(context, record.name)
        if settings is not None and record.id_token and _is_asked(record.name, record.id_token, settings, params):
            return _known(context, record, record.id_token, settings, params)
    if params.provider.startswith(PREFIX):
        return await _custom(context, params.provider)
    if params.issuer in context.settings.id_token_issuers:
        known = context.settings.id_token_client_ids
        # Who sends a token must not choose whom it is for.
        return Issuer(params.issuer, params.issuer, (params.client_id,) if {params.client_id, "*"} & known else ())
    raise invalid(f'Custom OIDC provider "{params.provider}" not allowed')


def _is_asked(name: str, tokens: IdTokens, settings: ProviderSettings, params: IdTokenGrantParams) -> bool:
    """Whether the provider is named, or its issuer; an issuer that only the settings name counts while it is on."""
    if not tokens.from_apps:
        return False
    if params.provider == name:
        return True
    if not params.issuer:
        return False
    if tokens.own_issuer and settings.url and (settings.enabled or tokens.issuer):
        return params.issuer == settings.url
    return params.issuer in (tokens.issuer, *tokens.also) or (tokens.tenants and is_microsoft(params.issuer))


def _known(
    data: RequestData, record: Record, tokens: IdTokens, settings: ProviderSettings, params: IdTokenGrantParams
) -> Issuer:
    issuer = settings.url or tokens.issuer
    if tokens.tenants or tokens.also:
        issuer = _detected(record, tokens, settings, params) or issuer
    if not settings.enabled:
        raise AuthError(400, "provider_disabled", f'Provider (issuer "{issuer}") is not enabled')
    bundle = (data.settings.external_ios_bundle_id,) if record.browser_tells_name else ()
    return Issuer(
        record.name,
        issuer,
        (*settings.client_ids, *filter(None, bundle)),
        lambda claims: profile_of(tokens.read(claims), str(claims.get("iss", ""))),
        also=tokens.also,
        skip_nonce_check=settings.skip_nonce_check or not tokens.nonce,
        email_optional=settings.email_optional,
    )


def _detected(record: Record, tokens: IdTokens, settings: ProviderSettings, params: IdTokenGrantParams) -> str:
    """The issuer that the token names, where the provider has several; nothing where it is the provider's one."""
    title = record.name.capitalize()
    try:
        issuer = unverified_issuer(params.id_token)
    except ProviderError as error:
        raise invalid(f"Unable to detect issuer in ID token for {title} provider") from error
    known = {settings.url, tokens.issuer, *tokens.also} - {""}
    if issuer not in known and not (tokens.tenants and is_microsoft(issuer)):
        raise invalid(f"Detected ID token issuer is not an {title} ID token issuer")
    if params.issuer and params.issuer != issuer:
        raise invalid("Provided issuer does not match ID token issuer")
    return issuer if tokens.tenants else ""


async def _custom(context: RequestContext, name: str) -> Issuer:
    if not context.settings.custom_oauth_enabled:
        raise invalid("Custom OAuth providers are disabled")
    async with context.read() as tx:
        custom = await custom_providers.find(tx.db, name)
    if custom is None:
        raise invalid(f'Custom provider "{name}" not found')
    if not custom.enabled:
        raise AuthError(400, "provider_disabled", f'Custom provider "{name}" is disabled')
    if not custom.is_oidc:
        raise invalid(f'Provider "{name}" is not an OIDC provider')
    issuer, discovery_url = custom.discovery
    return Issuer(
        name,
        issuer,
        custom.audiences,
        discovery_url=discovery_url,
        skip_nonce_check=custom.skip_nonce_check,
        email_optional=custom.email_optional,
    )


async def _verify(context: RequestContext, params: IdTokenGrantParams, issuer: Issuer) -> Profile:
    try:
        services = context.services
        oidc = services.entered if issuer.provider.startswith(PREFIX) else services.oidc
        claims = await oidc.verify(params.id_token, issuer.issuer, issuer.discovery_url, issuer.also)
        profile = issuer.read(claims)
        if params.access_token and not at_hash_matches(claims, params.id_token, params.access_token):
            raise ProviderError("at_hash is of another access token")
    except ProviderError as error:
        context.backend.log.warning("ID token refused", issuer=issuer.issuer, reason=str(error))
        raise _refused("Bad ID token") from error
    if not profile.subject:
        raise _refused("Missing sub claim in id_token")
    if not is_meant_for(claims, issuer.client_ids):
        raise _refused(f"Unacceptable audience in id_token: [{' '.join(audiences(claims))}]")
    if not issuer.skip_nonce_check:
        _require_nonce(str(claims.get("nonce") or ""), params.nonce)
    return profile


def _require_nonce(expected: str, nonce: str) -> None:
    if bool(expected) != bool(nonce):
        raise _refused("Passed nonce and nonce in id_token should either both exist or not.")
    digest = hashlib.sha256(nonce.encode()).hexdigest()
    if expected and not hmac.compare_digest(digest.encode(), expected.encode()):
        raise OAuthError("invalid nonce", "Nonces mismatch")


def _refused(description: str) -> OAuthError:
    return OAuthError("invalid request", description)
