"""/admin/custom-providers: OAuth and OIDC providers that an administrator adds."""

from __future__ import annotations

from typing import Any

from sqlalchemy import RowMapping

from minato.auth.authentication import require_admin
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError, invalid
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
from minato.auth.external.oidc import discovery_url
from minato.auth.external.provider import IncompleteDiscovery, ProviderError
from minato.auth.json_format import render_time, sorted_map

KEPT = (
    "issuer authorization_endpoint token_endpoint userinfo_endpoint jwks_uri scopes_supported "
    "response_types_supported grant_types_supported subject_types_supported"
).split()
FLAGS = {"pkce_enabled": True, "enabled": True, "email_optional": False, "skip_nonce_check": False}
EMPTY = ("acceptable_client_ids", "scopes", "custom_claims_allowlist")
MAPS = ("attribute_mapping", "authorization_params")


async def list_providers(call: Call) -> Answer:
    await _require_admin(call)
    wanted = call.query.get("type", "")
    if wanted not in ("", "oauth2", "oidc"):
        raise invalid("type must be either 'oauth2' or 'oidc'")
    return Answer({"providers": [_shown(row) for row in await custom_providers.find_all(call.db, wanted)]})


async def create_provider(call: Call) -> Answer:
    await _require_admin(call)
    params = call.params(AdminCustomOAuthProviderParams)
    check_new(params)
    most = call.settings.custom_oauth_max_providers
    if most and await custom_providers.count(call.db) >= most:
        message = "Maximum number of custom OAuth/OIDC providers reached"
        raise AuthError(400, "over_custom_provider_quota", message)
    await _check_urls(call, params, params.provider_type)
    if await custom_providers.find(call.db, params.identifier) is not None:
        raise AuthError(400, "conflict", "A custom OAuth provider with this identifier already exists")
    values = {**FLAGS, **{name: [] for name in EMPTY}, **{name: {} for name in MAPS}}
    values |= params.given(params.provider_type)
    values |= {"provider_type": params.provider_type, "identifier": params.identifier, "created_at": call.now}
    if params.provider_type == "oidc":
        values |= await _discover(call, params.issuer, params.discovery_url)
    row = await custom_providers.create(
        call.db, id=call.backend.entropy.uuid4(), **_sealed(call, params), **_with_openid(values), updated_at=call.now
    )
    return Answer(_shown(row), 201)


async def get_provider(call: Call) -> Answer:
    await _require_admin(call)
    return Answer(_shown(await _provider(call)))


async def put_provider(call: Call) -> Answer:
    await _require_admin(call)
    require_prefix(call.request.path_params["id"])
    params = call.params(AdminCustomOAuthProviderParams)
    check_details(params)
    row = await _provider(call)
    await _check_urls(call, params, row["provider_type"])
    values = params.given(row["provider_type"])
    if row["provider_type"] == "oidc" and (params.issuer or params.discovery_url):
        values |= await _discover(
            call, params.issuer or row["issuer"], params.discovery_url or row["discovery_url"] or ""
        )
    values = _with_openid({"provider_type": row["provider_type"], **values})
    values |= {**_sealed(call, params), "updated_at": call.now}
    return Answer(_shown(await custom_providers.change(call.db, row["identifier"], **values)))


async def delete_provider(call: Call) -> Answer:
    await _require_admin(call)
    row = await _provider(call)
    await custom_providers.remove(call.db, row["identifier"])
    if row["issuer"]:
        call.entered.forget(row["issuer"], row["discovery_url"] or "")
    return Answer(status=204)


async def _require_admin(call: Call) -> None:
    await require_admin(call)
    if not call.settings.custom_oauth_enabled:
        raise AuthError(404, "feature_disabled", "Custom OAuth providers are disabled")


async def _provider(call: Call) -> RowMapping:
    identifier = call.request.path_params["id"]
    require_prefix(identifier)
    row = await custom_providers.find(call.db, identifier)
    if row is None:
        raise AuthError(404, "custom_provider_not_found", "Custom OAuth provider not found")
    return row


async def _check_urls(call: Call, params: AdminCustomOAuthProviderParams, provider_type: str) -> None:
    for url in params.urls(provider_type):
        await check_url(url, call.backend.development, call.settings.private_networks)


async def _discover(call: Call, issuer: str, url: str) -> dict[str, Any]:
    """The document as it is kept beside the provider; who misconfigures learns it now and not at the first sign-in."""
    call.entered.forget(issuer, url)
    try:
        document = await call.entered.discover(issuer, url)
        custom_providers.require_https(document)
    except IncompleteDiscovery as error:
        raise missing_from(error.missing) from error
    except ProviderError as error:
        raise invalid(f'OIDC discovery from "{discovery_url(issuer, url)}" failed: {error}') from error
    kept = {name: document[name] for name in KEPT if document.get(name)}
    return {"cached_discovery": kept, "discovery_cached_at": call.now}


def _with_openid(values: dict[str, Any]) -> dict[str, Any]:
    scopes = values.get("scopes")
    if values["provider_type"] == "oidc" and scopes is not None and "openid" not in scopes:
        return {**values, "scopes": ["openid", *scopes]}
    return values


def _sealed(call: Call, params: AdminCustomOAuthProviderParams) -> dict[str, str]:
    if not params.client_secret:
        return {}
    return {"client_secret": custom_providers.seal(params.client_secret, call.backend.sealing_key)}


def _shown(row: RowMapping) -> dict[str, Any]:
    times = {name: render_time(row[name]) for name in ("created_at", "updated_at")}
    plain = {**row, **{name: sorted_map(row[name]) for name in MAPS}}
    return provider_json(plain, times)
