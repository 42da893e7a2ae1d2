"""An organisation's identity provider: it reads what auth asks by SAML, and signs who came."""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from minato.backend import Backend
from minato.dev.idp.person import Person
from minato.dev.idp.provider import Refused
from minato.dev.idp.who import DENIED
from minato.saml.documents import parse_document
from minato.saml.stand_in import StandIn

if TYPE_CHECKING:
    from lxml.etree import _Element

PROTOCOL, ASSERTION = "urn:oasis:names:tc:SAML:2.0:protocol", "urn:oasis:names:tc:SAML:2.0:assertion"
BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
STATUS = "urn:oasis:names:tc:SAML:2.0:status:"
LIFETIME: Final = timedelta(minutes=5)
LARGEST_REQUEST = 64 * 1024


@dataclass(frozen=True)
class Question:
    """What auth wants to know: the id of its request, None where the organisation begins by itself, and how it wants
    people to be named."""

    request_id: str | None = None
    name_format: str = PERSISTENT


class Organisation:
    """The one for `domain` of one backend, whose time is the backend's."""

    def __init__(self, backend: Backend, domain: str) -> None:
        self._backend = backend
        self.stand_in = StandIn(domain, backend.public_url, backend.sealing_key)
        self.acs = f"{backend.public_url}/auth/v1/sso/saml/acs"
        self._audience = f"{backend.public_url}/auth/v1/sso/saml/metadata"

    def question(self, asked: Mapping[str, str]) -> Question:
        """What is asked by HTTP-Redirect. Raises Refused where it isn't this server's own auth that asks."""
        if "SAMLRequest" not in asked:
            return Question()
        request = _read(asked["SAMLRequest"])
        issuer = (request.findtext(f"{{{ASSERTION}}}Issuer") or "").strip()
        is_ours = issuer == self._audience and request.get("AssertionConsumerServiceURL") == self.acs
        if request.tag != f"{{{PROTOCOL}}}AuthnRequest" or not is_ours:
            raise Refused("invalid_request")
        policy = request.find(f"{{{PROTOCOL}}}NameIDPolicy")
        wanted = policy.get("Format", PERSISTENT) if policy is not None else PERSISTENT
        return Question(request.get("ID"), wanted if wanted in (EMAIL, TRANSIENT) else PERSISTENT)

    def form(self, coming: Person | str, asked: Mapping[str, str]) -> dict[str, str]:
        """What the browser posts to auth from here. Raises Refused."""
        question = self.question(asked)
        response = self._denied(question, coming) if isinstance(coming, str) else self._signed(question, coming)
        state = {"RelayState": asked["RelayState"]} if asked.get("RelayState") else {}
        return {"SAMLResponse": b64encode(response).decode(), **state}

    def _denied(self, question: Question, error: str) -> bytes:
        inner = "RequestDenied" if error == DENIED else "AuthnFailed"
        status = (
            f'<p:StatusCode Value="{STATUS}Responder"><p:StatusCode Value="{STATUS}{inner}"/></p:StatusCode>'
            f"<p:StatusMessage>{escape(error)}</p:StatusMessage>"
        )
        return self._response(question, status, "").encode()

    def _signed(self, question: Question, one: Person) -> bytes:
        """A response whose assertion is signed."""
        from lxml import etree

        text = self._response(question, f'<p:StatusCode Value="{STATUS}Success"/>', self._assertion(question, one))
        try:
            response = etree.fromstring(text.encode())
        except (etree.XMLSyntaxError, UnicodeEncodeError):
            raise Refused("what is known of them holds a letter that XML does not have") from None
        self._sign(response.find(f"{{{ASSERTION}}}Assertion"))
        return bytes(etree.tostring(response))

    def _sign(self, assertion: _Element) -> None:
        """Put a signature into it, below its issuer, where the schema has it."""
        import xmlsec

        signature = xmlsec.template.create(
            assertion, xmlsec.Transform.EXCL_C14N, xmlsec.Transform.ECDSA_SHA256, ns="ds"
        )
        assertion[0].addnext(signature)
        named = f"#{assertion.get('ID')}"
        reference = xmlsec.template.add_reference(signature, xmlsec.Transform.SHA256, uri=named)
        xmlsec.template.add_transform(reference, xmlsec.Transform.ENVELOPED)
        xmlsec.template.add_transform(reference, xmlsec.Transform.EXCL_C14N)
        xmlsec.tree.add_ids(assertion, ["ID"])
        context = xmlsec.SignatureContext()
        pem = self.stand_in.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        context.key = xmlsec.Key.from_memory(pem, xmlsec.KeyFormat.PEM, None)
        context.sign(signature)

    def _response(self, question: Question, status: str, assertion: str) -> str:
        return (
            f'<p:Response xmlns:p="{PROTOCOL}" xmlns:a="{ASSERTION}" ID="{self._id()}" Version="2.0" '
            f'IssueInstant="{_told(self._now)}" Destination={quoteattr(self.acs)}{_answering(question)}>'
            f"<a:Issuer>{self.stand_in.entity_id}</a:Issuer><p:Status>{status}</p:Status>{assertion}</p:Response>"
        )

    def _assertion(self, question: Question, one: Person) -> str:
        begins, ends = _told(self._now), _told(self._now + LIFETIME)
        given = "".join(
            f"<a:Attribute Name={quoteattr(name)}>"
            f"{''.join(f'<a:AttributeValue>{escape(value)}</a:AttributeValue>' for value in values)}</a:Attribute>"
            for name, values in _attributes(one)
        )
        return (
            f'<a:Assertion ID="{self._id()}" Version="2.0" IssueInstant="{begins}">'
            f"<a:Issuer>{self.stand_in.entity_id}</a:Issuer>"
            f'<a:Subject><a:NameID Format="{question.name_format}">{escape(self._name(question, one))}</a:NameID>'
            f'<a:SubjectConfirmation Method="{BEARER}"><a:SubjectConfirmationData{_answering(question)} '
            f'Recipient={quoteattr(self.acs)} NotOnOrAfter="{ends}"/></a:SubjectConfirmation></a:Subject>'
            f'<a:Conditions NotBefore="{begins}" NotOnOrAfter="{ends}"><a:AudienceRestriction>'
            f"<a:Audience>{escape(self._audience)}</a:Audience></a:AudienceRestriction></a:Conditions>"
            f'<a:AuthnStatement AuthnInstant="{begins}"><a:AuthnContext><a:AuthnContextClassRef>'
            "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"
            "</a:AuthnContextClassRef></a:AuthnContext></a:AuthnStatement>"
            f"<a:AttributeStatement>{given}</a:AttributeStatement></a:Assertion>"
        )

    def _name(self, question: Question, one: Person) -> str:
        return {EMAIL: one.email, TRANSIENT: self._id()}.get(question.name_format, one.sub)

    @property
    def _now(self) -> datetime:
        return self._backend.clock.now()

    def _id(self) -> str:
        return f"_{self._backend.entropy.uuid4().hex}"


def asked_at(url: str) -> dict[str, str]:
    """What stands in the query of an address that auth sends people to."""
    return dict(parse_qsl(urlsplit(url).query))


def _read(encoded: str) -> ElementTree.Element:
    """A request as it travels in an address. Raises Refused."""
    inflating = zlib.decompressobj(-15)
    try:
        text = inflating.decompress(b64decode(encoded, validate=True), LARGEST_REQUEST)
        return parse_document(text)
    except (ValueError, zlib.error):
        raise Refused("invalid_request") from None


def _attributes(one: Person) -> Iterator[tuple[str, list[str]]]:
    """By the names that OpenID has for them; what `claims` say wins."""
    known = {"email": one.email, "name": one.name, "given_name": one.given_name, "family_name": one.family_name}
    for name, value in {**known, "picture": one.picture, **one.claims}.items():
        values = value if isinstance(value, list) else [value]
        texts = [_text(each) for each in values if each not in (None, "")]
        if texts:
            yield name, texts


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _answering(question: Question) -> str:
    return f" InResponseTo={quoteattr(question.request_id)}" if question.request_id else ""


def _told(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
