"""/admin/sso/providers: identity providers of organisations."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy.exc import IntegrityError

from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.response import Response
from minato.auth.sessions.authentication import require_admin
from minato.auth.sso import providers
from minato.auth.sso.metadata import CreateSSOProviderParams, load_metadata
from minato.auth.sso.providers import SSOProvider, provider_json
from minato.auth.wire.errors import AuthError
from minato.config.auth_external import fake_url

RESOURCE = "resource_"


async def list_sso_providers(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    wanted, prefix = tx.query.get("resource_id", ""), tx.query.get("resource_id_prefix", "")
    found = await providers.find_all(tx.db, wanted, prefix)
    return Response({"items": [provider_json(provider, with_xml=False) for provider in found]})


async def create_sso_provider(context: RequestContext) -> Response:
    async with context.read() as reading:
        await require_admin(reading)
    params = context.params(CreateSSOProviderParams)
    params.check(is_new=True, own=_own_providers(context))
    mapping = params.mapping()
    text, entity = await load_metadata(params, context.services.entered.web)
    saml: dict[str, object] = {"entity_id": entity, "metadata_xml": text, "attribute_mapping": mapping or {}}
    saml |= {name: getattr(params, name) or None for name in ("metadata_url", "name_id_format")}
    own = {"resource_id": params.resource_id or None, "disabled": params.disabled}
    provider_id = context.backend.entropy.uuid4()
    async with context.transaction() as tx:
        if await providers.find_by_entity(tx.db, entity) is not None:
            message = f"SAML Identity Provider with this EntityID ({entity}) already exists"
            raise AuthError(422, "saml_idp_already_exists", message)
        for domain in params.domains or []:
            await _require_free(tx, domain, "SSO Domain '{}' is already assigned to an SSO identity provider ({})")
        try:
            async with tx.db.begin_nested():
                await providers.create(tx.writer, provider_id, own, saml)
                await _add_domains(tx, provider_id, params.domains or [])
        except IntegrityError as error:
            raise _conflict() from error
        return Response(provider_json(await _known(tx, provider_id)), 201)


async def get_sso_provider(tx: ReadTransaction) -> Response:
    await require_admin(tx)
    return Response(provider_json(await _provider(tx)))


async def put_sso_provider(context: RequestContext) -> Response:
    async with context.read() as reading:
        await require_admin(reading)
        provider = await _provider(reading)
    params = context.params(CreateSSOProviderParams)
    params.check(is_new=False, own=_own_providers(context))
    mapping = params.mapping()
    saml: dict[str, object] = {"name_id_format": params.name_id_format or None}
    saml |= {"attribute_mapping": mapping} if mapping is not None else {}
    if params.metadata_xml or params.metadata_url:
        saml |= await _new_metadata(context, provider, params)
    own: dict[str, object] = {}
    own |= {"resource_id": params.resource_id or None} if params.resource_id is not None else {}
    own |= {"disabled": params.disabled} if params.disabled is not None else {}
    async with context.transaction() as tx:
        for domain in params.domains or []:
            await _require_free(tx, domain, "SSO domain '{}' already assigned to another provider ({})", provider.id)
        try:
            async with tx.db.begin_nested():
                await providers.change(tx.writer, provider.id, own, saml)
                await _change_domains(tx, provider, params.domains)
        except IntegrityError as error:
            raise _conflict() from error
        return Response(provider_json(await _known(tx, provider.id)))


async def _change_domains(tx: Transaction, provider: SSOProvider, domains: list[str] | None) -> None:
    """The provider stands for `domains` from now on; for those it has where none are given."""
    if domains is None:
        return
    await providers.remove_domains(tx.db, provider.id, set(provider.domains) - set(domains))
    await _add_domains(tx, provider.id, [one for one in domains if one not in provider.domains])


async def delete_sso_provider(tx: Transaction) -> Response:
    await require_admin(tx)
    provider = await _provider(tx)
    await providers.remove(tx.db, provider.id)
    return Response(provider_json(provider))


def _own_providers(context: RequestContext) -> str:
    """Where the developer's organisations are; nowhere in production."""
    return fake_url(context.backend.public_url, "saml/") if context.backend.development else ""


async def _provider(tx: ReadTransaction) -> SSOProvider:
    given = tx.path_params["id"]
    if given.startswith(RESOURCE):
        provider = await providers.find_by_resource(tx.db, given.removeprefix(RESOURCE))
    else:
        provider_id = _uuid(given)
        provider = await providers.find(tx.db, provider_id) if provider_id else None
    if provider is None:
        raise AuthError(404, "sso_provider_not_found", "SSO Identity Provider not found")
    return provider


async def _known(tx: ReadTransaction, provider_id: UUID) -> SSOProvider:
    provider = await providers.find(tx.db, provider_id)
    assert provider is not None, "it was written a moment ago"
    return provider


async def _new_metadata(
    context: RequestContext, provider: SSOProvider, params: CreateSSOProviderParams
) -> dict[str, object]:
    text, entity = await load_metadata(params, context.services.entered.web)
    expected = provider.saml.entity_id
    if entity != expected:
        reason = "SAML Metadata can be updated only if the EntityID matches for the provider"
        raise AuthError(400, "saml_entity_id_mismatch", f"{reason}; expected '{expected}' but got '{entity}'")
    return {"metadata_xml": text, **({"metadata_url": params.metadata_url} if params.metadata_url else {})}


async def _require_free(tx: ReadTransaction, domain: str, message: str, beside: UUID | None = None) -> None:
    holder = await providers.find_by_domain(tx.db, domain)
    if holder is not None and holder.id != beside:
        raise AuthError(400, "sso_domain_already_exists", message.format(domain, holder.id))


async def _add_domains(tx: Transaction, provider_id: UUID, domains: list[str]) -> None:
    for domain in dict.fromkeys(domains):
        await providers.add_domain(tx.writer, provider_id, domain)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _conflict() -> AuthError:
    return AuthError(422, "conflict", "Updating SSO provider failed, likely due to a conflict. Try again?")
