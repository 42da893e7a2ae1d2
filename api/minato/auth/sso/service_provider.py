"""Our side of SAML, on python3-saml: metadata, signed requests, and responses whose signature is right.

python3-saml and its XML libraries are an extra; without them single sign-on answers 501. It also asks for less than
SAML's web browser profile: the library takes an assertion that names no audience, whose recipient merely contains our
address, or whose signed part answers another request than the response around it says, which nobody signed
(saml-profiles-2.0-os, 4.1.4.2, 4.1.4.3).
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, load_der_private_key
from cryptography.x509.oid import NameOID

from minato.auth.request.data import RequestData
from minato.auth.sso.assertion import SAMLResponse
from minato.auth.sso.metadata import FORMATS
from minato.auth.sso.providers import SSOProvider
from minato.auth.wire.errors import AuthError, not_implemented
from minato.config.auth_external import FAKE
from minato.json_text import JsonObject
from minato.saml.documents import parse_document
from minato.saml.stand_in import StandIn, organisation_of

if TYPE_CHECKING:
    from onelogin.saml2.auth import OneLogin_Saml2_Auth

POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
DIGEST = "http://www.w3.org/2001/04/xmlenc#sha256"
SMALLEST_KEY = 2048
KEPT, ASKED_AGAIN = timedelta(days=5 * 365), timedelta(days=2)
_ASSERTION = "{urn:oasis:names:tc:SAML:2.0:assertion}"
_CONFIRMATION = f"{_ASSERTION}SubjectConfirmationData"
_BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"


def require_saml(data: RequestData) -> None:
    """404 while it is off, 501 without its libraries."""
    if not data.settings.saml_enabled:
        raise AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled")
    try:
        import onelogin.saml2  # noqa: F401
    except ImportError as error:
        raise not_implemented("SAML without the extra 'saml'") from error


def metadata_xml(data: RequestData, lasting: bool) -> bytes:
    """What identity providers need to know of us: for two days, or five years for who keeps the file (`lasting`)."""
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

    known = _settings(data, None)
    ends = data.now + (KEPT if lasting else ASKED_AGAIN)
    # A signed response of an unsigned assertion is taken all the same.
    known["security"] |= {"metadataValidUntil": f"{ends:%Y-%m-%dT%H:%M:%SZ}", "wantAssertionsSigned": True}
    return bytes(OneLogin_Saml2_Settings(known, sp_validation_only=True).get_sp_metadata())


def request_url(data: RequestData, provider: SSOProvider, relay_state: str) -> tuple[str, str]:
    """Where the user signs in, and the id of the request that travels there."""
    saml = _auth(data, provider, {})
    with _at(data.now):
        url = str(saml.login(return_to=relay_state, set_nameid_policy=True))
    return url, str(saml.get_last_request_id())


def read_response(
    data: RequestData, provider: SSOProvider, form: Mapping[str, str], request_id: str | None
) -> SAMLResponse:
    """The verified response. 400 with GoTrue's words when anything about it is wrong."""
    saml = _auth(data, provider, form)
    try:
        with _at(data.now):
            saml.process_response(request_id=request_id)
    except Exception as error:
        # whatever XML makes the library raise is a response that is not valid
        raise refused(data, provider, type(error).__name__) from error
    if saml.get_errors() or not saml.is_authenticated():
        raise refused(data, provider, saml.get_last_error_reason() or "not authenticated")
    # An answer to a request of ours must come with its RelayState, or somebody may sign others in as himself.
    reason = complaint(saml.get_last_response_xml(), Expected(_url(data, "metadata"), _url(data, "acs"), request_id))
    if reason:
        raise refused(data, provider, reason)
    verified: SAMLResponse = saml
    return verified


@contextmanager
def _at(now: datetime) -> Iterator[None]:
    """python3-saml asks the machine for the time; until the block ends, in which nobody waits, it is told ours."""
    from onelogin.saml2.utils import OneLogin_Saml2_Utils

    machines = OneLogin_Saml2_Utils.now
    OneLogin_Saml2_Utils.now = staticmethod(lambda: int(now.timestamp()))
    try:
        yield
    finally:
        OneLogin_Saml2_Utils.now = staticmethod(machines)


def refused(data: RequestData, provider: SSOProvider, reason: str) -> AuthError:
    """GoTrue's words for whoever came; the reason is for the log."""
    data.backend.log.warning("SAML response refused", provider=provider.name, reason=reason)
    return AuthError(400, "validation_failed", "SAML Assertion is not valid")


def _auth(data: RequestData, provider: SSOProvider, form: Mapping[str, str]) -> OneLogin_Saml2_Auth:
    from onelogin.saml2.auth import OneLogin_Saml2_Auth

    acs = urlsplit(_url(data, "acs"))
    request = {
        "https": "on" if acs.scheme == "https" else "off",
        "http_host": acs.netloc,
        "script_name": acs.path,
        "get_data": {},
        "post_data": dict(form),
    }
    return OneLogin_Saml2_Auth(request, old_settings=_settings(data, provider))


