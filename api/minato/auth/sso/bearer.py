"""What makes an assertion one for us, here and now: SAML's web browser profile, where python3-saml asks for less.

The library takes an assertion that names no audience, whose recipient merely contains our address, or whose signed part
answers another request than the response around it says, which nobody signed (saml-profiles-2.0-os, 4.1.4.2, 4.1.4.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from minato.auth.sso.documents import parse_document

_ASSERTION = "{urn:oasis:names:tc:SAML:2.0:assertion}"
_BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"


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
    data = [each.find(f"{_ASSERTION}SubjectConfirmationData") for each in confirmations]
    if not data or not all(each is not None and _confirms(each, expected) for each in data):
        return "the assertion's subject is confirmed for somebody else"
    return ""


def _is_for(assertion: ElementTree.Element, entity_id: str) -> bool:
    """Every restriction lists us, and there is one."""
    restrictions = assertion.findall(f"{_ASSERTION}Conditions/{_ASSERTION}AudienceRestriction")
    audiences = [[(one.text or "").strip() for one in each.iter(f"{_ASSERTION}Audience")] for each in restrictions]
    return bool(audiences) and all(entity_id in each for each in audiences)


def _confirms(data: ElementTree.Element, expected: Expected) -> bool:
    to_us = data.get("Recipient") == expected.acs and bool(data.get("NotOnOrAfter"))
    return to_us and data.get("InResponseTo") == expected.request_id
