"""/admin/sso/providers: identity providers of organisations."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from minato.auth.authentication import require_admin
from minato.auth.call import Answer, Call
from minato.auth.errors import AuthError
from minato.auth.sso import providers
from minato.auth.sso.metadata import CreateSSOProviderParams, load_metadata
from minato.auth.sso.providers import SSOProvider, provider_json

RESOURCE = "resource_"


async def list_sso_providers(call: Call) -> Answer:
    await require_admin(call)
    wanted, prefix = call.query.get("resource_id", ""), call.query.get("resource_id_prefix", "")
    found = await providers.find_all(call.db, wanted, prefix)
    return Answer({"items": [provider_json(provider, with_xml=False) for provider in found]})


async def create_sso_provider(call: Call) -> Answer:
    await require_admin(call)
    params = call.params(CreateSSOProviderParams)
    params.check(is_new=True)
    mapping = params.mapping()
    text, entity = await load_metadata(params, call.entered.web)
    if await providers.find_by_entity(call.db, entity) is not None:
        message = f"SAML Identity Provider with this EntityID ({entity}) already exists"
        raise AuthError(422, "saml_idp_already_exists", message)
    for domain in params.domains or []:
        await _require_free(call, domain, "SSO Domain '{}' is already assigned to an SSO identity provider ({})")
    saml: dict[str, Any] = {"entity_id": entity, "metadata_xml": text, "attribute_mapping": mapping or {}}
    saml |= {name: getattr(params, name) or None for name in ("metadata_url", "name_id_format")}
    own = {"resource_id": params.resource_id or None, "disabled": params.disabled}
    provider_id = call.backend.entropy.uuid4()
    try:
        async with call.db.begin_nested():
            await providers.create(call.db, (provider_id, call.backend.entropy.uuid4()), own, saml, call.now)
            await _add_domains(call, provider_id, params.domains or [])
    except IntegrityError as error:
        raise _conflict() from error
    return Answer(provider_json(await _known(call, provider_id)), 201)


async def get_sso_provider(call: Call) -> Answer:
    await require_admin(call)
    return Answer(provider_json(await _provider(call)))


async def put_sso_provider(call: Call) -> Answer:
    await require_admin(call)
    provider = await _provider(call)
    params = call.params(CreateSSOProviderParams)
    params.check(is_new=False)
    mapping = params.mapping()
    saml: dict[str, Any] = {"name_id_format": params.name_id_format or None}
    saml |= {"attribute_mapping": mapping} if mapping is not None else {}
    if params.metadata_xml or params.metadata_url:
        saml |= await _new_metadata(call, provider, params)
    own: dict[str, Any] = {}
    own |= {"resource_id": params.resource_id or None} if params.resource_id is not None else {}
    own |= {"disabled": params.disabled} if params.disabled is not None else {}
    for domain in params.domains or []:
        await _require_free(call, domain, "SSO domain '{}' already assigned to another provider ({})", provider.id)
    try:
        async with call.db.begin_nested():
            await providers.change(call.db, provider.id, own, saml, call.now)
            if params.domains is not None:
                gone = set(provider.domains) - set(params.domains)
                await providers.remove_domains(call.db, provider.id, gone)
                await _add_domains(call, provider.id, [one for one in params.domains if one not in provider.domains])
    except IntegrityError as error:
        raise _conflict() from error
    return Answer(provider_json(await _known(call, provider.id)))


async def delete_sso_provider(call: Call) -> Answer:
    await require_admin(call)
    provider = await _provider(call)
    await providers.remove(call.db, provider.id)
    return Answer(provider_json(provider))


async def _provider(call: Call) -> SSOProvider:
    given = call.request.path_params["id"]
    if given.startswith(RESOURCE):
        provider = await providers.find_by_resource(call.db, given.removeprefix(RESOURCE))
    else:
        provider = await providers.find(call.db, _uuid(given)) if _uuid(given) else None
    if provider is None:
        raise AuthError(404, "sso_provider_not_found", "SSO Identity Provider not found")
    return provider


async def _known(call: Call, provider_id: UUID) -> SSOProvider:
    provider = await providers.find(call.db, provider_id)
    assert provider is not None, "it was written a moment ago"
    return provider


async def _new_metadata(call: Call, provider: SSOProvider, params: CreateSSOProviderParams) -> dict[str, Any]:
    text, entity = await load_metadata(params, call.entered.web)
    expected = provider.saml["entity_id"]
    if entity != expected:
        reason = "SAML Metadata can be updated only if the EntityID matches for the provider"
        raise AuthError(400, "saml_entity_id_mismatch", f"{reason}; expected '{expected}' but got '{entity}'")
    return {"metadata_xml": text, **({"metadata_url": params.metadata_url} if params.metadata_url else {})}


async def _require_free(call: Call, domain: str, message: str, beside: UUID | None = None) -> None:
    holder = await providers.find_by_domain(call.db, domain)
    if holder is not None and holder.id != beside:
        raise AuthError(400, "sso_domain_already_exists", message.format(domain, holder.id))


async def _add_domains(call: Call, provider_id: UUID, domains: list[str]) -> None:
    for domain in dict.fromkeys(domains):
        await providers.add_domain(call.db, call.backend.entropy.uuid4(), provider_id, domain, call.now)


def _uuid(text: str) -> Any:
    try:
        return UUID(text)
    except ValueError:
        return None


def _conflict() -> AuthError:
    return AuthError(422, "conflict", "Updating SSO provider failed, likely due to a conflict. Try again?")
