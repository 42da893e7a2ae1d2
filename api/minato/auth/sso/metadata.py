"""What an administrator tells of an identity provider: parameters, and the metadata document they point to."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from minato.auth.providers.provider import BadStatus, ProviderError
from minato.auth.providers.web import Web
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.redirects import is_request_uri
from minato.saml.documents import parse_document

NAMESPACE = "{urn:oasis:names:tc:SAML:2.0:metadata}"
FORMATS = (
    "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
    "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
    "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
)


@dataclass
class CreateSSOProviderParams:
    type: str = ""
    metadata_url: str = ""
    metadata_xml: str = ""
    domains: list[str] | None = None
    attribute_mapping: dict[str, object] | None = None
    name_id_format: str = ""
    resource_id: str | None = None
    disabled: bool | None = None

    def check(self, is_new: bool, own: str) -> None:
        """Refuses what makes no sense. What is at an address below `own` is a developer's and needs no HTTPS."""
        if is_new and self.type != "saml":
            raise invalid("Only 'saml' supported for SSO provider type")
        if self.metadata_url and self.metadata_xml:
            raise invalid("Only one of metadata_xml or metadata_url needs to be set")
        if is_new and not (self.metadata_url or self.metadata_xml):
            raise invalid("Either metadata_xml or metadata_url must be set")
        if self.metadata_url and not is_request_uri(self.metadata_url):
            raise invalid("metadata_url is not a valid URL")
        is_safe = urlsplit(self.metadata_url).scheme == "https" or (own and self.metadata_url.startswith(own))
        if self.metadata_url and not is_safe:
            raise invalid("metadata_url is not a HTTPS URL")
        if self.name_id_format and self.name_id_format not in FORMATS:
            raise invalid(f"name_id_format must be unspecified or one of {', '.join(FORMATS)}")
        if any(not domain for domain in self.domains or []):
            raise invalid("domains must not be empty")

    def mapping(self) -> dict[str, object] | None:
        """The attribute mapping in its one form, {} for no keys; None when none is given. 400 bad_json for another."""
        keys = (self.attribute_mapping or {}).get("keys")
        if keys is None or keys == {}:
            return keys
        if not isinstance(keys, dict) or not all(_is_mapper(mapper) for mapper in keys.values()):
            reason = "json: cannot unmarshal into Go struct field CreateSSOProviderParams.attribute_mapping"
            raise AuthError(400, "bad_json", f"Could not parse request body as JSON: {reason}")
        known = ("name", "names", "default", "array")
        return {"keys": {key: {name: one[name] for name in known if one.get(name)} for key, one in keys.items()}}


async def load_metadata(params: CreateSSOProviderParams, web: Web) -> tuple[str, str]:
    """The document, given or fetched, and the entity it describes."""
    text = params.metadata_xml or await _fetch(params.metadata_url, web)
    return text, entity_of(text)


def entity_of(text: str) -> str:
    """The id of the one identity provider that the metadata describes."""
    try:
        root = parse_document(text)
    except ValueError as error:
        raise invalid("SAML Metadata is not valid XML") from error
    entities = [root, *root.iter(f"{NAMESPACE}EntityDescriptor")]
    entity = next((one for one in entities if one.findall(f"{NAMESPACE}IDPSSODescriptor")), root)
    descriptors = entity.findall(f"{NAMESPACE}IDPSSODescriptor")
    if not entity.get("entityID"):
        raise invalid("SAML Metadata does not contain an EntityID")
    if not descriptors:
        raise invalid("SAML Metadata does not contain any IDPSSODescriptor")
    if len(descriptors) > 1:
        raise invalid("SAML Metadata contains multiple IDPSSODescriptors")
    return str(entity.get("entityID"))


async def _fetch(url: str, web: Web) -> str:
    try:
        body = await web.get_bytes(url, accept="application/xml;charset=UTF-8")
    except BadStatus as error:
        message = f"HTTP {error.status} error fetching SAML Metadata from URL '{url}'"
        raise AuthError(400, "saml_metadata_fetch_failed", message) from error
    except ProviderError as error:
        message = f"SAML Metadata cannot be fetched from URL '{url}'"
        raise AuthError(400, "saml_metadata_fetch_failed", message) from error
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        reason = "contains invalid UTF-8 characters, which are not supported at this time"
        raise invalid(f"SAML Metadata XML {reason}") from error


def _is_mapper(mapper: object) -> bool:
    if not isinstance(mapper, dict):
        return False
    name, names, array = mapper.get("name", ""), mapper.get("names") or [], mapper.get("array", False)
    texts = isinstance(names, list) and all(isinstance(one, str) for one in names)
    return isinstance(name, str) and texts and isinstance(array, bool)
