"""Who an assertion is about: the user's id at their organisation, their address, and mapped attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from minato.auth.providers.claims import standard_claims
from minato.auth.providers.provider import Address, Profile, ProviderError, make_profile
from minato.auth.wire.errors import AuthError
from minato.json_text import JsonMapping, JsonObject

SUBJECT_ID = "urn:oasis:names:tc:SAML:attribute:subject-id"
EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
EMAIL_ATTRIBUTES = (
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    "http://schemas.xmlsoap.org/claims/EmailAddress",
    "mail",
    "email",
)


class SAMLResponse(Protocol):
    """A verified response, as python3-saml has it."""

    def get_attributes(self) -> Mapping[str, list[object]]: ...

    def get_friendlyname_attributes(self) -> Mapping[str, list[object]]: ...

    def get_nameid(self) -> str | None: ...

    def get_nameid_format(self) -> str | None: ...

    def get_session_expiration(self) -> float | None: ...

    def get_last_assertion_id(self) -> str: ...

    def get_last_response_xml(self) -> str: ...


class Assertion:
    """Attributes by name or friendly name, whatever their case, and the name id."""

    def __init__(self, saml: SAMLResponse) -> None:
        self._attributes: dict[str, list[str]] = {}
        for source in (saml.get_attributes(), saml.get_friendlyname_attributes()):
            for name, values in source.items():
                texts = [value for value in values if isinstance(value, str)]
                self._attributes.setdefault(name.lower(), texts)
        self.name_id = saml.get_nameid() or ""
        self.name_format = saml.get_nameid_format() or ""

    def values(self, name: str) -> list[str]:
        return [value for value in self._attributes.get(name.lower(), []) if value]

    def user_id(self) -> str:
        """What names the user for good; empty when only this sign-in is named."""
        given = self.values(SUBJECT_ID)
        if given:
            return given[0]
        if self.name_format == EMAIL_FORMAT:
            return self.name_id.strip().lower()
        return "" if self.name_format == TRANSIENT else self.name_id

    def email(self) -> str:
        found = next((values[0] for name in EMAIL_ATTRIBUTES if (values := self.values(name))), "")
        return found or (self.name_id if self.name_format == EMAIL_FORMAT else "")

    def mapped(self, mapping: JsonMapping) -> JsonObject:
        """The attributes as the administrator maps them to claims."""
        claims: JsonObject = {}
        for claim, mapper in (mapping.get("keys") or {}).items():
            names = [*([mapper["name"]] if mapper.get("name") else []), *(mapper.get("names") or [])]
            values = next((found for name in names if (found := self.values(name))), None)
            if values:
                claims[claim] = values if mapper.get("array") else values[0]
            elif mapper.get("default") is not None:
                claims[claim] = mapper["default"]
        return claims


def profile_of(assertion: Assertion, mapping: Mapping[str, object], entity_id: str) -> Profile:
    """The person; claims that OpenID does not know are kept as custom claims."""
    user_id = assertion.user_id()
    if not user_id:
        reason = "a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user"
        raise AuthError(400, "saml_assertion_no_user_id", f"SAML Assertion did not contain {reason}")
    claims = assertion.mapped(mapping)
    given = claims.get("email")
    email = given if isinstance(given, str) and given else assertion.email()
    if not email:
        raise AuthError(400, "saml_assertion_no_email", "SAML Assertion does not contain an email address")
    try:
        known = standard_claims(claims)
    except ProviderError as error:
        message = "Mapped claims from provider could not be deserialized from JSON"
        raise AuthError(500, "unexpected_failure", message) from error
    known |= {"sub": user_id, "iss": entity_id}
    custom = {name: value for name, value in claims.items() if name not in known and name != "email"}
    return make_profile([Address(email, True, True)], {**known, "custom_claims": custom})
