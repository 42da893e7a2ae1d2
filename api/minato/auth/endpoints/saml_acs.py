"""POST /sso/saml/acs: back from an organisation's identity provider, with a session, a code or an error."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from sqlalchemy import RowMapping

from minato.auth import flow_states
from minato.auth.call import Answer, Call
from minato.auth.endpoints.callback import error_values, undo
from minato.auth.errors import AuthError, CommittedError, invalid
from minato.auth.external.accounts import sign_in_profile
from minato.auth.redirects import is_allowed, is_request_uri, with_fragment, with_query
from minato.auth.sign_in import start_session
from minato.auth.sso import providers, relay_states
from minato.auth.sso.assertion import Assertion, profile_of
from minato.auth.sso.documents import parse_document
from minato.auth.sso.providers import SSOProvider
from minato.auth.sso.service_provider import read_response, refused, require_saml

RESPONSE = "{urn:oasis:names:tc:SAML:2.0:protocol}Response"
ISSUER = "{urn:oasis:names:tc:SAML:2.0:assertion}Issuer"
NO_RESPONSE = "SAMLResponse is not a valid XML SAML assertion"
DISABLED = "SSO Provider assigned for this domain is currently disabled"


@dataclass(frozen=True)
class Arrival:
    """Who answered, to which request of ours, and where the user wants to go."""

    provider: SSOProvider
    request_id: str | None
    redirect_to: str
    flow: RowMapping | None


async def saml_acs(call: Call) -> Answer:
    require_saml(call)
    form = dict(parse_qsl(call.body.decode("utf-8", "replace").replace("\0", "")))
    try:
        location = await _arrive(call, form)
    except AuthError as error:
        await undo(call, error)
        return Answer(status=303, headers={"Location": with_query(_site(call), error_values(error))})
    return Answer(status=302, headers={"Location": location})


async def _arrive(call: Call, form: Mapping[str, str]) -> str:
    arrival = await _arrival(call, form)
    saml = read_response(call, arrival.provider, form, arrival.request_id)
    if arrival.request_id is None:
        await _require_unused(call, arrival.provider, saml)
    known = arrival.provider.saml
    profile = profile_of(Assertion(saml), known["attribute_mapping"] or {}, known["entity_id"])
    user = await sign_in_profile(call, profile, arrival.provider.name)
    target, flow = arrival.redirect_to, arrival.flow
    if not is_allowed(target, call.site_url, call.settings.allowed_redirects):
        target = _site(call)
    if flow is not None and flow["auth_code"]:
        if not await flow_states.claim(call.db, flow["id"], user.id, ("", ""), call.now):
            raise AuthError(400, "flow_state_already_used", "State has already been used")
        return with_query(target, {"code": flow["auth_code"]})
    ends = saml.get_session_expiration()
    columns: dict[str, Any] = {"not_after": datetime.fromtimestamp(ends, UTC)} if ends else {}
    body, _ = await start_session(call, user, "sso/saml", **columns)
    if flow is not None:
        await flow_states.end(call.db, flow["id"])
    names = ("access_token", "expires_at", "expires_in", "refresh_token", "token_type")
    return with_fragment(target, {name: str(body[name]) for name in names})


async def _require_unused(call: Call, provider: SSOProvider, saml: Any) -> None:
    """An answer to a request of ours goes with it; one that nobody asked for is remembered, so that it serves once."""
    name = str(saml.get_last_assertion_id())
    if not await relay_states.note_use(call.db, call.backend.sealing_key, provider.id, name, call.now):
        raise refused(call, provider, "the assertion was used before")


async def _arrival(call: Call, form: Mapping[str, str]) -> Arrival:
    """From our request by RelayState, or begun by the identity provider itself."""
    given = form.get("RelayState", "")
    try:
        return await _requested(call, UUID(given))
    except ValueError:
        pass
    if given and not is_request_uri(given):
        raise invalid("SAML RelayState is not a valid UUID or URL")
    provider = await providers.find_by_entity(call.db, _issuer(form))
    if provider is None:
        message = "A SAML connection has not been established with this Identity Provider"
        raise AuthError(404, "saml_idp_not_found", message)
    return Arrival(_enabled(provider), None, given, None)


async def _requested(call: Call, state_id: UUID) -> Arrival:
    state = await relay_states.take(call.db, state_id)
    if state is None:
        message = "SAML RelayState does not exist, try logging in again?"
        raise AuthError(404, "saml_relay_state_not_found", message)
    if state["created_at"] + timedelta(seconds=call.settings.saml_relay_state_validity_period) <= call.now:
        message = "SAML RelayState has expired. Try logging in again?"
        raise CommittedError(422, "saml_relay_state_expired", message)
    provider = await providers.find(call.db, state["sso_provider_id"])
    assert provider is not None, "a relay state goes with its provider"
    flow = await flow_states.find_by_state(call.db, state["flow_state_id"]) if state["flow_state_id"] else None
    return Arrival(_enabled(provider), state["request_id"], state["redirect_to"] or "", flow)


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


def _site(call: Call) -> str:
    return call.settings.site_url or call.backend.public_url