def _settings(data: RequestData, provider: SSOProvider | None) -> JsonObject:
    from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser

    certificate, key = _own_key(data)
    known: JsonObject = {
        "strict": True,
        "sp": {
            "entityId": _url(data, "metadata"),
            "assertionConsumerService": {"url": _url(data, "acs"), "binding": POST},
            "NameIDFormat": (provider.saml.name_id_format if provider else None) or FORMATS[0],
            "x509cert": certificate,
            "privateKey": key,
        },
        "security": {
            "authnRequestsSigned": bool(key),
            "wantNameId": False,
            "wantAttributeStatement": False,
            "allowRepeatAttributeName": True,
            "rejectUnsolicitedResponsesWithInResponseTo": True,
            "rejectDeprecatedAlgorithm": True,
            "requestedAuthnContext": False,
            "signatureAlgorithm": SHA256,
            "digestAlgorithm": DIGEST,
        },
    }
    if provider is not None:
        parsed = OneLogin_Saml2_IdPMetadataParser.parse(_metadata_of(data, provider))
        known["idp"] = parsed["idp"]
    return known


def _metadata_of(data: RequestData, provider: SSOProvider) -> str:
    """What is known of it; a developer's own organisation is where this server is, and in production nowhere."""
    domain = organisation_of(provider.saml.entity_id)
    if domain is None:
        return provider.saml.metadata_xml
    if not data.backend.development:
        raise AuthError(404, "sso_provider_disabled", "SSO Provider is currently disabled")
    return StandIn(domain, data.backend.public_url, data.backend.sealing_key).metadata


def _url(data: RequestData, name: str) -> str:
    return f"{data.backend.public_url}/auth/v1/sso/saml/{name}"


def _own_key(data: RequestData) -> tuple[str, str]:
    """Certificate and private key of our requests; a developer who has none does not sign them."""
    text = data.settings.saml_private_key.get_secret_value()
    if data.backend.development and text == FAKE:
        return "", ""
    return _certificate(data, _private_key(data)), text


def _private_key(data: RequestData) -> RSAPrivateKey:
    try:
        der = base64.b64decode(data.settings.saml_private_key.get_secret_value(), validate=True)
        key = load_der_private_key(der, None)
    except (binascii.Error, ValueError) as error:
        raise _no_key() from error
    if not isinstance(key, RSAPrivateKey) or key.key_size < SMALLEST_KEY:
        raise _no_key()
    return key


def _certificate(data: RequestData, key: RSAPrivateKey) -> str:
    """The key's own certificate, the same every time: nobody checks it but against the metadata."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, urlsplit(data.backend.public_url).hostname or "minato")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2026, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2126, 1, 1, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    return base64.b64encode(certificate.public_bytes(Encoding.DER)).decode()


def _no_key() -> AuthError:
    message = "GOTRUE_SAML_PRIVATE_KEY is not an RSA key of 2048 bits or more, PKCS#1 DER in base64"
    return AuthError(500, "unexpected_failure", message)


@dataclass(frozen=True)
class Expected:
    """Who we are, where we hear, and which request is answered; None where the provider begins by itself."""

    entity_id: str
    acs: str
    request_id: str | None


def complaint(response: str, expected: Expected) -> str:
    """Why the one assertion of a verified response is not for us; empty when it is."""
    root = parse_document(response)
    assertion = next(root.iter(f"{_ASSERTION}Assertion"), None)
    if assertion is None:
        return "no assertion"
    if root.get("InResponseTo") != expected.request_id:
        return "the response is to another request"
    if not _is_for(assertion, expected.entity_id):
        return "the assertion has another audience"
    confirmations = assertion.findall(f"{_ASSERTION}Subject/{_ASSERTION}SubjectConfirmation[@Method='{_BEARER}']")
    data = [each.find(_CONFIRMATION) for each in confirmations]
    if not data or not all(each is not None and _confirms(each, expected) for each in data):
        return "the assertion's subject is confirmed for somebody else"
    return ""


def _is_for(assertion: ElementTree.Element, entity_id: str) -> bool:
    """Every restriction lists us, and there is one."""
    restrictions = assertion.findall(f"{_ASSERTION}Conditions/{_ASSERTION}AudienceRestriction")
    audiences = [[(one.text or "").strip() for one in each.iter(f"{_ASSERTION}Audience")] for each in restrictions]
    return bool(audiences) and all(entity_id in each for each in audiences)


def _confirms(data: ElementTree.Element, expected: Expected) -> bool:
    to_us = data.get("Recipient") == expected.acs and _end(data) is not None
    return to_us and data.get("InResponseTo") == expected.request_id


def last_moment(response: str) -> datetime:
    """When the last confirmation in a verified response that is for us ends: until then it could come again."""
    ends = map(_end, parse_document(response).iter(_CONFIRMATION))
    return max(end for end in ends if end is not None)


def _end(data: ElementTree.Element) -> datetime | None:
    try:
        end = datetime.fromisoformat(data.get("NotOnOrAfter", ""))
    except ValueError:
        return None
    return end if end.tzinfo is not None else None
