"""/admin/custom-providers: OAuth and OIDC providers that an administrator adds."""

from __future__ import annotations

from minato.auth.external import custom_providers
from minato.auth.external.custom_params import (
    AdminCustomOAuthProviderParams,
    check_details,
    check_new,
    check_url,
    missing_from,
    provider_json,
    require_prefix,
)
from minato.auth.external.custom_providers import CustomProvider
from minato.auth.providers.provider import IncompleteDiscovery, ProviderError
from minato.auth.request.context import ReadTransaction, RequestContext
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import require_admin
from minato.auth.wire.errors import AuthError, invalid
from minato.issuer_keys import discovery_url
from minato.json_text import JsonObject

KEPT = (
    "issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri scopes_supported "
    "response_types_supported grant_types_supported subject_types_supported"
).split()
FLAGS = {"pkce_enabled": True, "enabled": True, "email_optional": False, "skip_nonce_check": False}
EMPTY = ("acceptable_client_ids", "scopes", "custom_claims_allowlist")
MAPS = ("attribute_mapping", "authorization_params")


async def list_providers(tx: ReadTransaction) -> Response:
    await _require_admin(tx)
    wanted = tx.query.get("type", "")
    if wanted not in ("", "oauth2", "oidc"):
        raise invalid("type must be either 'oauth2' or 'oidc'")
    found = await custom_providers.find_all(tx.db, wanted)
    return Response({"providers": [provider_json(provider) for provider in found]})


async def create_provider(context: RequestContext) -> Response:
    async with context.read() as reading:
        await _require_admin(reading)
        params = reading.params(AdminCustomOAuthProviderParams)
        check_new(params)
        await _require_room(reading)
    await _check_urls(context, params, params.provider_type)
    async with context.read() as reading:
        if await custom_providers.find(reading.db, params.identifier) is not None:
            raise AuthError(400, "conflict", "A custom OAuth provider with this identifier already exists")
    values = {**FLAGS, **{name: [] for name in EMPTY}, **{name: {} for name in MAPS}}
    values |= params.given(params.provider_type)
    values |= {"provider_type": params.provider_type, "identifier": params.identifier, "created_at": context.now}
    if params.provider_type == "oidc":
        values |= await _discover(context, params.issuer, params.discovery_url)
    values = {**_sealed(context, params), **_with_openid(values), "updated_at": context.now}
    async with context.transaction() as tx:
        provider = await custom_providers.create(tx.db, id=tx.backend.entropy.uuid4(), **values)
    return Response(provider_json(provider), 201)


async def get_provider(tx: ReadTransaction) -> Response:
    await _require_admin(tx)
    return Response(provider_json(await _provider(tx)))


async def put_provider(context: RequestContext) -> Response:
    async with context.read() as reading:
        await _require_admin(reading)
        require_prefix(reading.path_params["id"])
        params = reading.params(AdminCustomOAuthProviderParams)
        check_details(params)
        provider = await _provider(reading)
    await _check_urls(context, params, provider.provider_type)
    values = params.given(provider.provider_type)
    if provider.is_oidc and (params.issuer or params.discovery_url):
        issuer, url = provider.discovery
        values |= await _discover(context, params.issuer or issuer, params.discovery_url or url)
    values = _with_openid({"provider_type": provider.provider_type, **values})
    values |= {**_sealed(context, params), "updated_at": context.now}
    async with context.transaction() as tx:
        return Response(provider_json(await custom_providers.change(tx.db, provider.identifier, **values)))


async def delete_provider(context: RequestContext) -> Response:
    async with context.transaction() as tx:
        await _require_admin(tx)
        provider = await _provider(tx)
        await custom_providers.remove(tx.db, provider.identifier)
    if provider.issuer:
        context.services.entered.forget(*provider.discovery)
    return Response(status=204)


async def _require_admin(tx: ReadTransaction) -> None:
    await require_admin(tx)
    if not tx.settings.custom_oauth_enabled:
        raise AuthError(404, "feature_disabled", "Custom OAuth providers are disabled")


async def _require_room(tx: ReadTransaction) -> None:
    most = tx.settings.custom_oauth_max_providers
    if most and await custom_providers.count(tx.db) >= most:
        message = "Maximum number of custom OAuth/OIDC providers reached"
        raise AuthError(400, "over_custom_provider_quota", message)


async def _provider(tx: ReadTransaction) -> CustomProvider:
    identifier = tx.path_params["id"]
    require_prefix(identifier)
    provider = await custom_providers.find(tx.db, identifier)
    if provider is None:
        raise AuthError(404, "custom_provider_not_found", "Custom OAuth provider not found")
    return provider


async def _check_urls(context: RequestContext, params: AdminCustomOAuthProviderParams, provider_type: str) -> None:
    for url in params.urls(provider_type):
        await check_url(url, context.backend.development, context.settings.private_networks)


async def _discover(context: RequestContext, issuer: str, url: str) -> JsonObject:
    """The document as it is kept beside the provider; who misconfigures learns it now and not at the first sign-in."""
    entered = context.services.entered
    entered.forget(issuer, url)
    try:
        document = await entered.discover(issuer, url)
        custom_providers.require_https(document)
    except IncompleteDiscovery as error:
        raise missing_from(error.missing) from error
    except ProviderError as error:
        raise invalid(f'OIDC discovery from "{discovery_url(issuer, url)}" failed: {error}') from error
    kept = {name: document[name] for name in KEPT if document.get(name)}
    return {"cached_discovery": kept, "discovery_cached_at": context.now}


def _with_openid(values: JsonObject) -> JsonObject:
    scopes = values.get("scopes")
    if values["provider_type"] == "oidc" and scopes is not None and "openid" not in scopes:
        return {**values, "scopes": ["openid", *scopes]}
    return values


def _sealed(data: RequestData, params: AdminCustomOAuthProviderParams) -> dict[str, str]:
    if not params.client_secret:
        return {}
    return {"client_secret": custom_providers.seal(params.client_secret, data.backend.sealing_key)}
