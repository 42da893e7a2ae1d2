"""What a custom provider may be, checked in GoTrue's order (internal/api/custom_oauth_admin.go)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from urllib.parse import urlsplit

from minato.auth.external.custom_providers import PREFIX, CustomProvider
from minato.auth.wire.errors import AuthError, invalid
from minato.auth.wire.json_format import render_time, sorted_map
from minato.http.public_addresses import Inside, Network, PublicAddresses, Unresolved
from minato.json_text import JsonObject

RESERVED = frozenset(
    "client_id client_secret redirect_uri response_type state code_challenge code_challenge_method code_verifier "
    "nonce".split()
)
PROTECTED = frozenset(
    "id aud role app_metadata created_at updated_at confirmed_at email_confirmed_at phone_confirmed_at email_verified "
    "phone_verified banned_until is_super_admin".split()
)
LOCALHOSTS = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0", "::"})
REQUIRED_URLS = {"oidc": ("issuer",), "oauth2": ("authorization_url", "token_url", "userinfo_url")}
OPTIONAL_URLS = {"oidc": ("discovery_url",), "oauth2": ("jwks_uri",)}
# as the table has them
IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]")
LONGEST = {"name": 100, "client_id": 512}
LONGEST_URL = 2048


@dataclass
class AdminCustomOAuthProviderParams:
    provider_type: str = ""
    identifier: str = ""
    name: str = ""
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    acceptable_client_ids: list[str] | None = None
    scopes: list[str] | None = None
    pkce_enabled: bool | None = None
    attribute_mapping: dict[str, object] | None = None
    custom_claims_allowlist: list[str] | None = None
    authorization_params: dict[str, object] | None = None
    enabled: bool | None = None
    email_optional: bool | None = None
    issuer: str = ""
    discovery_url: str = ""
    skip_nonce_check: bool | None = None
    authorization_url: str = ""
    token_url: str = ""
    userinfo_url: str = ""
    jwks_uri: str = ""

    def given(self, provider_type: str) -> dict[str, object]:
        """The columns that are given, without the secret and the other type's URLs."""
        other = "oauth2" if provider_type == "oidc" else "oidc"
        foreign = {*REQUIRED_URLS[other], *OPTIONAL_URLS[other], "provider_type", "identifier", "client_secret"}
        if provider_type == "oauth2":
            foreign.add("skip_nonce_check")
        known = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in foreign}
        return {name: value for name, value in known.items() if value is not None and value != ""}

    def urls(self, provider_type: str) -> list[str]:
        names = (*REQUIRED_URLS[provider_type], *OPTIONAL_URLS[provider_type])
        return [url for name in names if (url := getattr(self, name))]


def check_new(params: AdminCustomOAuthProviderParams) -> None:
    """Refuses a provider that lacks something."""
    if params.provider_type not in REQUIRED_URLS:
        raise invalid("provider_type must be either 'oauth2' or 'oidc'")
    if not params.identifier:
        raise invalid("identifier is required")
    require_prefix(params.identifier)
    for name in ("name", "client_id", "client_secret"):
        if not getattr(params, name):
            raise invalid(f"{name} is required")
    kind = {"oidc": "OIDC", "oauth2": "OAuth2"}[params.provider_type]
    for name in REQUIRED_URLS[params.provider_type]:
        if not getattr(params, name):
            raise invalid(f"{name} is required for {kind} providers")
    check_details(params)
    if not IDENTIFIER.fullmatch(params.identifier):
        raise invalid("identifier must be 2 to 50 lower-case letters, digits, colons and hyphens")


def check_details(params: AdminCustomOAuthProviderParams) -> None:
    """Refuses parameters, mappings and lists that would take over what is the server's."""
    for name, value in (params.authorization_params or {}).items():
        if name in RESERVED:
            raise invalid(f"Cannot override reserved OAuth parameter: {name}")
        if not isinstance(value, str):
            raise invalid(f'Authorization parameter "{name}" must be a string')
    for target in params.attribute_mapping or {}:
        if target in PROTECTED:
            raise invalid(f"Cannot map to protected system field: {target}")
    if any(not claim.strip() for claim in params.custom_claims_allowlist or []):
        raise invalid("custom_claims_allowlist entries must be non-empty strings")
    for name, longest in LONGEST.items():
        if len(getattr(params, name)) > longest:
            raise invalid(f"{name} cannot exceed {longest} characters")


def require_prefix(identifier: str) -> None:
    if not identifier.startswith(PREFIX):
        raise invalid(f"identifier must start with 'custom:' prefix, e.g. 'custom:{identifier}'")


async def check_url(url: str, development: bool, networks: Sequence[Network]) -> None:
    """Refuses what this server must not call. In development a provider may run on the developer's own network.

    Who enters a provider learns it here; what is really called is judged at each call (`PublicOutgoing`).
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise invalid("Invalid URL format") from error
    if parts.scheme != "https":
        raise invalid("URL must use HTTPS")
    if not host:
        raise invalid("URL must have a valid hostname")
    if len(url) > LONGEST_URL:
        raise invalid("Invalid URL format")
    if development:
        return
    if host in LOCALHOSTS or host.endswith(".localhost"):
        raise invalid("URL cannot point to localhost or loopback addresses")
    try:
        await PublicAddresses(networks).of(host, port or 443)
    except Unresolved as error:
        raise invalid("Unable to resolve hostname") from error
    except Inside as error:
        raise invalid(f"URL cannot resolve to {error}") from error


def missing_from(names: list[str]) -> AuthError:
    return invalid(f"OIDC discovery document is missing required fields: {', '.join(names)}")


def provider_json(custom: CustomProvider) -> JsonObject:
    """The provider as administrators see it, without its secret; URLs that it has none of are left out."""
    shown: JsonObject = {
        "id": str(custom.id),
        "provider_type": custom.provider_type,
        "identifier": custom.identifier,
        "name": custom.name,
        "client_id": custom.client_id,
        "acceptable_client_ids": custom.acceptable_client_ids,
        "scopes": custom.scopes,
        "pkce_enabled": custom.pkce_enabled,
        "attribute_mapping": sorted_map(custom.attribute_mapping),
        "custom_claims_allowlist": custom.custom_claims_allowlist,
        "authorization_params": sorted_map(custom.authorization_params),
        "enabled": custom.enabled,
        "email_optional": custom.email_optional,
    }
    shown |= _given(custom, "issuer", "discovery_url") | {"skip_nonce_check": custom.skip_nonce_check}
    if custom.cached_discovery:
        shown["discovery_document"] = custom.cached_discovery
    shown |= _given(custom, "authorization_url", "token_url", "userinfo_url", "jwks_uri")
    return {**shown, "created_at": render_time(custom.created_at), "updated_at": render_time(custom.updated_at)}


def _given(custom: CustomProvider, *names: str) -> dict[str, object]:
    return {name: getattr(custom, name) for name in names if getattr(custom, name)}
