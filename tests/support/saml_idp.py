"""An identity provider that speaks SAML: its metadata, and signed answers to requests."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4
from xml.etree import ElementTree

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from onelogin.saml2.utils import OneLogin_Saml2_Utils

PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
_NAMES = 'xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion"'
_RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
_SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"


def private_key() -> str:
    """An RSA key as GOTRUE_SAML_PRIVATE_KEY has it."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return base64.b64encode(key.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())).decode()


@dataclass
class IdentityProvider:
    """One organisation's provider, called `entity_id`; `edit` changes an assertion before it is signed."""

    entity_id: str
    edit: Callable[[str], str] = str
    algorithms: tuple[str, str] = (_RSA_SHA256, _SHA256)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def __post_init__(self) -> None:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp")])
        now = datetime.now(UTC)
        made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(self.key.public_key())
        made = made.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        self.certificate = made.sign(self.key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()

    @property
    def metadata(self) -> str:
        body = "".join(self.certificate.splitlines()[1:-1])
        return (
            f'<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{self.entity_id}">'
            '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">'
            '<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>'
            f"<X509Certificate>{body}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>"
            '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" '
            f'Location="{self.entity_id}/login"/></IDPSSODescriptor></EntityDescriptor>'
        )

    def answer(self, url: str, **claims: str) -> dict[str, str]:
        """The form that the user's browser posts after signing in at `url`."""
        query = parse_qs(urlsplit(url).query)
        request = ElementTree.fromstring(zlib.decompress(base64.b64decode(query["SAMLRequest"][0]), -15))
        issuer = request.findtext("{urn:oasis:names:tc:SAML:2.0:assertion}Issuer") or ""
        acs = request.get("AssertionConsumerServiceURL") or ""
        response = self.response(acs, issuer, request.get("ID") or "", **claims)
        return {"SAMLResponse": response, "RelayState": query["RelayState"][0]}

    def response(
        self,
        acs: str,
        audience: str,
        request_id: str = "",
        name_id: str = "person-1",
        name_format: str = PERSISTENT,
        **attributes: str,
    ) -> str:
        """A response in base64 whose assertion is signed."""
        now = datetime.now(UTC)
        issued, ends = (f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in (now, now + timedelta(minutes=5)))
        to = f' InResponseTo="{request_id}"' if request_id else ""
        given = "".join(
            f'<a:Attribute Name="{name}"><a:AttributeValue>{value}</a:AttributeValue></a:Attribute>'
            for name, value in attributes.items()
        )
        assertion = (
            f'<a:Assertion {_NAMES} ID="_{uuid4().hex}" Version="2.0" IssueInstant="{issued}">'
            f"<a:Issuer>{self.entity_id}</a:Issuer>"
            f'<a:Subject><a:NameID Format="{name_format}">{name_id}</a:NameID>'
            '<a:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">'
            f'<a:SubjectConfirmationData{to} Recipient="{acs}" NotOnOrAfter="{ends}"/>'
            "</a:SubjectConfirmation></a:Subject>"
            f'<a:Conditions NotBefore="{issued}" NotOnOrAfter="{ends}"><a:AudienceRestriction>'
            f"<a:Audience>{audience}</a:Audience></a:AudienceRestriction></a:Conditions>"
            f'<a:AuthnStatement AuthnInstant="{issued}" SessionIndex="_s"><a:AuthnContext><a:AuthnContextClassRef>'
            "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"
            "</a:AuthnContextClassRef></a:AuthnContext></a:AuthnStatement>"
            f"<a:AttributeStatement>{given}</a:AttributeStatement></a:Assertion>"
        )
        pem = self.key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
        signed = OneLogin_Saml2_Utils.add_sign(
            self.edit(assertion),
            pem,
            self.certificate,
            sign_algorithm=self.algorithms[0],
            digest_algorithm=self.algorithms[1],
        )
        text = signed.decode() if isinstance(signed, bytes) else signed
        whole = (
            f'<p:Response {_NAMES} ID="_{uuid4().hex}" Version="2.0" IssueInstant="{issued}" Destination="{acs}"{to}>'
            f"<a:Issuer>{self.entity_id}</a:Issuer><p:Status>"
            '<p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>'
            f"{text}</p:Response>"
        )
        return base64.b64encode(whole.encode()).decode()
