"""POST /sso and GET /sso/saml/metadata: off to the organisation's identity provider, and who we are to it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.response import Response
from minato.auth.rows import flow_states
from minato.auth.rows.users import NIL
from minato.auth.sso import providers, relay_states
from minato.auth.sso.providers import SSOProvider
from minato.auth.sso.service_provider import metadata_xml, request_url, require_saml
from minato.auth.wire.body import parse_uuid
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.validation import validate_pkce

METHOD = "sso/saml"


@dataclass
class SingleSignOnParams:
    provider_id: str = ""
    domain: str = ""
    redirect_to: str = ""
    skip_http_redirect: bool = False
    code_challenge: str = ""
    code_challenge_method: str = ""


async def single_sign_on(tx: Transaction) -> Response:
    require_saml(tx)
    params = tx.params(SingleSignOnParams)
    provider = await _provider(tx, params)
    pkce = (params.code_challenge, params.code_challenge_method)
    validate_pkce(*pkce)
    flow_id, state_id = tx.backend.entropy.uuid4(), tx.backend.entropy.uuid4()
    code = tx.backend.entropy.uuid4() if pkce[0] else None
    values: dict[str, object] = {"referrer": params.redirect_to, "authentication_method": METHOD}
    await flow_states.begin_external(tx.db, flow_id, METHOD, code, pkce, tx.now, **values)
    url, request_id = request_url(tx, provider, str(state_id))
    kept = {"sso_provider_id": provider.id, "flow_state_id": flow_id, "request_id": request_id}
    await relay_states.keep(tx.db, state_id, tx.now, redirect_to=params.redirect_to, **kept)
    if params.skip_http_redirect:
        return Response({"url": url})
    return Response(status=303, headers={"Location": url})


async def saml_metadata(context: RequestContext) -> Response:
    require_saml(context)
    headers = {"content-type": "application/xml", "cache-control": "public, max-age=600"}
    download = context.query.get("download") == "true"
    if download:
        headers["content-disposition"] = 'attachment; filename="metadata.xml"'
    return Response(metadata_xml(context, lasting=download), headers=headers)


async def _provider(tx: ReadTransaction, params: SingleSignOnParams) -> SSOProvider:
    provider_id = _provider_id(params.provider_id)
    if provider_id and params.domain:
        raise invalid("Only one of provider_id or domain supported")
    if not provider_id and not params.domain:
        raise invalid("A provider_id or domain needs to be provided")
    if provider_id:
        provider, missing = await providers.find(tx.db, provider_id), "No such SSO provider"
    else:
        provider = await providers.find_by_domain(tx.db, params.domain)
        missing = "No SSO provider assigned for this domain"
    if provider is None:
        raise AuthError(404, "sso_provider_not_found", missing)
    if not provider.is_enabled:
        raise AuthError(404, "sso_provider_disabled", "SSO Provider is currently disabled")
    return provider


def _provider_id(text: str) -> UUID | None:
    if not text:
        return None
    found = parse_uuid(text)
    return None if found == NIL else found
