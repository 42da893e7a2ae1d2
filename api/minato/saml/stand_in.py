"""The organisation that stands in for others in development: what it is called, where it is, and its key.

Its name says no place and no key: these are the server's own, whatever metadata the database holds. So a clone of the
database, one that was brought along and one that is served at another address know it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from minato.config.auth_external import fake_url
from minato.tokens.own_key import own_private_key

PREFIX = "urn:minato:idp:"
DOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?")
REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
_BEGINS, _ENDS = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def organisation_of(entity_id: str) -> str | None:
    """The domain of the organisation that is stood in for; None where `entity_id` is somebody else's.

    >>> organisation_of("urn:minato:idp:acme.example"), organisation_of("https://idp.acme.example")
    ('acme.example', None)
    """
    domain = entity_id.removeprefix(PREFIX)
    return domain if entity_id.startswith(PREFIX) and DOMAIN.fullmatch(domain) else None


@dataclass(frozen=True)
class StandIn:
    """The one for `domain`, of the server that clients call `public_url`; its key follows from `secret`."""

    domain: str
    public_url: str
    secret: str = field(repr=False)

    @property
    def entity_id(self) -> str:
        return PREFIX + self.domain

    @property
    def url(self) -> str:
        """What its addresses begin with."""
        return fake_url(self.public_url, f"saml/{self.domain}")

    @property
    def metadata_url(self) -> str:
        return f"{self.url}/metadata"

    @cached_property
    def key(self) -> EllipticCurvePrivateKey:
        """What its assertions are signed with."""
        return own_private_key(f"fake organisation {self.domain} {self.secret}")

    @cached_property
    def certificate(self) -> x509.Certificate:
        """Of its key, which nobody else vouches for. It holds at every time that a clock is moved to."""
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "minato stand-in")])
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(self.key.public_key())
        dated = builder.serial_number(1).not_valid_before(_BEGINS).not_valid_after(_ENDS)
        return dated.sign(self.key, hashes.SHA256())

    @property
    def metadata(self) -> str:
        """What service providers are to know of it."""
        certificate = b64encode(self.certificate.public_bytes(Encoding.DER)).decode()
        return (
            f'<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{self.entity_id}">'
            '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">'
            '<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>'
            f"<X509Certificate>{certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>"
            f'<SingleSignOnService Binding="{REDIRECT}" Location="{self.url}/sso"/>'
            "</IDPSSODescriptor></EntityDescriptor>"
        )
