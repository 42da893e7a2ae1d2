"""POST /sso and /sso/saml/…: to an organisation's identity provider, and back with a session, a code or an error."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from minato.auth.endpoints.callback import error_values
from minato.auth.external.accounts import announce_profile, sign_in_profile
from minato.auth.request.context import ReadTransaction, RequestContext, Transaction
from minato.auth.request.data import RequestData
from minato.auth.request.response import Response
from minato.auth.rows import flow_states
from minato.auth.rows.flow_states import FlowState
from minato.auth.rows.users import NIL, User
from minato.auth.sessions.sign_in import start_session
from minato.auth.sso import providers, relay_states
from minato.auth.sso.assertion import Assertion, SAMLResponse, profile_of
from minato.auth.sso.providers import SSOProvider
from minato.auth.sso.service_provider import (
    last_moment,
    metadata_xml,
    read_response,
    refused,
    request_url,
    require_saml,
)
from minato.auth.wire.body import parse_form, parse_uuid
from minato.auth.wire.errors import AuthError, CommittedError, invalid, lost_race
from minato.auth.wire.redirects import is_allowed, is_request_uri, with_fragment, with_query
from minato.auth.wire.validation import validate_pkce
from minato.saml.documents import parse_document

METHOD = "sso/saml"
RESPONSE = "{urn:oasis:names:tc:SAML:2.0:protocol}Response"
ISSUER = "{urn:oasis:names:tc:SAML:2.0:assertion}Issuer"
NO_RESPONSE = "SAMLResponse is not a valid XML SAML assertion"
DISABLED = "SSO Provider assigned for this domain is currently disabled"


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


@dataclass(frozen=True)
class Arrival:
    """Who answered, to which request of ours, and where the user wants to go."""

    provider: SSOProvider
    request_id: str | None
    redirect_to: str
    flow: FlowState | None
    state_id: UUID | None = None
    has_expired: bool = False


async def saml_acs(context: RequestContext) -> Response:
    require_saml(context)
    form = parse_form(context.body)
    try:
        location = await _arrive(context, form)
    except AuthError as error:
        if lost_race(error):
            raise
        return Response(status=303, headers={"Location": with_query(_site(context), error_values(error))})
    return Response(status=302, headers={"Location": location})


async def _arrive(context: RequestContext, form: Mapping[str, str]) -> str:
    async with context.read() as reading:
        arrival = await _arrival(reading, form)
    if arrival.has_expired:
        await _forget_expired(context, arrival)
    saml = read_response(context, arrival.provider, form, arrival.request_id)
    known = arrival.provider.saml
    profile = profile_of(Assertion(saml), known.attribute_mapping or {}, known.entity_id)
    new = await announce_profile(context, profile, arrival.provider.name)
    async with context.transaction() as tx:
        await _require_unused(tx, arrival, saml)
        user = await sign_in_profile(tx, profile, arrival.provider.name, new)
        return await _hand_over(tx, arrival, user, saml)


async def _hand_over(tx: Transaction, arrival: Arrival, user: User, saml: SAMLResponse) -> str:
    target, flow = arrival.redirect_to, arrival.flow
    if not is_allowed(target, tx.site_url, tx.settings.allowed_redirects):
        target = _site(tx)
    if flow is not None and flow.auth_code:
        if not await flow_states.claim(tx.writer, flow.id, user.id, ("", "")):
            raise AuthError(400, "flow_state_already_used", "State has already been used")
        return with_query(target, {"code": flow.auth_code})
    ends = saml.get_session_expiration()
    not_after = datetime.fromtimestamp(ends, UTC) if ends else None
    body, _ = await start_session(tx, user, "sso/saml", not_after=not_after)
    if flow is not None:
        await flow_states.end(tx.db, flow.id)
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    return with_fragment(target, {name: str(body[name]) for name in names})


async def _require_unused(tx: Transaction, arrival: Arrival, saml: SAMLResponse) -> None:
    """An answer to a request of ours goes with it; one that nobody asked for is remembered, so that it serves once."""
    if arrival.state_id is not None:
        if await relay_states.take(tx.db, arrival.state_id) is None:
            raise _no_relay_state()
        return
    name, provider = str(saml.get_last_assertion_id()), arrival.provider
    until = last_moment(saml.get_last_response_xml())
    if not await relay_states.note_use(tx.writer, tx.backend.sealing_key, provider.id, name, until):
        raise refused(tx, provider, "the assertion was used before")


async def _forget_expired(context: RequestContext, arrival: Arrival) -> None:
    """Refuses; the state is gone with it."""
    assert arrival.state_id is not None, "what expires is a request of ours"
    async with context.transaction() as tx:
        if await relay_states.take(tx.db, arrival.state_id) is None:
            raise _no_relay_state()
        message = "SAML RelayState has expired. Try logging in again?"
        raise CommittedError(422, "saml_relay_state_expired", message)


def _no_relay_state() -> AuthError:
    return AuthError(404, "saml_relay_state_not_found", "SAML RelayState does not exist, try logging in again?")


async def _arrival(tx: ReadTransaction, form: Mapping[str, str]) -> Arrival:
    """From our request by RelayState, or begun by the identity provider itself."""
    given = form.get("RelayState", "")
    try:
        return await _requested(tx, UUID(given))
    except ValueError:
        pass
    if given and not is_request_uri(given):
        raise invalid("SAML RelayState is not a valid UUID or URL")
    provider = await providers.find_by_entity(tx.db, _issuer(form))
    if provider is None:
        message = "A SAML connection has not been established with this Identity Provider"
        raise AuthError(404, "saml_idp_not_found", message)
    return Arrival(_enabled(provider), None, given, None)


async def _requested(tx: ReadTransaction, state_id: UUID) -> Arrival:
    state = await relay_states.find(tx.db, state_id)
    if state is None:
        raise _no_relay_state()
    validity = timedelta(seconds=tx.settings.saml_relay_state_validity_period)
    has_expired = state.created_at + validity <= tx.now
    provider = await providers.find(tx.db, state.sso_provider_id)
    assert provider is not None, "a relay state goes with its provider"
    flow = await flow_states.find_by_state(tx.db, state.flow_state_id) if state.flow_state_id else None
    known = provider if has_expired else _enabled(provider)
    return Arrival(known, state.request_id, state.redirect_to or "", flow, state_id, has_expired)


def _enabled(provider: SSOProvider) -> SSOProvider:
    if not provider.is_enabled:
        raise AuthError(404, "sso_provider_disabled", DISABLED)
    return provider


def _issuer(form: Mapping[str, str]) -> str:
    """Who says it answers; whether that is true, its signature tells."""
    if form.get("SAMLart"):
        raise invalid("SAML Artifact response can only be used with SP initiated flow")
    if not form.get("SAMLResponse"):
        raise invalid("SAMLResponse is missing")
    try:
        document = base64.b64decode(form["SAMLResponse"], validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid("SAMLResponse is not a valid Base64 string") from error
    try:
        response = parse_document(document)
    except ValueError as error:
        raise invalid(NO_RESPONSE) from error
    if response.tag != RESPONSE:
        raise invalid(NO_RESPONSE)
    return (response.findtext(ISSUER) or "").strip()


def _site(data: RequestData) -> str:
    return data.settings.site_url or data.backend.public_url
